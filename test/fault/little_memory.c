/* little_memory.c — asks for memory of windows that there is not, and goes on without it.
 *
 * Usage: little_memory MIB
 *
 * Each process asks for that much, and prints the class of the error and its text. */
#include "mpitest.h"

static int rank, size;

static void say(const char *call, int err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int class, len;

    MPI_Error_class(err, &class);
    if (err)
        MPI_Error_string(err, text, &len);
    CHECK(class == MPI_SUCCESS || class == MPI_ERR_NO_MEM);
    printf("rank %d: %s: %s %s\n", rank, call, class ? "no memory:" : "done", text);
    fflush(stdout);
}

static void window(MPI_Aint len)
{
    MPI_Win w = MPI_WIN_NULL;
    char *at = NULL;
    int err = MPI_Win_allocate(len, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &w);

    say("MPI_Win_allocate", err);
    if (!err) {
        memset(at, 1, (size_t) len);
        MPI_Win_free(&w);
    }
    CHECK(w == MPI_WIN_NULL);
}

/* One process at a time: together they might be more than each alone. */
static void area(MPI_Aint len)
{
    MPI_Info info;
    char *at = NULL;

    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shm", "true");
    for (int r = 0; r < size; r++) {
        int err = r == rank ? MPI_Alloc_mem(len, info, &at) : MPI_SUCCESS;
        if (r == rank)
            say("MPI_Alloc_mem", err);
        if (at) {
            memset(at, 1, (size_t) len);
            MPI_Free_mem(at);
            at = NULL;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Aint len = argc > 1 ? (MPI_Aint) atoi(argv[1]) << 20 : 0;
    window(len);
    area(len);
    window(8);
    MPI_Finalize();
    return 0;
}
