/* empty.c — C12: every collective operation in every form without data and without buffers; also
 * on one process.
 *
 * MPICH 4.0 fails: MPI_Alltoallv wants buffers for no data. */
#include "every.h"

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);
    MPI_Comm ring = every_ring(m);
    struct every e = every_make(m, ring, 0);

    for (int op = 0; op < EVERY; op++) {
        MPI_Request r[2];
        MPI_Status status[2];
        CHECK(every_call(&e, op, BLOCKING, NULL) == MPI_SUCCESS);
        CHECK(every_call(&e, op, NONBLOCKING, &r[0]) == MPI_SUCCESS);
        CHECK(every_call(&e, op, PERSISTENT, &r[1]) == MPI_SUCCESS);
        CHECK(MPI_Start(&r[1]) == MPI_SUCCESS);
        CHECK(MPI_Waitall(2, r, status) == MPI_SUCCESS);
        CHECK(r[0] == MPI_REQUEST_NULL && r[1] != MPI_REQUEST_NULL);
        CHECK(MPI_Request_free(&r[1]) == MPI_SUCCESS);
    }
    every_free(&e);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
