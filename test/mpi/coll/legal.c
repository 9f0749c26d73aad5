/* legal.c — arguments that may differ between processes in the same operation, or that only look
 * like a mismatch: no check may report them. */
#include "affine.h"

enum { N = 60 };

/* C16: the same ints as a vector, as pairs, as a struct, as one element or as several. */
static MPI_Datatype ints_as(int how, int *count)
{
    MPI_Datatype t;

    switch (how % 6) {
    case 0:
        *count = N;
        MPI_Type_dup(MPI_INT, &t);
        break;
    case 1:
        *count = 1;
        MPI_Type_contiguous(N, MPI_INT, &t);
        break;
    case 2:
        *count = N / 2;
        MPI_Type_contiguous(2, MPI_INT, &t);
        break;
    case 3:
        *count = N / 2;
        MPI_Type_dup(MPI_2INT, &t);
        break;
    case 4:
        *count = 1;
        MPI_Type_create_struct(3, (int[]) { N - 20, 20, 0 },
                               (MPI_Aint[]) { 0, (N - 20) * (MPI_Aint) sizeof(int), 0 },
                               (MPI_Datatype[]) { MPI_INT, MPI_INT, MPI_DOUBLE }, &t);
        break;
    default:
        *count = 3;
        MPI_Type_indexed(2, (int[]) { N / 6, N / 6 }, (int[]) { 0, N / 6 }, MPI_INT, &t);
        break;
    }
    MPI_Type_commit(&t);
    return t;
}

static void test_types(struct me m)
{
    int count, other, *v = ints(N), *all = ints(m.size * N), *back = ints(m.size * N);

    for (int shift = 0; shift < 6; shift++) {
        MPI_Datatype type = ints_as(m.rank + shift, &count), to = ints_as(shift, &other);
        int root = shift % m.size;
        for (int i = 0; i < N; i++)
            v[i] = value(m.rank == root ? root : 0, i, m.rank == root ? shift : 0);
        MPI_Bcast(v, count, type, root, m.comm);
        check_values(v, root, N, shift);
        for (int i = 0; i < N; i++)
            v[i] = value(m.rank, i, shift);
        MPI_Allgather(v, count, type, all, other, to, m.comm);
        for (int r = 0; r < m.size; r++)
            check_values(all + r * N, r, N, shift);
        MPI_Alltoall(all, other, to, back, count, type, m.comm);
        for (int r = 0; r < m.size; r++)
            check_values(back + r * N, m.rank, N, shift);
        MPI_Scatter(all, other, to, v, count, type, root, m.comm);
        check_values(v, m.rank, N, shift);
        memset(back, 0, (size_t) (m.size * N) * sizeof *back);
        MPI_Gather(v, count, type, back, other, to, root, m.comm);
        for (int r = 0; r < m.size && m.rank == root; r++)
            check_values(back + r * N, r, N, shift);
        MPI_Type_free(&type);
        MPI_Type_free(&to);
    }
    free(v);
    free(all);
    free(back);
}

/* Predefined types with different names that are the same sequence of basic types. */
static void test_mixtures(struct me m)
{
    struct {
        double d;
        int i, j;
    } v = { 0.5, 1, 2 };
    MPI_Datatype one, two;

    MPI_Type_create_struct(2, (int[]) { 1, 2 }, (MPI_Aint[]) { 0, 8 },
                           (MPI_Datatype[]) { MPI_DOUBLE, MPI_INT }, &one);
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, 12 },
                           (MPI_Datatype[]) { MPI_DOUBLE_INT, MPI_INT }, &two);
    MPI_Type_commit(&one);
    MPI_Type_commit(&two);
    if (m.rank > 0)
        v.d = v.i = v.j = 0;
    MPI_Bcast(&v, 1, m.rank % 2 ? one : two, 0, m.comm);
    CHECK(v.d == 0.5 && v.i == 1 && v.j == 2);
    MPI_Type_free(&one);
    MPI_Type_free(&two);
}

