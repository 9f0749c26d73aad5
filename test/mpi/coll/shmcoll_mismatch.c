/* shmcoll_mismatch.c — processes of one node that call different operations get errors, and none
 * of them hangs, also not in the next operation. */
#include "coll_test.h"

enum { WAYS = 6 };

static int call(int which, MPI_Comm comm)
{
    int v = 1, all[64] = { 0 };

    switch (which) {
    case 0:
        return MPI_Barrier(comm);
    case 1:
        return MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_INT, MPI_SUM, comm);
    case 2:
        return MPI_Bcast(&v, 1, MPI_INT, 0, comm);
    case 3:
        return MPI_Gather(&v, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
    case 4:
        return MPI_Allgather(&v, 1, MPI_INT, all, 1, MPI_INT, comm);
    default:
        return MPI_Scatter(all, 1, MPI_INT, &v, 1, MPI_INT, 0, comm);
    }
}

/* A process that only publishes data may learn of the difference later, in an operation with a
 * barrier. */
static void differ(int first, int others)
{
    MPI_Comm c;

    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    struct me m = whoami(c);
    CHECK(MPI_Barrier(c) == MPI_SUCCESS);
    int err = call(m.rank ? others : first, c);
    CHECK(err != MPI_SUCCESS || MPI_Barrier(c) != MPI_SUCCESS);
    CHECK(MPI_Barrier(c) != MPI_SUCCESS);
    MPI_Comm_free(&c);
}

/* The others give less than the root, by a number of bytes that the signature does not show;
 * sometimes only the root has to make room in its ring. */
static void less_than_root(int before)
{
    enum { ROOTS = 4500, OTHERS = 3900, USUAL = 4200 };
    static char data[ROOTS];
    MPI_Comm c;

    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    struct me m = whoami(c);
    CHECK(MPI_Barrier(c) == MPI_SUCCESS);
    int err = MPI_SUCCESS; /* the errors of the calls before count, too: others may be ahead of
                            * this process */
    for (int i = 0; i < before; i++)
        err |= MPI_Bcast(data, USUAL, MPI_BYTE, 0, c);
    err |= MPI_Bcast(data, m.rank ? OTHERS : ROOTS, MPI_BYTE, 0, c);
    CHECK(m.rank == 0 || err != MPI_SUCCESS);
    (void) MPI_Barrier(c);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int before = 8; before < 13; before++)
        less_than_root(before);
    for (int first = 0; first < WAYS; first++)
        for (int others = 0; others < WAYS; others++)
            if (first != others)
                differ(first, others);
    MPI_Finalize();
    return 0;
}
