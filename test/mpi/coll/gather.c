/* gather.c — MPI_Gather and MPI_Gatherv: every root, in place, gaps, derived types. */
#include "coll_test.h"

static void check_blocks(const int *all, struct me m, int n, int round)
{
    for (int i = 0; i < m.size; i++)
        check_values(all + (size_t) i * (size_t) n, i, n, round);
}

/* C01: with MPI_IN_PLACE the root's block is in its place already. */
static void test_gather(struct me m, int root, int n)
{
    int *v = values(m.rank, n, n), *all = ints(m.size * n);

    CHECK(MPI_Gather(v, n, MPI_INT, m.rank == root ? all : NULL, n, MPI_INT, root, m.comm)
          == MPI_SUCCESS);
    if (m.rank == root)
        check_blocks(all, m, n, n);
    else
        check_untouched(all, m.size * n);

    if (m.rank == root) {
        memset(all, 0, (size_t) (m.size * n) * sizeof *all);
        memcpy(all + root * n, v, (size_t) n * sizeof *all);
        MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, n, MPI_INT, root, m.comm);
        check_blocks(all, m, n, n);
    } else { /* the receive arguments are not used */
        MPI_Gather(v, n, MPI_INT, NULL, -5, MPI_DATATYPE_NULL, root, m.comm);
    }
    free(all);
    free(v);
}

/* C16: some processes use a vector, others single ints. */
static void test_types(struct me m, int root, int n)
{
    MPI_Datatype vector = every_other(n);
    int *v = ints(2 * n), *all = ints(m.size * 2 * n);

    for (int i = 0; i < n; i++)
        v[2 * i] = value(m.rank, i, 2);
    MPI_Gather(v, 1, vector, all, n, MPI_INT, root, m.comm);
    if (m.rank == root)
        check_blocks(all, m, n, 2);
    for (int i = 0; i < n; i++)
        v[i] = value(m.rank, i, 4);
    memset(all, 0xa5, (size_t) (m.size * 2 * n) * sizeof *all);
    MPI_Gather(v, n, MPI_INT, all, 1, vector, root, m.comm);
    for (int r = 0; r < m.size && m.rank == root; r++)
        for (int i = 0; i < n; i++) {
            const int *at = all + r * (2 * n - 1) + 2 * i; /* a vector ends with its last block */
            CHECK_INT(at[0], value(r, i, 4));
            if (i < n - 1)
                check_untouched(at + 1, 1);
        }
    MPI_Type_free(&vector);
    free(all);
    free(v);
}

/* C03: blocks of any size, in reverse order, with gaps that must not change. */
static void test_gatherv(struct me m, int root, int unit, int in_place)
{
    int *lens = ints(m.size), *displs = ints(m.size), room = 0;

    for (int i = m.size - 1; i >= 0; i--) {
        lens[i] = i % 3 * unit + i % 2;
        displs[i] = room + 2;
        room += lens[i] + 2;
    }
    int mine = lens[m.rank], *v = values(m.rank, mine, 6), *all = ints(room);
    if (m.rank != root) {
        CHECK(MPI_Gatherv(v, mine, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, m.comm)
              == MPI_SUCCESS);
    } else {
        if (in_place)
            memcpy(all + displs[root], v, (size_t) mine * sizeof *v);
        MPI_Gatherv(in_place ? MPI_IN_PLACE : v, mine, MPI_INT, all, lens, displs, MPI_INT, root,
                    m.comm);
        for (int i = 0; i < m.size; i++) {
            check_values(all + displs[i], i, lens[i], 6);
            check_untouched(all + displs[i] - 2, 2);
        }
    }
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
            test_gather(m, root, counts[c]);
        test_types(m, root, 1);
        test_types(m, root, 50);
        test_types(m, root, 3000);
        for (int in_place = 0; in_place < 2; in_place++) {
            test_gatherv(m, root, 0, in_place);
            test_gatherv(m, root, 3, in_place);
            test_gatherv(m, root, 20000, in_place);
        }
        CHECK(MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, comm) == MPI_SUCCESS); /* C12 */
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
