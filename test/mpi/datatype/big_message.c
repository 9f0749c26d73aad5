/* big_message.c — D14, P07: messages of more than 2^31 bytes of derived types, and what a status
 * says of them. The receiver needs 2.3 GB; the sender's pages are read only, but for a few. */
#include <sys/mman.h>
#include "mpitest.h"

enum { MIB = 1 << 20, PIECES = 2200, STEP = MIB + 4096 }; /* 2^31 bytes are 2048 pieces */

static char *space(void)
{
    char *p = mmap(NULL, (size_t) PIECES * STEP, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(p != MAP_FAILED);
    return p;
}

/* One long in each piece, at a place that moves through it. */
static long *mark(char *buf, int piece, MPI_Aint step)
{
    return (long *) (void *) (buf + piece * step) + piece * 37 % (MIB / 8);
}

static void transfer(int rank, int count, MPI_Datatype type, MPI_Aint step)
{
    char *buf = space();
    MPI_Status status;
    MPI_Count elements = -1;
    int n = -1;

    for (int i = 0; rank == 0 && i < PIECES; i++)
        *mark(buf, i, step) = i + 1;
    if (rank == 0) {
        CHECK(MPI_Send(buf, count, type, 1, 1, MPI_COMM_WORLD) == MPI_SUCCESS);
    } else {
        CHECK(MPI_Recv(buf, count, type, 0, 1, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
        for (int i = 0; i < PIECES; i++)
            CHECK_INT(*mark(buf, i, step), i + 1);
        MPI_Get_count(&status, type, &n);
        CHECK_INT(n, count);
        MPI_Get_count(&status, MPI_BYTE, &n);
        CHECK_INT(n, MPI_UNDEFINED);
        MPI_Get_elements_x(&status, type, &elements);
        CHECK_INT(elements, PIECES * (MIB / 8LL));
    }
    munmap(buf, (size_t) PIECES * STEP);
}

int main(int argc, char **argv)
{
    MPI_Datatype piece, spread, all;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(MIB / 8, MPI_LONG, &piece);
    MPI_Type_create_resized(piece, 0, STEP, &spread);
    MPI_Type_create_hvector(PIECES, 1, STEP, piece, &all);
    MPI_Type_commit(&piece);
    MPI_Type_commit(&spread);
    MPI_Type_commit(&all);
    transfer(rank, PIECES, piece, MIB);   /* many of a contiguous type */
    transfer(rank, PIECES, spread, STEP); /* many with holes */
    transfer(rank, 1, all, STEP);         /* one */
    MPI_Type_free(&piece);
    MPI_Type_free(&spread);
    MPI_Type_free(&all);
    MPI_Finalize();
    return 0;
}
