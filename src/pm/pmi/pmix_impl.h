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
bool pmix_barrier_over(void);
int pmix_barrier_finish(void);
/* A request in two halves is over, says libpmix's thread, and has been finished: pmi_fd() is
 * readable as long as there is one between these. */
void pmix_notify(void);
void pmix_finished(void);
void pmix_abort(int exit_code, const char *why);
int pmix_finalize(void);
extern struct pmix_abi_proc pmix_self;

/* pmix_spawn.c */
int pmix_spawn_start(const struct pmi_spawn_request *r, struct pmi_spawn *s);
void pmix_spawn_free(struct pmi_spawn *s); /* what libpmix reads until s is over */
int pmix_preput(const char *key, char *value, size_t len);

/* pmix_names.c */
int pmix_publish(const char *service, const char *port);
int pmix_unpublish(const char *service);
int pmix_lookup(const char *service, char *port, size_t len);

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
