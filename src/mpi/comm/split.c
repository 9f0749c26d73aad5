/* split.c — MPI_Comm_split: a communicator for each color.
 *
 * Each process gathers the color, the key and new context ids of all. A new communicator uses the
 * ids of its first process. */
#include <stdlib.h>
#include "mpi/comm/comm.h"

struct choice { /* the message of a process: its arguments, and context ids */
    int color, key;
    uint32_t recv, local;
};

struct member { /* of a group of a new communicator */
    int key, rank;
};

static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : 1;
}

/* Sets the ranks, in their new order, of the processes with this color; returns their number. */
static int color_members_pick(const struct choice *all, int n, int color, struct member *m,
                              int *ranks)
{
    int picked = 0;

    for (int i = 0; i < n; i++)
        if (all[i].color == color)
            m[picked++] = (struct member) { all[i].key, i };
    qsort(m, (size_t) picked, sizeof *m, by_key);
    for (int i = 0; i < picked; i++)
        ranks[i] = m[i].rank;
    return picked;
}

static int place_of(int rank, const int *ranks)
{
    int i = 0;

    while (ranks[i] != rank)
        i++;
    return i;
}

struct split { /* the arguments and the memory of one call */
    struct adi3_comm *c;
    struct choice *ours, *theirs; /* of the local and the remote group */
    struct member *m;             /* room for the larger group */
    int *ranks, *remote;
};

static int make_intra(const struct split *s, int color, struct adi3_comm **made)
{
    struct adi3_comm *c = s->c;
    struct adi3_subgroup t = { .size = color_members_pick(s->ours, c->size, color, s->m, s->ranks),
                               .ranks = s->ranks };

    t.me = place_of(c->rank, s->ranks);
    int err = adi3_comm_new(c, &t, s->ours[s->ranks[0]].recv, made);
    if (!err)
        mpir_comm_inherit(c, *made);
    return err;
}

static int make_inter(const struct split *s, int color, struct adi3_comm **made)
{
    struct adi3_comm *c = s->c;
    struct adi3_subgroup t = { .size = color_members_pick(s->ours, c->size, color, s->m, s->ranks),
                               .ranks = s->ranks };
    int n = color_members_pick(s->theirs, c->peers, color, s->m, s->remote);

    if (n == 0) {
        *made = NULL;
        return MPI_SUCCESS;
    }
    t.me = place_of(c->rank, s->ranks);
    const struct mpir_ids ids = { .recv = s->ours[s->ranks[0]].recv,
                                  .send = s->theirs[s->remote[0]].recv,
                                  .local = s->ours[s->ranks[0]].local };
    struct adi3_group *remote = adi3_group_incl(c->remote, n, s->remote);
    if (!remote)
        return adi3_no_memory("for a group of %d", n);
    int err = mpir_inter_make(c->local, &t, remote, &ids, made);
    adi3_group_release(remote);
    if (!err)
        mpir_comm_inherit(c, *made);
    return err;
}

static int split_exchange(const struct split *s)
{
    const struct mpir_peer_comm p = mpir_peer_comm_of(s->c);
    const struct mpir_exchange_buffer x = { s->ours, s->theirs,
                                            (size_t) s->c->size * sizeof *s->ours,
                                            (size_t) s->c->peers * sizeof *s->theirs };

    return mpir_exchange(&p, &x);
}

static int split_make_comm(struct split *s, int color, int key, struct adi3_comm **made)
{
    struct adi3_comm *c = s->c, *home = c->local ? c->local : c;
    const struct mpir_ids ids = mpir_ids_pick(home);
    const struct choice mine = { color, key, ids.recv, ids.local };
    int err = mpir_gather_all(home, &mine, sizeof mine, s->ours);

    if (!err && c->remote)
        err = split_exchange(s);
    *made = NULL;
    if (err || color == MPI_UNDEFINED)
        return err;
    return c->remote ? make_inter(s, color, made) : make_intra(s, color, made);
}

int mpir_comm_split(struct adi3_comm *c, int color, int key, struct adi3_comm **made)
{
    size_t size = (size_t) c->size, peers = c->remote ? (size_t) c->peers : 0;
    size_t more = size > peers ? size : peers;
    struct split s = { .c = c };

    /* A block of memory: choices of both groups, members of the larger group, ranks of both
     * groups. */
    s.ours = malloc((size + peers) * (sizeof *s.ours + sizeof *s.ranks) + more * sizeof *s.m);
    if (!s.ours)
        return adi3_no_memory("for %d ranks", c->size);
    s.theirs = s.ours + size;
    s.m = (struct member *) (s.theirs + peers);
    for (size_t i = 0; i < size + peers; i++)
        s.ours[i].color = MPI_UNDEFINED; /* for processes whose choice is not received */
    s.ranks = (int *) (s.m + more);
    s.remote = s.ranks + size;
    int err = split_make_comm(&s, color, key, made);
    free(s.ours);
    return err;
}
