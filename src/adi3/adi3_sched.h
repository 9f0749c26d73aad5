/* adi3_sched.h — schedules: nonblocking and persistent collective operations, as lists of steps.
 *
 * For src/mpi/coll. A caller makes a schedule, adds steps in the order in which they are to begin,
 * and starts it. A step is a send, a receive, any other request, a function, a fence or an await.
 * Steps between two fences begin together, as far as no more than 64 requests are under way, and a
 * fence waits for all steps before it. Steps begin inside any call that makes progress.
 *
 * After an error the other messages are sent and received all the same, so that no process is left
 * waiting; the first error is the operation's. When there is no memory to add a step, the operation
 * fails with that error. */
#ifndef ADI3_SCHED_H
#define ADI3_SCHED_H

#include <stddef.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_datatype.h"
#include "adi3/adi3_op.h"
#include "adi3/adi3_shmcoll.h"

struct adi3_sched;

/* Work of the processor, without messages: copies and reductions. */
struct adi3_work {
    int (*run)(const struct adi3_work *w); /* returns an MPI error */
    struct adi3_data from, to;             /* a type may be NULL */
    struct adi3_op *op;                    /* or NULL */
    int size;                              /* of the communicator, for texts */
};

struct adi3_sched *adi3_sched_new(int tag); /* tag: of its messages. NULL without memory */

/* No step of it calls a function of the program. So a thread of the library goes on with it while
 * the program computes, as STARLING_ASYNC_PROGRESS says. */
void adi3_sched_serve(struct adi3_sched *s);
void adi3_sched_tag(struct adi3_sched *s, int tag); /* of the messages that are added from now on */

/* Lets n requests be under way, for schedules that could deadlock with fewer. */
void adi3_sched_widen(struct adi3_sched *s, unsigned n);
void adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int dest);
void adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int source);
/* Adds a request of any kind: start(arg, request) starts it and returns an MPI error. Fences wait
 * for it as for a message. */
void adi3_sched_request(struct adi3_sched *s, int (*start)(void *arg, MPI_Request *request),
                        void *arg);
/* Calls work(arg, err), where err is the first error of the steps before, or MPI_SUCCESS. What it
 * returns is an error of this step. It is called in any case, at the latest in MPI_Finalize. */
void adi3_sched_call(struct adi3_sched *s, int (*work)(void *arg, int err), void *arg);
void adi3_sched_fence(struct adi3_sched *s);
/* Steps behind this one wait for the last n steps, which are sends, receives or requests. Earlier
 * ones need not be complete. */
void adi3_sched_await(struct adi3_sched *s, unsigned n);
void adi3_sched_work(struct adi3_sched *s, const struct adi3_work *w); /* runs a copy of *w */
/* Memory that is freed with the schedule. NULL without memory: then the operation fails. */
void *adi3_sched_bytes(struct adi3_sched *s, size_t len);

void adi3_sched_free(
    struct adi3_sched *s); /* of a schedule that was not started; NULL is nothing */

/* Starts the schedule, as an operation of c that request stands for. ADI3 frees s, also on
 * error. */
int adi3_sched_start(struct adi3_sched *s, struct adi3_comm *c, MPI_Request *request);
/* Makes an inactive persistent request of it: each start runs all steps again. */
int adi3_sched_init(struct adi3_sched *s, struct adi3_comm *c, MPI_Request *request);

/* Offload: starts do m in a flag block instead of the steps, if it is small and all processes of c
 * share memory; else nothing is changed. All processes of c call this before adi3_sched_init(),
 * and wait for rank 0, which sends a message with the schedule's tag.
 * Errors: MPI_ERR_NO_MEM; MPI_ERR_TRUNCATE, MPI_ERR_OTHER when another process gives another
 * length. */
int adi3_sched_offload(struct adi3_sched *s, struct adi3_comm *c, const struct adi3_offload *m);

#endif /* ADI3_SCHED_H */
