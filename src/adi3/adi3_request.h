/* adi3_request.h — requests: operations under way, whatever their kind. */
#ifndef ADI3_REQUEST_H
#define ADI3_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include "adi3_base.h"

struct adi3_request; /* one operation under way */

extern struct adi3_pool adi3_requests;

/* The request that a send gives which was complete before it returned; it may be waited for any
 * number of times, and freeing it is nothing. */
enum { ADI3_REQUEST_COMPLETE = 0x6c000001 };

struct adi3_request *adi3_request_get(MPI_Request handle); /* NULL when it names none */
struct adi3_comm *adi3_request_comm(const struct adi3_request *r);
bool adi3_request_done(const struct adi3_request *r);
bool adi3_request_inactive(const struct adi3_request *r); /* a persistent one, not started */
bool adi3_request_persists(const struct adi3_request *r); /* its handle is there after it ends */

int adi3_startable(const struct adi3_request *r); /* MPI_ERR_REQUEST when it cannot be started */
int adi3_start(struct adi3_request *r);           /* when that has been asked */

/* Asks for the end of an operation, which is done soon: cancelled, or as if not asked. */
int adi3_cancel(struct adi3_request *r);
void adi3_status_cancel(MPI_Status *status, bool cancelled); /* sets what it says of that */

/* Operations of the user's own. The functions are called without the lock. */
struct adi3_callbacks {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};
int adi3_general_start(const struct adi3_callbacks *users, MPI_Request *request);
struct adi3_request *adi3_general_get(MPI_Request handle); /* also when the user gave it up */
int adi3_general_complete(struct adi3_request *r);

/* Blocks until r is done; the first does so as one of many, and takes along what else has come. */
void adi3_wait_for(const struct adi3_request *r);
void adi3_wait_done(const struct adi3_request *r);

/* Waiting for one of many, which are looked at once: those that are not done are watched, and say
 * so when they are. */
struct adi3_any {
    int room, n;
    int *index; /* as adi3_any_watch() was told, of those that are done: n of them; with room 1 the
                 * lowest */
    uint64_t watch;
    struct adi3_any *next;
};
void adi3_any_begin(struct adi3_any *a, int *index, int room);
void adi3_any_watch(struct adi3_any *a, struct adi3_request *r, int index);
void adi3_any_wait(struct adi3_any *a); /* until n > 0 */

/* Takes the result of a request that is done: fills the status (but MPI_ERROR), frees the request
 * or makes it inactive, returns its error. */
int adi3_request_finish(struct adi3_request *r, MPI_Status *status);
/* The same of one that stays as it is. */
int adi3_request_peek(struct adi3_request *r, MPI_Status *status);

int adi3_request_freeable(const struct adi3_request *r); /* or MPI_ERR_REQUEST */
/* The user gives up its handle; the operation goes on. An error is one of the user's function. */
int adi3_request_release(struct adi3_request *r);

#endif /* ADI3_REQUEST_H */
