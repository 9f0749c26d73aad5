/* peer_consensus.c — a failure of one process is a failure of all processes of two groups. */
#include <string.h>
#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"

enum { WHY = 256 };

struct outcome {   /* of one group */
    int bad;       /* the first rank that could not connect; the size of the group: all could */
    char why[WHY]; /* its error */
};

/* The outcome in our group. */
static int agree_in_group(struct adi3_comm *c, int err, struct outcome *o)
{
    int failed = mpir_least_of_all(c, err ? c->rank : c->size, &o->bad);

    if (err)
        (void) strncpy(o->why, mpir_error_cause(err), sizeof o->why - 1);
    if (!failed && o->bad < c->size)
        failed = mpir_broadcast_id(c, o->bad, o->why, sizeof o->why);
    return failed;
}

int mpir_peer_consensus(const struct mpir_peer_comm *p, int remote_size, int err)
{
    struct adi3_comm *c = p->local_comm;
    struct outcome ours = { 0 }, theirs;
    const struct mpir_exchange_buffer b = { &ours, &theirs, sizeof ours, sizeof theirs };
    int failed = agree_in_group(c, err, &ours);

    if (!failed)
        failed = mpir_exchange(p, &b);
    if (!err)
        err = failed;
    if (err)
        return err;
    theirs.why[WHY - 1] = '\0';
    if (ours.bad < c->size)
        return mpir_error(MPI_ERR_OTHER, "rank %d of the local group could not connect: %s",
                          ours.bad, ours.why);
    if (theirs.bad != remote_size)
        return mpir_error(MPI_ERR_OTHER, "rank %d of the remote group could not connect: %s",
                          theirs.bad, theirs.why);
    return MPI_SUCCESS;
}
