/* request.h — what the calls that complete requests share.
 *
 * A handle in a user's array is MPI_REQUEST_NULL, ADI3_REQUEST_COMPLETE or names a request, which
 * may be inactive: the functions below know these, so that the calls need not. A handle is looked
 * up anew each time: that costs no more than to keep pointers, and needs no memory for them. */
#ifndef REQUEST_H
#define REQUEST_H

#include "errhan/errhan.h"
#include "mpir.h"

/* Checks count and array_of_requests, all of it before anything is waited for. */
int mpir_request_array_arg(int count, const MPI_Request h[]);

/* One pass over all requests for the calls that complete some of them. Finds those that are done,
 * room of them at most: indices, and n; and waits until there is one if it should. active is false
 * when all are null or inactive. The calls have checked their other arguments. */
struct mpir_search {
    int *indices, room; /* room is 1: the lowest that is done; count: all */
    bool wait;
    int n;
    bool active;
};
int mpir_request_search(struct mpir_search *s, int count, const MPI_Request h[]);

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

/* Is there nothing to wait for? One that stands in an array twice is gone when it is met again, and
 * then an error of mpir_request_finish. */
static inline bool mpir_request_done(MPI_Request h)
{
    if (h == ADI3_REQUEST_COMPLETE || h == MPI_REQUEST_NULL)
        return true;
    struct adi3_request *r = adi3_request_get(h);
    return !r || adi3_request_done(r) || adi3_request_inactive(r);
}

bool mpir_request_all_done(int count, const MPI_Request h[]);

/* Takes the result of *h, which is done, null or inactive, sets it to MPI_REQUEST_NULL unless it is
 * persistent, and returns the error of its operation. comm: the operation's, untouched when there
 * is none. */
int mpir_request_finish(MPI_Request *h, MPI_Status *status, struct adi3_comm **comm);

/* The results of a call that completes several. */
struct mpir_batch {
    struct mpir_call *call; /* its communicator becomes that of the first failure */
    MPI_Status *statuses;   /* or MPI_STATUSES_IGNORE */
    int n;                  /* results taken, which is the index of the next status */
    int err;                /* MPI_SUCCESS or of class MPI_ERR_IN_STATUS */
    int first;              /* the error of the first request that failed */
    bool broken;            /* a peer may be gone: what is not done might never be */
};

/* Takes the result of h[i], of an empty one when it is null. After a failure each status has its
 * own error, those before it included, and none otherwise (§3.2.5); in a broken batch h[i] need not
 * be done, and stays with MPI_ERR_PENDING. */
void mpir_request_take(struct mpir_batch *b, MPI_Request h[], int i);

/* What the call ends with. An error handler gets the request's error. */
static inline int mpir_request_result(const struct mpir_batch *b)
{
    if (__builtin_expect(b->err, 0))
        mpir_in_status(b->err, b->first);
    return b->err;
}

/* For MPI_Waitsome and MPI_Testsome: takes all that are done; outcount of them. */
int mpir_request_take_some(struct mpir_batch *b, const struct mpir_search *s, MPI_Request h[],
                           int *outcount);

#endif /* REQUEST_H */
