/* scatter.c — MPI_Scatter and MPI_Scatterv: every root, in place, gaps, derived types. */
#include "coll_test.h"

static int *all_values(struct me m, int n, int round)
{
    int *all = ints(m.size * n);

    for (int r = 0; r < m.size; r++)
        for (int i = 0; i < n; i++)
            all[r * n + i] = value(r, i, round);
    return all;
}

/* C01: with MPI_IN_PLACE the root's block stays where it is. */
static void test_scatter(struct me m, int root, int n)
{
    int *all = all_values(m, n, n), *v = ints(n);

    CHECK(MPI_Scatter(m.rank == root ? all : NULL, n, MPI_INT, v, n, MPI_INT, root, m.comm)
          == MPI_SUCCESS);
    check_values(v, m.rank, n, n);
    memset(v, 0, (size_t) n * sizeof *v);
    if (m.rank == root) {
        MPI_Scatter(all, n, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, root, m.comm);
    } else { /* the send arguments are not used */
        MPI_Scatter(NULL, -3, MPI_DATATYPE_NULL, v, n, MPI_INT, root, m.comm);
        check_values(v, m.rank, n, n);
    }
    for (int r = 0; r < m.size; r++)
        check_values(all + r * n, r, n, n);
    free(v);
    free(all);
}

/* C16: some processes use single ints, others a vector. */
static void test_types(struct me m, int root, int n)
{
    MPI_Datatype vector = every_other(n);
    int *all = all_values(m, n, 2), *v = ints(2 * n);

    MPI_Scatter(all, n, MPI_INT, v, 1, vector, root, m.comm);
    for (int i = 0; i < n; i++) {
        CHECK_INT(v[2 * i], value(m.rank, i, 2));
        check_untouched(v + 2 * i + 1, 1);
    }
    MPI_Type_free(&vector);
    free(v);
    free(all);
}

/* C03 */
static void test_scatterv(struct me m, int root, int unit, int in_place)
{
    int *lens = ints(m.size), *displs = ints(m.size), room = 0;

    for (int i = m.size - 1; i >= 0; i--) {
        lens[i] = i % 3 * unit + i % 2;
        displs[i] = room + 2;
        room += lens[i] + 2;
    }
    int mine = lens[m.rank], *v = ints(mine), *all = ints(room);
    for (int r = 0; r < m.size; r++)
        for (int i = 0; i < lens[r]; i++)
            all[displs[r] + i] = value(r, i, 6);
    if (m.rank != root)
        CHECK(MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, v, mine, MPI_INT, root, m.comm)
              == MPI_SUCCESS);
    else
        MPI_Scatterv(all, lens, displs, MPI_INT, in_place ? MPI_IN_PLACE : v, mine, MPI_INT, root,
                     m.comm);
    if (m.rank == root && in_place)
        check_untouched(v, mine);
    else
        check_values(v, m.rank, mine, 6);
    for (int r = 0; r < m.size; r++)
        check_values(all + displs[r], r, lens[r], 6);
    free(all);
    free(v);
    free(displs);
    free(lens);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    for (int root = 0; root < m.size; root++) {
        for (int c = 0; c < COUNTS - 1; c++)
            test_scatter(m, root, counts[c]);
        test_types(m, root, 1);
        test_types(m, root, 50);
        test_types(m, root, 3000);
        for (int in_place = 0; in_place < 2; in_place++) {
            test_scatterv(m, root, 0, in_place);
            test_scatterv(m, root, 3, in_place);
            test_scatterv(m, root, 20000, in_place);
        }
        CHECK(MPI_Scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, comm) == MPI_SUCCESS); /* C12 */
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
