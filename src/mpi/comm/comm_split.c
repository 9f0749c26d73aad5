#include <stdlib.h>
#include "comm/comm.h"

struct choice { /* what a process asks for */
    int color, key;
};

struct member { /* of our new communicator */
    int key, rank;
};

/* Lets each process know what all chose, in log2(size) rounds (Bruck): all[i] becomes the choice of
 * the rank i behind ours; all[0] is there. */
static int gather_choices(struct adi3_comm *c, struct choice *all)
{
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);

    for (int have = 1; have < c->size; have *= 2) {
        int n = have < c->size - have ? have : c->size - have;
        const struct adi3_exchange x = { .out = { all, (size_t) n * sizeof *all, byte },
                                         .in = { all + have, (size_t) n * sizeof *all, byte },
                                         .dest = (c->rank - have + c->size) % c->size,
                                         .source = (c->rank + have) % c->size };
        int err = adi3_sendrecv(&x, c, ADI3_COLL, MPI_STATUS_IGNORE);

        if (err)
            return err;
    }
    return MPI_SUCCESS;
}

static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : 1;
}

/* Gives the ranks of our colour in their new order and our place among them; returns how many. */
static int sort_members(const struct adi3_comm *c, const struct choice *all, struct member *m,
                        int *ranks, int *me)
{
    int n = 0;

    for (int i = 0; i < c->size; i++)
        if (all[i].color == all[0].color)
            m[n++] = (struct member) { all[i].key, (c->rank + i) % c->size };
    qsort(m, (size_t) n, sizeof *m, by_key);
    for (int i = 0; i < n; i++) {
        ranks[i] = m[i].rank;
        if (m[i].rank == c->rank)
            *me = i;
    }
    return n;
}

static int split(struct adi3_comm *c, struct choice ours, MPI_Comm *newcomm)
{
    size_t size = (size_t) c->size;
    struct choice *all = malloc(size * sizeof *all);
    struct member *m = malloc(size * sizeof *m);
    int *ranks = malloc(size * sizeof *ranks);
    struct adi3_comm *made;
    int me = 0, err;

    if (!all || !m || !ranks) {
        err = mpir_error(MPI_ERR_NO_MEM, "no memory for %d ranks", c->size);
        goto free_all;
    }
    all[0] = ours;
    err = gather_choices(c, all);
    if (err)
        goto free_all;
    if (ours.color == MPI_UNDEFINED) {
        *newcomm = MPI_COMM_NULL;
        goto free_all;
    }
    int n = sort_members(c, all, m, ranks, &me);
    err = mpir_comm_make(c, &(struct adi3_team) { n, me, ranks, 0 }, 0, &made);
    if (!err)
        *newcomm = made->handle;
free_all:
    free(ranks);
    free(m);
    free(all);
    return err;
}

/* Makes a communicator of the processes that give the same color, ranked by key, then by their rank
 * in comm; MPI_COMM_NULL for the color MPI_UNDEFINED (§6.4.2). Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_split", comm, color, key, newcomm);
    struct adi3_comm *c;

    TRY(mpir_comm_arg(&call, comm, &c));
    if (mpir_checking() && color < 0 && color != MPI_UNDEFINED)
        TRY(mpir_error(MPI_ERR_ARG, "color %d is negative and not MPI_UNDEFINED", color));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(split(c, (struct choice) { color, key }, newcomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_split);
