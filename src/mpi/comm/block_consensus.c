/* block_consensus.c — the processes of an intercommunicator choose one block of context ids.
 *
 * Each round they combine what is used anywhere, choose the same free block, and try to reserve it.
 * That fails only where another thread has just reserved it for another communicator. */
#include <stdlib.h>
#include "mpi/comm/comm.h"
#include "platform/os.h"

enum { ROUNDS = 100 };

struct view { /* of one process, one group, or both */
    struct adi3_block_map used;
    uint64_t random;
    bool refused; /* a process could not reserve the block of the last round */
};

static void view_combine(struct view *v, const struct view *more)
{
    for (int i = 0; i < ADI3_BLOCKS / 64; i++)
        v->used.word[i] |= more->used.word[i];
    v->random ^= more->random;
    v->refused |= more->refused;
}

/* Makes v the combination of the views of all processes of both groups. */
static int combine_all(const struct mpir_peer_comm *p, struct view *v)
{
    struct adi3_comm *c = p->local_comm;
    struct view *all = malloc((size_t) c->size * sizeof *all), theirs;
    const struct mpir_exchange_buffer x = { v, &theirs, sizeof *v, sizeof theirs };

    if (!all)
        return adi3_no_memory("for the ids of %d processes", c->size);
    int err = mpir_gather_all(c, v, sizeof *v, all);
    for (int i = 0; i < c->size && !err; i++)
        if (i != c->rank)
            view_combine(v, &all[i]);
    free(all);
    if (!err)
        err = mpir_exchange(p, &x);
    if (!err)
        view_combine(v, &theirs);
    return err;
}

/* One round: *block is reserved here, unless *again or an error says otherwise. */
static int try_block(const struct mpir_peer_comm *p, int *block, bool *again)
{
    struct view v = { .used = adi3_blocks };
    int err = os_random(&v.random, sizeof v.random)
                  ? mpir_error(MPI_ERR_OTHER, "the system gives no random number")
                  : combine_all(p, &v);

    if (err)
        return err;
    if ((*block = adi3_block_choose(&v.used, v.random)) < 0)
        return mpir_error(MPI_ERR_OTHER,
                          "no context ids are left: these processes have %d communicators of "
                          "several jobs, at most %d may be at a time",
                          ADI3_BLOCKS, ADI3_BLOCKS);
    bool mine = adi3_block_reserve(&adi3_blocks, *block);
    v = (struct view) { .refused = !mine };
    err = combine_all(p, &v);
    *again = v.refused;
    if (mine && (err || *again))
        adi3_block_free(&adi3_blocks, *block);
    return err;
}

int mpir_block_consensus(const struct mpir_peer_comm *p, int *block)
{
    bool again = true;
    int err = MPI_SUCCESS;

    for (int i = 0; i < ROUNDS && again && !err; i++)
        err = try_block(p, block, &again);
    if (!err && again)
        err = mpir_error(MPI_ERR_OTHER, "no block of context ids was free in %d tries", ROUNDS);
    return err;
}
