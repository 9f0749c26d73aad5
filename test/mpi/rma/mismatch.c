/* mismatch.c — a process in MPI_Win_fence against others in MPI_Win_free: at least one process gets
 * an error that shows both calls, none hangs, and the window is gone afterwards.
 *
 * Only for Starling: other libraries hang. */
#include "rma_test.h"

int main(int argc, char **argv)
{
    char text[MPI_MAX_ERROR_STRING];
    int memory = 0, rank, size, len, seen, any;
    MPI_Win w;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
    int err = rank == size - 1 ? MPI_Win_fence(0, w) : MPI_Win_free(&w);
    MPI_Error_string(err, text, &len);
    seen = err && strstr(text, "MPI_Win_fence()") && strstr(text, "MPI_Win_free()");
    if (w != MPI_WIN_NULL)
        (void) MPI_Win_free(&w);
    CHECK(w == MPI_WIN_NULL);
    MPI_Allreduce(&seen, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    CHECK(any);
    MPI_Finalize();
    return 0;
}