/* Without data the type does not matter. */
static void test_nothing(struct me m)
{
    MPI_Datatype types[] = { MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_2INT };
    MPI_Datatype mine = types[m.rank % 4], empty;
    int *none = ints(m.size), *at = ints(m.size), in = 0, out = 0;

    MPI_Type_contiguous(0, MPI_DOUBLE, &empty);
    MPI_Type_commit(&empty);
    for (int i = 0; i < m.size; i++)
        none[i] = at[i] = 0;
    MPI_Bcast(NULL, 0, mine, 0, m.comm);
    MPI_Bcast(&in, m.rank, empty, 0, m.comm);
    MPI_Gather(NULL, 0, mine, NULL, 0, MPI_INT, 0, m.comm);
    MPI_Scatter(NULL, 0, MPI_SHORT, NULL, 0, mine, 0, m.comm);
    MPI_Allgather(&out, 5, empty, &in, 0, mine, m.comm);
    MPI_Alltoall(&out, 0, mine, &in, 7, empty, m.comm);
    MPI_Allgatherv(&out, 0, mine, &in, none, at, mine, m.comm);
    MPI_Alltoallv(&out, none, at, mine, &in, none, at, MPI_CHAR, m.comm);
    MPI_Type_free(&empty);
    free(none);
    free(at);
}

/* A packed message is MPI_PACKED or bytes in one process and ints in another (4.2). */
static void test_packed(struct me m)
{
    int *v = values(0, N, 6), *got = ints(N), len, position = 0;

    MPI_Pack_size(N, MPI_INT, m.comm, &len);
    char *packed = mpitest_memory((size_t) len);
    MPI_Pack(v, N, MPI_INT, packed, len, &position, m.comm);
    if (m.rank == 0)
        MPI_Bcast(packed, position, MPI_PACKED, 0, m.comm);
    else
        MPI_Bcast(got, N, MPI_INT, 0, m.comm);
    if (m.rank > 0)
        check_values(got, 0, N, 6);
    free(packed);
    free(got);
    free(v);
}

static int *volatile garbage = (int *) 8;

/* C01, C03, C09: arguments that are significant only at the root are garbage elsewhere. */
static void test_not_significant(struct me m)
{
    int *all = ints(m.size), mine = m.rank;
    MPI_Datatype none = MPI_DATATYPE_NULL;

    for (int root = 0; root < m.size; root++) {
        if (m.rank == root) {
            int *counts_ = ints(m.size), *displs = ints(m.size);
            for (int i = 0; i < m.size; i++) {
                counts_[i] = 1;
                displs[i] = i;
            }
            all[root] = root;
            MPI_Gather(MPI_IN_PLACE, -1, none, all, 1, MPI_INT, root, m.comm);
            MPI_Gatherv(MPI_IN_PLACE, -1, none, all, counts_, displs, MPI_INT, root, m.comm);
            MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, -1, none, root, m.comm);
            MPI_Scatterv(all, counts_, displs, MPI_INT, MPI_IN_PLACE, -1, none, root, m.comm);
            MPI_Reduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_MAX, root, m.comm);
            CHECK_INT(all[0], m.size - 1 - (root > 0 && root == m.size - 1));
            free(counts_);
            free(displs);
        } else {
            MPI_Gather(&mine, 1, MPI_INT, garbage, -5, none, root, m.comm);
            MPI_Gatherv(&mine, 1, MPI_INT, garbage, garbage, garbage, none, root, m.comm);
            MPI_Scatter(garbage, -5, none, &mine, 1, MPI_INT, root, m.comm);
            MPI_Scatterv(garbage, garbage, garbage, none, &mine, 1, MPI_INT, root, m.comm);
            MPI_Reduce(&mine, garbage, 1, MPI_INT, MPI_MAX, root, m.comm);
        }
        CHECK_INT(mine, m.rank);
    }
    free(all);
}

