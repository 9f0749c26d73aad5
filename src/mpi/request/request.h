/* request.h — what the calls that complete requests share.
 *
 * A handle in a user's array is MPI_REQUEST_NULL, ADI3_REQUEST_COMPLETE or names a request: the
 * functions below know these three, so that the calls need not. A handle is looked up anew each
 * time: that costs no more than to keep pointers, and needs no memory for them. */
#ifndef REQUEST_H
#define REQUEST_H

#include "mpir.h"

/* Checks count and array_of_requests, all of it before anything is waited for.
 * active: how many are not null. */
int mpir_request_array_arg(int count, const MPI_Request h[], int *active);

/* Sets the status of an operation that received nothing; MPI_ERROR stays as it is (§3.2.5). */
static inline void mpir_request_status_none(MPI_Status *status)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->count_lo = status->count_hi_and_cancelled = 0;
}

/* Sets what §3.7.3 calls the empty status. */
void mpir_request_status_empty(MPI_Status *status);

/* h is not null. One that stands in an array twice is gone when it is met again, and then an error
 * of mpir_request_finish. */
static inline bool mpir_request_done(MPI_Request h)
{
    if (h == ADI3_REQUEST_COMPLETE)
        return true;
    struct adi3_request *r = adi3_request_get(h);
    return !r || adi3_request_done(r);
}

/* The index of one that is done, MPI_UNDEFINED when none is. */
int mpir_request_find_done(int count, const MPI_Request h[]);
bool mpir_request_all_done(int count, const MPI_Request h[]);

/* Waits until one is done and returns its index; one at least is not null. */
int mpir_request_wait_any(int count, const MPI_Request h[]);

/* Takes the result of *h, which is done or null, sets it to MPI_REQUEST_NULL, and returns the error
 * of its operation. comm: the operation's, untouched when there is none. */
int mpir_request_finish(MPI_Request *h, MPI_Status *status, struct adi3_comm **comm);

/* The results of a call that completes several. */
struct mpir_batch {
    struct mpir_call *call; /* its communicator becomes that of the first failure */
    MPI_Status *statuses;   /* or MPI_STATUSES_IGNORE */
    int n;                  /* results taken, which is the index of the next status */
    int err;                /* MPI_SUCCESS or of class MPI_ERR_IN_STATUS */
    bool broken;            /* a peer may be gone: what is not done might never be */
};

/* Takes the result of h[i], of an empty one when it is null. After a failure each status has its
 * own error, those before it included, and none otherwise (§3.2.5); in a broken batch h[i] need not
 * be done, and stays with MPI_ERR_PENDING. */
void mpir_request_take(struct mpir_batch *b, MPI_Request h[], int i);

/* Takes all that are done, and notes their indices. */
void mpir_request_take_done(struct mpir_batch *b, int count, MPI_Request h[], int indices[]);

#endif /* REQUEST_H */
