/* buffered.h — a buffer attached for buffered sends, and the three ways to send through it. */
#ifndef BUFFERED_H
#define BUFFERED_H

#include "pattern.h"

enum buffered_way { BSEND, IBSEND, BSEND_INIT, BUFFERED_WAYS };

/* The room that one message takes in the buffer by the standard (§3.6.1). */
static inline int buffered_need(int count, MPI_Datatype type)
{
    int len = -1;

    CHECK_INT(MPI_Pack_size(count, type, MPI_COMM_WORLD, &len), MPI_SUCCESS);
    return len + MPI_BSEND_OVERHEAD;
}

static inline int buffered_start(const void *buf, int count, MPI_Datatype type, int to, int tag,
                                 MPI_Comm comm)
{
    MPI_Request request;
    int err = MPI_Bsend_init(buf, count, type, to, tag, comm, &request);

    if (err)
        return err;
    if (!(err = MPI_Start(&request)))
        err = MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_INT(MPI_Request_free(&request), MPI_SUCCESS);
    return err;
}

/* All three are local: each returns whether or not a receive is posted. */
static inline int buffered_send(enum buffered_way way, const void *buf, int count,
                                MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;

    if (way == BSEND)
        return MPI_Bsend(buf, count, type, to, tag, comm);
    if (way == BSEND_INIT)
        return buffered_start(buf, count, type, to, tag, comm);

    int err = MPI_Ibsend(buf, count, type, to, tag, comm, &request);
    return err ? err : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static inline void buffered_detach(void *expected, int expected_size)
{
    char *at = NULL;
    int size = -1;

    CHECK_INT(MPI_Buffer_detach(&at, &size), MPI_SUCCESS);
    CHECK(at == expected);
    CHECK_INT(size, expected_size);
}

#endif /* BUFFERED_H */
