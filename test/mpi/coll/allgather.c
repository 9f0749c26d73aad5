/* allgather.c — MPI_Allgather and MPI_Allgatherv: in place, gaps, derived types. */
#include "coll_test.h"

/* C01 */
static void test_allgather(struct me m, int n)
{
    int *v = values(m.rank, n, n), *all = ints(m.size * n);

    CHECK(MPI_Allgather(v, n, MPI_INT, all, n, MPI_INT, m.comm) == MPI_SUCCESS);
    for (int r = 0; r < m.size; r++)
        check_values(all + r * n, r, n, n);
    memset(all, 0, (size_t) (m.size * n) * sizeof *all);
    memcpy(all + m.rank * n, v, (size_t) n * sizeof *all);
    MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, n, MPI_INT, m.comm);
    for (int r = 0; r < m.size; r++)
        check_values(all + r * n, r, n, n);
    free(all);
    free(v);
}

/* C16: some send a vector, some receive vectors. */
static void test_types(struct me m, int n)
{
    MPI_Datatype vector = every_other(n);
    int *v = ints(2 * n), *all = ints(m.size * 2 * n);

    for (int i = 0; i < n; i++)
        v[2 * i] = value(m.rank, i, 2);
    MPI_Allgather(v, 1, vector, all, n, MPI_INT, m.comm);
    for (int r = 0; r < m.size; r++)
        check_values(all + r * n, r, n, 2);

    memset(all, 0xa5, (size_t) (m.size * 2 * n) * sizeof *all);
    if (m.rank % 2) {
        MPI_Allgather(v, 1, vector, all, n, MPI_INT, m.comm);
        for (int r = 0; r < m.size; r++)
            check_values(all + r * n, r, n, 2);
    } else { /* a vector's extent ends with its last block */
        MPI_Allgather(v, 1, vector, all, 1, vector, m.comm);
        for (int r = 0; r < m.size; r++)
            for (int i = 0; i < n; i++)
                CHECK_INT(all[r * (2 * n - 1) + 2 * i], value(r, i, 2));
        for (int i = 0; i < n - 1; i++)
            check_untouched(all + 2 * i + 1, 1);
    }
    MPI_Type_free(&vector);
    free(all);
    free(v);
}

/* C03 */
static void test_allgatherv(struct me m, int unit, int in_place)
{
    int *lens = ints(m.size), *displs = ints(m.size), room = 0;

    for (int i = m.size - 1; i >= 0; i--) {
        lens[i] = i % 3 * unit + i % 2;
        displs[i] = room + 2;
        room += lens[i] + 2;
    }
    int mine = lens[m.rank], *v = values(m.rank, mine, 6), *all = ints(room);
    if (in_place)
        memcpy(all + displs[m.rank], v, (size_t) mine * sizeof *v);
    CHECK(MPI_Allgatherv(in_place ? MPI_IN_PLACE : v, mine, MPI_INT, all, lens, displs, MPI_INT,
                         m.comm)
          == MPI_SUCCESS);
    for (int i = 0; i < m.size; i++) {
        check_values(all + displs[i], i, lens[i], 6);
        check_untouched(all + displs[i] - 2, 2);
    }
    free(all);
    free(v);
    free(displs);
    free(lens);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    for (int c = 0; c < COUNTS - 1; c++)
        test_allgather(m, counts[c]);
    test_types(m, 1);
    test_types(m, 50);
    test_types(m, 6000);
    for (int in_place = 0; in_place < 2; in_place++) {
        test_allgatherv(m, 0, in_place);
        test_allgatherv(m, 3, in_place);
        test_allgatherv(m, 20000, in_place);
    }
    CHECK(MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm) == MPI_SUCCESS); /* C12 */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
