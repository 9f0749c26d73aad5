/* overlap.c — G10: two groups with a common process, whose threads call for both, are an error in
 * all of them, and no process hangs. Only for Starling: others need not find out. */
#include "../comm/model.h"
#include "../env/starling.h"
#include "threads.h"

static MPI_Comm both[2]; /* processes 0 and 1; 2 and 1 */

static void *connect(void *arg)
{
    int side = (int) (intptr_t) arg;
    MPI_Comm made = MPI_COMM_SELF;

    if (both[side] == MPI_COMM_NULL)
        return NULL;
    int err = MPI_Intercomm_create(both[side], 0, MPI_COMM_WORLD, side ? 0 : 2, 7, &made);
    CHECK_INT(error_class(err), MPI_ERR_COMM);
    CHECK(made == MPI_COMM_NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    int me;

    threads_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    me = model_process();
    MPI_Comm_split(MPI_COMM_WORLD, me < 2 ? 0 : MPI_UNDEFINED, me, &both[0]);
    MPI_Comm_split(MPI_COMM_WORLD, me == 1 || me == 2 ? 0 : MPI_UNDEFINED, -me, &both[1]);
    for (int i = 0; i < 10; i++)
        threads_run(2, connect);
    for (int i = 0; i < 2; i++)
        if (both[i] != MPI_COMM_NULL)
            MPI_Comm_free(&both[i]);
    MPI_Finalize();
    return 0;
}
