/* adi3_request.h — requests: operations under way, of any kind.
 *
 * Uses base; used by all rooms above and by src/mpi. MPICH's MPIR_Request. */
#ifndef ADI3_REQUEST_H
#define ADI3_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_language.h"

struct adi3_request; /* one operation under way */

extern struct adi3_pool adi3_requests;

/* The handle that MPI_Isend returns when the message has already left: no request is made. It
 * may be waited for any number of times, and freeing it does nothing. */
enum { ADI3_REQUEST_COMPLETE = 0x6c000001 };

struct adi3_request *adi3_request_get(MPI_Request handle); /* NULL when it names no request */
struct adi3_comm *adi3_request_comm(const struct adi3_request *r);
bool adi3_request_done(const struct adi3_request *r);
bool adi3_request_inactive(const struct adi3_request *r); /* a persistent one, not started */
bool adi3_request_persists(const struct adi3_request *r); /* its handle outlives completion */

/* Errors: MPI_ERR_REQUEST when r is not persistent or is active. */
int adi3_startable(const struct adi3_request *r);
int adi3_start(struct adi3_request *r); /* starts r, which must be startable */

/* Sets the bytes of data of an operation under way, which its status will have. */
void adi3_request_count(MPI_Request handle, size_t bytes);

/* Asks to cancel an operation. It soon completes: cancelled, or as if this had not been called. */
int adi3_cancel(struct adi3_request *r);
void adi3_status_cancel(MPI_Status *status,
                        bool cancelled); /* sets what MPI_Test_cancelled reads */

/* Runs end(arg) once when r is complete, at once when it is. It runs with the lock, in any call. r
 * must be neither persistent nor generalized. Errors: MPI_ERR_NO_MEM. */
int adi3_request_at_end(struct adi3_request *r, void (*end)(void *arg), void *arg);

/* Generalized requests (§12.2). The user's functions are called without the lock. */
struct adi3_callbacks {
    const struct adi3_language *language; /* of the functions */
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
    /* Of MPIX_Grequest_start: called by calls that wait or test, until the request is complete. */
    MPIX_Grequest_poll_function *poll; /* NULL: there is none, ... */
    MPIX_Grequest_wait_function *wait; /* ... then this one is, which may block */
};
int adi3_general_start(const struct adi3_callbacks *users, MPI_Request *request);
void adi3_general_set_language(struct adi3_request *r, const struct adi3_language *language);
struct adi3_request *adi3_general_get(MPI_Request handle); /* also after MPI_Request_free */
int adi3_general_complete(struct adi3_request *r);

/* Blocks until r is done. The second is for a caller that waits for r alone: a poll ends as soon as
 * the message of r has come. With the first a poll takes further messages, too. */
void adi3_wait_for(const struct adi3_request *r);
void adi3_wait_done(const struct adi3_request *r);
/* The first, for a call that cannot return before r and others are done (MPI_Waitall). */
void adi3_wait_each(const struct adi3_request *r);

/* Waiting for one of many requests. The caller looks at each once and watches those that are not
 * done; these put their index into the list when they complete. */
struct adi3_any {
    int room, n;    /* places in index, and how many are used */
    int *index;     /* of requests that are done, as passed to adi3_any_watch(); with room 1 the
                     * lowest */
    uint64_t watch; /* number of this call */
    struct adi3_any *next;
};
void adi3_any_begin(struct adi3_any *a, int *index, int room);
void adi3_any_watch(struct adi3_any *a, struct adi3_request *r, int index);
void adi3_any_wait(struct adi3_any *a); /* blocks until n > 0 */

/* Takes the result of a request that is done: fills the status (except MPI_ERROR), frees the
 * request, or makes a persistent one inactive, and returns its error. */
int adi3_request_finish(struct adi3_request *r, MPI_Status *status);
/* Does the same of the first requests of an array as long as they are done, without an error, and
 * there is nothing special about them; sets their handles to MPI_REQUEST_NULL unless they persist.
 * Returns how many these are. */
int adi3_requests_finish(int count, MPI_Request h[], MPI_Status statuses[]);
/* Returns the index of the first handle that names nothing that can be waited for; count: all
 * do. */
int adi3_requests_check(int count, const MPI_Request h[]);
/* adi3_request_finish() that leaves the request as it is (MPI_Request_get_status). */
int adi3_request_peek(struct adi3_request *r, MPI_Status *status);

/* Errors: MPI_ERR_REQUEST when r must be completed and not freed. */
int adi3_request_freeable(const struct adi3_request *r);
/* Drops the user's handle; the operation goes on. Returns the error of a user's function. */
int adi3_request_release(struct adi3_request *r);

#endif /* ADI3_REQUEST_H */
