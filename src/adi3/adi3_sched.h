/* adi3_sched.h — the part of adi3.h that is about schedules: collective operations as steps that
 * wait for one another.
 *
 * Steps between two fences begin together; a fence waits for all before it. Where they may begin
 * they do so inside any call that moves messages. After an error the pattern of messages goes on,
 * so that the others are not left waiting; the first error is the operation's. A step that cannot
 * be added for want of memory is remembered as one that cannot be begun. */
#ifndef ADI3_SCHED_H
#define ADI3_SCHED_H

#include <stddef.h>
#include "adi3_base.h"
#include "adi3_datatype.h"
#include "adi3_op.h"
#include "adi3_shmcoll.h"

struct adi3_sched;

/* Work that takes no time but the processor's. */
struct adi3_work {
    int (*run)(const struct adi3_work *w); /* returns an MPI error */
    struct adi3_data from, to;             /* a type may be NULL */
    struct adi3_op *op;                    /* or NULL */
};

struct adi3_sched *adi3_sched_new(int tag);         /* of its messages; NULL without memory */
void adi3_sched_tag(struct adi3_sched *s, int tag); /* of those that are added from now on */

void adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int dest);
void adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int source);
/* Starts any request by start(arg, request), an MPI error, and waits for it as for a message. */
void adi3_sched_request(struct adi3_sched *s, int (*start)(void *arg, MPI_Request *request),
                        void *arg);
/* Calls work(arg, err) with the first error of the steps before; what it returns is one more. It
 * is called in any case, at the latest when MPI ends. */
void adi3_sched_call(struct adi3_sched *s, int (*work)(void *arg, int err), void *arg);
void adi3_sched_fence(struct adi3_sched *s);
/* What comes behind waits for the last n steps, sends and receives; those before go on. */
void adi3_sched_await(struct adi3_sched *s, unsigned n);
/* Does work that takes no time but the processor's. */
void adi3_sched_work(struct adi3_sched *s, const struct adi3_work *w);
/* Memory that lives as long as the schedule; NULL without any: the operation fails then. */
void *adi3_sched_bytes(struct adi3_sched *s, size_t len);

void adi3_sched_free(struct adi3_sched *s); /* one that is not begun; NULL is nothing */

/* Begins it, as an operation of c that request stands for. Whatever happens s is ADI3's. */
int adi3_sched_start(struct adi3_sched *s, struct adi3_comm *c, MPI_Request *request);
/* Likewise a persistent request, inactive: each start of it runs all steps again. */
int adi3_sched_init(struct adi3_sched *s, struct adi3_comm *c, MPI_Request *request);

/* Before adi3_sched_init(), in all processes of c: starts may do that instead of the steps, if it
 * is small and they share memory. They wait for the first of them, and take the schedule's tag.
 * Errors: MPI_ERR_NO_MEM; MPI_ERR_TRUNCATE, MPI_ERR_OTHER when another gives another length. */
int adi3_sched_offload(struct adi3_sched *s, struct adi3_comm *c, const struct adi3_offload *m);

#endif /* ADI3_SCHED_H */
