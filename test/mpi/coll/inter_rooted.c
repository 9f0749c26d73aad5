/* inter_rooted.c — C02: MPI_Bcast, MPI_Gather(v) and MPI_Scatter(v) between two groups, with
 * every process of both as the root. Buffers that are not significant must not change.
 *
 * MPICH 4.0 fails: after a nonblocking operation in which a process beside the root was idle,
 * messages of other operations are mixed up. */
#include "inter.h"

static int n; /* ints */
static enum form form;

/* C16: the receivers' data has gaps, which must not change. */
static void bcast(const struct inter *in, struct root r)
{
    int root = inter_root(in, r), *v = values(inter_me(in), n, n), *w = ints(2 * n);
    MPI_Datatype vector = every_other(n);

    if (root < 0)
        IN_FORM(form, Bcast, Ibcast, v, n, MPI_INT, root, in->comm);
    else
        IN_FORM(form, Bcast, Ibcast, w, 1, vector, root, in->comm);
    check_values(v, inter_me(in), n, n);
    for (int i = 0; i < n && root >= 0; i++) {
        CHECK_INT(w[2 * i], value(inter_who(r.side, r.rank), i, n));
        check_untouched(&w[2 * i + 1], 1);
    }
    MPI_Type_free(&vector);
    free(w);
    free(v);
}

static void gather(const struct inter *in, struct root r)
{
    int root = inter_root(in, r), *v = values(inter_me(in), n, 2), *all = ints(in->peers * n);

    IN_FORM(form, Gather, Igather, v, n, MPI_INT, all, n, MPI_INT, root, in->comm);
    for (int i = 0; i < in->peers && root == MPI_ROOT; i++)
        check_values(all + i * n, inter_peer(in, i), n, 2);
    if (root != MPI_ROOT)
        check_untouched(all, in->peers * n);
    free(all);
    free(v);
}

static void scatter(const struct inter *in, struct root r)
{
    int root = inter_root(in, r), *v = ints(n), *all = ints(in->peers * n);

    for (int i = 0; i < in->peers * n; i++)
        all[i] = value(inter_me(in), i, 4);
    IN_FORM(form, Scatter, Iscatter, all, n, MPI_INT, v, n, MPI_INT, root, in->comm);
    for (int i = 0; i < n && root >= 0; i++)
        CHECK_INT(v[i], value(inter_who(r.side, r.rank), in->rank * n + i, 4));
    if (root < 0)
        check_untouched(v, n);
    free(all);
    free(v);
}

/* ---- blocks of any size ---------------------------------------------------------------------- */

static int length(int rank) { return rank % 3 * n + rank % 2; }

/* The blocks of all processes of a group, in reverse order, with two ints between them. */
struct layout {
    int *lens, *displs, room;
};

static struct layout lay_out(int size)
{
    struct layout a = { ints(size), ints(size), 0 };

    for (int i = size - 1; i >= 0; i--) {
        a.lens[i] = length(i);
        a.displs[i] = a.room + 2;
        a.room += a.lens[i] + 2;
    }
    return a;
}

static void forget(struct layout *a)
{
    free(a->lens);
    free(a->displs);
}

static void gatherv(const struct inter *in, struct root r)
{
    int root = inter_root(in, r), mine = length(in->rank), *v = values(inter_me(in), mine, 6);
    struct layout a = lay_out(in->peers);
    int *all = ints(a.room);

    IN_FORM(form, Gatherv, Igatherv, v, mine, MPI_INT, all, a.lens, a.displs, MPI_INT, root,
            in->comm);
    for (int i = 0; i < in->peers && root == MPI_ROOT; i++) {
        check_values(all + a.displs[i], inter_peer(in, i), a.lens[i], 6);
        check_untouched(all + a.displs[i] - 2, 2);
    }
    if (root != MPI_ROOT)
        check_untouched(all, a.room);
    forget(&a);
    free(all);
    free(v);
}

static void scatterv(const struct inter *in, struct root r)
{
    int root = inter_root(in, r), mine = length(in->rank), *v = ints(mine);
    struct layout a = lay_out(in->peers);
    int *all = ints(a.room);

    for (int i = 0; i < in->peers; i++)
        for (int k = 0; k < a.lens[i]; k++)
            all[a.displs[i] + k] = value(inter_me(in) + i, k, 8);
    IN_FORM(form, Scatterv, Iscatterv, all, a.lens, a.displs, MPI_INT, v, mine, MPI_INT, root,
            in->comm);
    if (root >= 0)
        check_values(v, inter_who(r.side, r.rank) + in->rank, mine, 8);
    else
        check_untouched(v, mine);
    forget(&a);
    free(all);
    free(v);
}

static void test(const struct inter *in)
{
    static const int lens[] = { 0, 1, 257, 20011 };

    for (int c = 0; c < 4; c++)
        for (form = 0; form < FORMS; form++) {
            n = lens[c];
            inter_each_root(in, bcast);
            inter_each_root(in, gather);
            inter_each_root(in, scatter);
            inter_each_root(in, gatherv);
            inter_each_root(in, scatterv);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    inter_each(test);
    MPI_Finalize();
    return 0;
}
