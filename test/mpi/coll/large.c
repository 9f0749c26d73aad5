/* large.c — messages of more than 2^31 bytes, more than an int can count. Needs 2.2 GB for each
 * rank. */
#include "coll_test.h"

enum { MIB = 1 << 20, PIECES = 2050 }; /* 2^31 bytes are 2048 pieces of a MiB */

/* One int in each piece, at an offset that changes from piece to piece. */
static int *mark(char *buf, int piece)
{
    return (int *) (void *) (buf + (size_t) piece * MIB) + piece * 37 % (MIB / 4);
}

static void test_bcast(char *buf, int rank, MPI_Datatype mib)
{
    for (int i = 0; i < PIECES; i++)
        *mark(buf, i) = rank == 0 ? value(0, i, 0) : -1;
    CHECK(MPI_Bcast(buf, PIECES, mib, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int i = 0; i < PIECES; i++)
        CHECK_INT(*mark(buf, i), value(0, i, 0));
}

/* With three or more ranks the last block begins at an offset that no int can hold. */
static void test_allgather(char *buf, int rank, int size, MPI_Datatype mib)
{
    int n = PIECES / size;

    for (int i = 0; i < n * size; i++)
        *mark(buf, i) = i / n == rank ? value(rank, i, 1) : -1;
    CHECK(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, buf, n, mib, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int i = 0; i < n * size; i++)
        CHECK_INT(*mark(buf, i), value(i / n, i, 1));
}

int main(int argc, char **argv)
{
    MPI_Datatype mib;

    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    char *buf = malloc((size_t) PIECES * MIB);
    CHECK(buf);
    MPI_Type_contiguous(MIB, MPI_BYTE, &mib);
    MPI_Type_commit(&mib);
    test_bcast(buf, m.rank, mib);
    test_allgather(buf, m.rank, m.size, mib);
    MPI_Type_free(&mib);
    free(buf);
    MPI_Finalize();
    return 0;
}
