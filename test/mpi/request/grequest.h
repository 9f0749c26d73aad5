/* grequest.h — a generalized request that counts its callbacks. */
#ifndef GREQUEST_H
#define GREQUEST_H

#include "mpitest.h"

struct grequest {
    int done; /* MPI_Grequest_complete was called */
    int queries, frees, cancels;
    int complete;                           /* the flag of the last cancel */
    int query_code, free_code, cancel_code; /* the codes that the callbacks return */
    int count, cancelled, source, tag;      /* the status that the query sets */
};

static inline int grequest_query(void *state, MPI_Status *status)
{
    struct grequest *g = state;

    CHECK(g->done && !g->frees);
    CHECK(status && status != MPI_STATUS_IGNORE);
    g->queries++;
    CHECK_INT(MPI_Status_set_elements(status, MPI_INT, g->count), MPI_SUCCESS);
    CHECK_INT(MPI_Status_set_cancelled(status, g->cancelled), MPI_SUCCESS);
    status->MPI_SOURCE = g->source;
    status->MPI_TAG = g->tag;
    return g->query_code;
}

static inline int grequest_free(void *state)
{
    struct grequest *g = state;

    CHECK(g->done && !g->frees);
    g->frees++;
    return g->free_code;
}

static inline int grequest_cancel(void *state, int complete)
{
    struct grequest *g = state;

    g->cancels++;
    g->complete = complete;
    return g->cancel_code;
}

/* A new request with all counts 0, whose status will have count, source and tag. */
static inline MPI_Request grequest_start(struct grequest *g, int count)
{
    MPI_Request request = MPI_REQUEST_NULL;

    *g = (struct grequest) { .count = count, .source = count + 1, .tag = count + 2 };
    CHECK_INT(MPI_Grequest_start(grequest_query, grequest_free, grequest_cancel, g, &request),
              MPI_SUCCESS);
    CHECK(request != MPI_REQUEST_NULL);
    return request;
}

static inline int grequest_complete(struct grequest *g, MPI_Request request)
{
    g->done = 1;
    return MPI_Grequest_complete(request);
}

/* A call may use the query several times, but free only once. */
static inline void grequest_check(const struct grequest *g, int queries, int frees)
{
    CHECK(g->queries >= queries);
    CHECK_INT(g->frees, frees);
}

/* The status is the one that the query has set. */
static inline void grequest_check_status(const struct grequest *g, const MPI_Status *status)
{
    int count = -1, flag = -1;

    CHECK_INT(status->MPI_SOURCE, g->source);
    CHECK_INT(status->MPI_TAG, g->tag);
    CHECK_INT(MPI_Get_count(status, MPI_INT, &count), MPI_SUCCESS);
    CHECK_INT(count, g->count);
    CHECK_INT(MPI_Test_cancelled(status, &flag), MPI_SUCCESS);
    CHECK_INT(flag, g->cancelled);
}

#endif /* GREQUEST_H */
