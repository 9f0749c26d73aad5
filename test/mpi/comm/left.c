/* left.c — G08: communicators of all kinds that are not freed at MPI_Finalize. */
#include "model.h"

int main(int argc, char **argv)
{
    MPI_Comm dup, half, inter, again, merged;
    int size, me;

    setenv("STARLING_CHECK_LEAKS", "no", 1); /* it leaves objects on purpose */
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(dup, me % 2, -me, &half);
    MPI_Barrier(half);
    if (size > 1) {
        inter = model_inter(size, 1, 0);
        MPI_Comm_dup(inter, &again);
        MPI_Intercomm_merge(again, 1, &merged);
        MPI_Comm_free(&again);
        MPI_Barrier(merged);
    }
    MPI_Finalize();
    return 0;
}
