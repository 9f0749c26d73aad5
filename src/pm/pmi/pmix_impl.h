/* pmix_impl.h — PMIx behind pmi.h: these functions do what those of the same name there do, for a
 * process that has joined by PMIx. */
#ifndef PMIX_IMPL_H
#define PMIX_IMPL_H

#include <stdatomic.h>
#include "pm/pmi/pmi.h"
#include "pm/pmi/pmix_abi.h"

/* pmix_load.c: loads the library. -ELIBACC, and pmi_error_text() says why: missing or too old. */
int pmix_load(void);
extern struct pmix_abi pmix; /* its functions */

/* pmix.c */
/* Joins the job that PMIX_NAMESPACE and PMIX_RANK name: sets all of job and pmi_client.fd. */
int pmix_join(struct pmi_job *job);
int pmix_barrier_start(void);
int pmix_barrier_finish(void);
void pmix_abort(int exit_code, const char *why);
int pmix_finalize(void);
extern struct pmix_abi_proc pmix_self;

/* pmix_lost.c */
pmix_abi_event pmix_lost;
extern atomic_bool pmix_joined; /* the connection is not closed on purpose */

/* pmix_data.c */
struct pmix_abi_info pmix_option(const char *key); /* which is on */
int pmix_put(const char *key, const char *value);
int pmix_get(int rank, const char *key, char *value, size_t len);
int pmix_tell_next(void);
bool pmix_was_told(void);
int pmix_job_size(int *size);
int pmix_appnum(int *appnum);
int pmix_universe_size(int *universe);

#endif /* PMIX_IMPL_H */
