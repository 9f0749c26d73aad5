/* inter_legal.c — arguments that may differ between two groups, or between processes of one
 * group, in the same operation: no check may report them. */
#include "inter.h"

enum { N = 12 };

/* N ints, as one element or as several. */
static MPI_Datatype ints_as(int how, int *count)
{
    MPI_Datatype t;

    *count = how % 3 == 0 ? N : how % 3 == 1 ? 1 : N / 3;
    MPI_Type_contiguous(N / *count, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

/* Idle processes may give another length, type and operation. */
static void test_rooted(const struct inter *in, struct root r)
{
    int count, root = inter_root(in, r), *v = values(inter_me(in), N, 1), *all = ints(50 * N);
    MPI_Datatype t = ints_as(in->rank + in->side, &count);

    if (root == MPI_PROC_NULL) {
        MPI_Type_free(&t);
        t = MPI_DOUBLE;
        count = 1 + in->rank;
    }
    MPI_Bcast(v, count, t, root, in->comm);
    if (root >= 0)
        check_values(v, inter_who(r.side, r.rank), N, 1);
    for (int i = 0; i < N; i++)
        v[i] = value(inter_me(in), i, 2);
    MPI_Gather(v, count, t, all, count, t, root, in->comm);
    for (int i = 0; i < in->peers && root == MPI_ROOT; i++)
        check_values(all + i * N, inter_peer(in, i), N, 2);
    v[0] = -1;
    MPI_Scatter(all, count, t, v, count, t, root, in->comm);
    if (root >= 0)
        check_values(v, inter_me(in), N, 2);
    if (root == MPI_PROC_NULL) {
        MPI_Reduce(v, all, count, t, MPI_MIN, root, in->comm);
    } else {
        v[0] = in->rank;
        MPI_Reduce(v, all, 1, MPI_INT, MPI_MAX, root, in->comm);
        CHECK_INT(root == MPI_ROOT ? all[0] : in->peers - 1, in->peers - 1);
        MPI_Type_free(&t);
    }
    free(all);
    free(v);
}

/* Each group sends blocks of its own length, which may be 0. */
static void test_ways(const struct inter *in, int ours, int theirs)
{
    int *v = ints(50 * N), *all = ints(50 * N), count, other;
    MPI_Datatype t = ints_as(in->rank, &count), u = ints_as(in->rank + 1, &other);

    for (int i = 0; i < 50 * N; i++)
        v[i] = value(inter_me(in), i % N, 3);
    MPI_Allgather(v, ours * count, t, all, theirs * other, u, in->comm);
    for (int i = 0; i < in->peers * theirs; i++)
        check_values(all + i * N, inter_peer(in, i / theirs), N, 3);
    MPI_Alltoall(v, ours * count, t, all, theirs * other, u, in->comm);
    for (int i = 0; i < in->peers * theirs; i++)
        check_values(all + i * N, inter_peer(in, i / theirs), N, 3);
    MPI_Type_free(&t);
    MPI_Type_free(&u);
    free(all);
    free(v);
}

/* Each group divides the result in its own way. */
static void test_parts(const struct inter *in)
{
    const int all = in->size * in->peers;
    int *one = ints(all), *part = ints(all), counts[50] = { 0 };

    for (int i = 0; i < all; i++)
        one[i] = in->side + 1;
    counts[in->side ? in->size - 1 : 0] = all;
    MPI_Reduce_scatter(one, part, counts, MPI_INT, MPI_SUM, in->comm);
    for (int i = 0; i < counts[in->rank]; i++)
        CHECK_INT(part[i], (2 - in->side) * in->peers);
    MPI_Reduce_scatter_block(one, part, in->peers, MPI_INT, MPI_SUM, in->comm);
    for (int i = 0; i < in->peers; i++)
        CHECK_INT(part[i], (2 - in->side) * in->peers);
    MPI_Allreduce(one, part, all, MPI_INT, MPI_MAX, in->comm);
    CHECK_INT(part[all - 1], 2 - in->side);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_MAX, in->comm);
    MPI_Barrier(in->comm);
    free(part);
    free(one);
}

static void test(const struct inter *in)
{
    inter_each_root(in, test_rooted);
    test_ways(in, 1, 1);
    test_ways(in, in->side, !in->side);
    test_ways(in, 1 + in->side, 2 - in->side);
    test_parts(in);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    inter_each(test);
    MPI_Finalize();
    return 0;
}
