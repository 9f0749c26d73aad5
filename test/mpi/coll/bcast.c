/* bcast.c — MPI_Bcast: every root, every size, derived types, zero counts. */
#include "coll_test.h"

static void test_ints(struct me m, int root, int n)
{
    int *v = m.rank == root ? values(root, n, n) : ints(n);

    CHECK(MPI_Bcast(v, n, MPI_INT, root, m.comm) == MPI_SUCCESS);
    check_values(v, root, n, n);
    free(v);
}

/* C16: the root may have another type and count when the type signature is the same. */
static void test_unlike_types(struct me m, int root, int n)
{
    MPI_Datatype vector = every_other(n);
    int *v = ints(2 * n + 1);

    if (m.rank == root)
        for (int i = 0; i < n; i++)
            v[2 * i] = value(root, i, 1);
    if (m.rank == root || m.rank % 2) {
        MPI_Bcast(v, 1, vector, root, m.comm);
        for (int i = 0; i < n; i++) {
            CHECK_INT(v[2 * i], value(root, i, 1));
            check_untouched(v + 2 * i + 1, 1);
        }
    } else {
        MPI_Bcast(v, n, MPI_INT, root, m.comm);
        check_values(v, root, n, 1);
        check_untouched(v + n, n + 1);
    }
    MPI_Type_free(&vector);
    free(v);
}

/* C12, P09 */
static void test_nothing(struct me m, int root)
{
    MPI_Datatype vector = every_other(0);

    CHECK(MPI_Bcast(NULL, 0, MPI_INT, root, m.comm) == MPI_SUCCESS);
    CHECK(MPI_Bcast(NULL, 7, vector, root, m.comm) == MPI_SUCCESS);
    MPI_Type_free(&vector);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    for (int root = 0; root < m.size; root++) {
        for (int c = 0; c < COUNTS; c++)
            test_ints(m, root, counts[c]);
        test_unlike_types(m, root, 1);
        test_unlike_types(m, root, 100);
        test_unlike_types(m, root, 50000);
        test_nothing(m, root);
    }
}

/* Enough chunks to fill a pipeline. */
static void test_long(struct me m)
{
    test_ints(m, m.size - 1, 1500001);
    test_unlike_types(m, 0, 1500001);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    test_long(whoami(MPI_COMM_WORLD));
    MPI_Finalize();
    return 0;
}
