/* bsend_zero.c — P13: a buffer of no bytes may be attached, replaces no other one, and has room for
 * no message.
 *
 * MPICH 4.0 fails: it wants room for one header. */
#include "../env/starling.h"
#include "buffered.h"

enum { LEN = 200000 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char *out = mpitest_memory(LEN), room[8];
    for (int i = 0; i < 3; i++) {
        CHECK_INT(MPI_Buffer_attach(room + i, 0), MPI_SUCCESS);
        CHECK_INT(error_class(MPI_Buffer_attach(out, LEN)), MPI_ERR_BUFFER);
        for (int way = 0; way < BUFFERED_WAYS; way++)
            CHECK_INT(error_class(buffered_send((enum buffered_way) way, out, LEN, MPI_BYTE, 0, 0,
                                                MPI_COMM_WORLD)),
                      MPI_ERR_BUFFER);
        CHECK_INT(MPI_Bsend(out, LEN, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_SUCCESS);
        buffered_detach(room + i, 0);
    }
    free(out);
    MPI_Finalize();
    return 0;
}
