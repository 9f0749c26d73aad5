/* request.h — what the functions that complete requests share.
 *
 * A handle in an array of the user is MPI_REQUEST_NULL, ADI3_REQUEST_COMPLETE or the handle of a
 * request, which may be inactive. The functions below handle all of them. All handles are checked
 * before the first request is completed. */
#ifndef REQUEST_H
#define REQUEST_H

#include "mpi/errhan/errhan.h"
#include "mpi/mpir.h"

/* Checks count and all of array_of_requests, before the call waits. */
int mpir_request_array_arg(int count, const MPI_Request h[]);

/* One pass over an array, for functions that complete some of its requests. Sets the indices of
 * complete requests, at most `room`, and their number n. With `wait` it waits until there is one.
 * active is false when all requests are null or inactive. The caller has checked its other
 * arguments. */
struct mpir_search {
    int *indices, room; /* room is 1 for the lowest complete one, count for all */
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

/* Whether the request is complete, null or inactive. A request that is twice in an array is freed
 * at its second entry: that one is done here, and an error in mpir_request_finish. */
static inline bool mpir_request_done(MPI_Request h)
{
    if (h == ADI3_REQUEST_COMPLETE || h == MPI_REQUEST_NULL)
        return true;
    struct adi3_request *r = adi3_request_get(h);
    return !r || adi3_request_done(r) || adi3_request_inactive(r);
}

bool mpir_request_all_done(int count, const MPI_Request h[]);

/* Completes *h, which is done, null or inactive: sets status, and *h to MPI_REQUEST_NULL unless
 * it is persistent. Returns the error of the operation. comm becomes its communicator, if it has
 * one. */
int mpir_request_finish(MPI_Request *h, MPI_Status *status, struct adi3_comm **comm);

/* The results of a call that completes several requests. */
struct mpir_batch {
    struct mpir_call *call; /* its communicator becomes that of the first failure */
    MPI_Status *statuses;   /* or MPI_STATUSES_IGNORE */
    int n;                  /* requests completed, the index of the next status */
    int err;                /* MPI_SUCCESS or of class MPI_ERR_IN_STATUS */
    int first;              /* the error of the first request that failed */
    bool broken;            /* a peer may be lost: the other requests may never complete */
};

/* Completes h[i]; for a null request the status is empty. After a failure MPI_ERROR is set in each
 * status, also in those before, and otherwise in none (§3.2.5). In a broken batch h[i] need not be
 * done: it stays, and its error is MPI_ERR_PENDING. */
void mpir_request_take(struct mpir_batch *b, MPI_Request h[], int i);

/* Waits for all requests of an array, one after the other, and completes them. */
void mpir_request_take_all(struct mpir_batch *b, int count, MPI_Request h[]);

/* The error that the call returns. An error handler gets the error of the request. */
static inline int mpir_request_result(const struct mpir_batch *b)
{
    if (__builtin_expect(b->err, 0))
        mpir_in_status(b->err, b->first);
    return b->err;
}

/* For MPI_Waitsome and MPI_Testsome: completes all requests found; outcount is their number. */
int mpir_request_take_some(struct mpir_batch *b, const struct mpir_search *s, MPI_Request h[],
                           int *outcount);

#endif /* REQUEST_H */