static void affine_elsewhere(void *in, void *inout, int *len, MPI_Datatype *type)
{
    affine_function(in, inout, len, type);
}

/* C07: the same operation with functions at different addresses, made and freed at different
 * times. */
static void test_user_operations(struct me m)
{
    struct affine *v = affine_values(m.rank, N), *got = mpitest_memory(N * sizeof *got);
    MPI_Datatype type = affine_type();
    MPI_Op op, unused[3];

    for (int i = 0; i < m.rank % 4 && i < 3; i++)
        MPI_Op_create(affine_function, 1, &unused[i]);
    MPI_Op_create(m.rank % 2 ? affine_elsewhere : affine_function, 0, &op);
    MPI_Allreduce(v, got, N, type, op, m.comm);
    affine_check(got, m.size, N);
    MPI_Op_free(&op);
    for (int i = 0; i < m.rank % 4 && i < 3; i++)
        MPI_Op_free(&unused[i]);
    MPI_Type_free(&type);
    free(v);
    free(got);
}

/* Counts that only one sender and one receiver have to agree on. */
static void test_unequal_counts(struct me m)
{
    int *counts_ = ints(m.size), *displs = ints(m.size), room = 0, *v = values(m.rank, N, 2);

    for (int i = 0; i < m.size; i++) {
        counts_[i] = i * 7 % 5;
        displs[i] = room;
        room += counts_[i];
    }
    int *all = ints(room);
    MPI_Allgatherv(v, counts_[m.rank], MPI_INT, all, counts_, displs, MPI_INT, m.comm);
    for (int i = 0; i < m.size; i++)
        check_values(all + displs[i], i, counts_[i], 2);
    MPI_Scatterv(all, counts_, displs, MPI_INT, v, counts_[m.rank], MPI_INT, 0, m.comm);
    check_values(v, m.rank, counts_[m.rank], 2);
    free(counts_);
    free(displs);
    free(all);
    free(v);
}

/* Two communicators, which every other process uses in another order: legal as long as no
 * process waits between the calls. */
static void test_two_orders(struct me m)
{
    MPI_Comm comm[2];
    MPI_Request r[2];
    int sum[2], first = m.rank % 2;

    MPI_Comm_dup(m.comm, &comm[0]);
    MPI_Comm_dup(m.comm, &comm[1]);
    for (int round = 0; round < 10; round++) {
        int one[2] = { round, round + 1 };
        for (int k = 0; k < 2; k++) {
            int c = (first + k) % 2;
            MPI_Iallreduce(&one[c], &sum[c], 1, MPI_INT, MPI_SUM, comm[c], &r[c]);
        }
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        CHECK_INT(sum[0], m.size * round);
        CHECK_INT(sum[1], m.size * (round + 1));
    }
    MPI_Comm_free(&comm[0]);
    MPI_Comm_free(&comm[1]);
}

/* More operations than a counter of 13 bits has values, with the root far ahead of the others,
 * and one operation outstanding all the time. */
static void test_many(struct me m)
{
    int v, sum = -1;
    MPI_Request r;

    MPI_Iallreduce(&m.rank, &sum, 1, MPI_INT, MPI_SUM, m.comm, &r);
    for (int i = 0; i < 9000; i++) {
        v = m.rank == 0 ? i : -1;
        if (i % 3 == 0)
            MPI_Bcast(&v, 1, MPI_INT, 0, m.comm);
        else if (i % 3 == 1)
            MPI_Bcast(NULL, 0, MPI_INT, 0, m.comm);
        else
            MPI_Scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, m.comm);
        if (i % 3 == 0)
            CHECK_INT(v, i);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK_INT(sum, m.size * (m.size - 1) / 2);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    test_types(m);
    test_mixtures(m);
    test_nothing(m);
    test_packed(m);
    test_not_significant(m);
    test_user_operations(m);
    test_unequal_counts(m);
    test_two_orders(m);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    test_many(whoami(MPI_COMM_WORLD));
    MPI_Finalize();
    return 0;
}
