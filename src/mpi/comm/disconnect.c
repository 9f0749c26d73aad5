/* disconnect.c — communicators of several jobs are let go: with the last one that two processes
 * have in common, they forget each other (§10.5.4). */
#include <stdlib.h>
#include "adi3/adi3_connect.h"
#include "mpi/coll/coll.h"
#include "mpi/comm/comm.h"

static int exchange_known(struct adi3_comm *c, unsigned char *mine, unsigned char *theirs)
{
    struct coll x;

    adi3_comm_known(c, mine);
    mpir_internal_begin(&x, c);
    x.send = coll_packed(mine, 1);
    x.recv = coll_packed(theirs, 1);
    return coll_run(&coll_alltoall, &x);
}

/* When the exchange fails a process has failed; the others leave all the same. */
static int comm_leave(struct adi3_comm *c)
{
    size_t n = (size_t) c->peers;
    unsigned char *known = calloc(2, n);

    if (!known)
        return adi3_no_memory("for leaving %d processes", c->peers);
    int err = exchange_known(c, known, known + n);
    for (size_t i = 0; i < n; i++)
        known[i] |= known[n + i];
    adi3_comm_leave(c, known);
    free(known);
    return err;
}

int mpir_let_go(struct adi3_comm *c)
{
    int err = MPI_SUCCESS, failed = MPI_SUCCESS;

    if (c->span)
        err = comm_leave(c);
    if (c->local && c->local->span)
        failed = comm_leave(c->local);
    adi3_comm_release(c);
    if (err)
        return err;
    return failed;
}

int mpir_disconnect(struct adi3_comm *c)
{
    adi3_comm_drain(c);
    return mpir_let_go(c);
}
