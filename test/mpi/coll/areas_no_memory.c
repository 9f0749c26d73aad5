/* areas_no_memory.c — a process has no memory for its part in an area that the others have: all get
 * that error, and none of them waits for ever. */
#include <stdbool.h>
#include "coll_test.h"

static bool fails;

void *__real_malloc(size_t len);
void *__wrap_malloc(size_t len);

void *__wrap_malloc(size_t len)
{
    bool now = fails;

    fails = false;
    return now ? NULL : __real_malloc(len);
}

int main(int argc, char **argv)
{
    MPI_Comm c;
    int class;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    fails = whoami(c).rank == 1;
    MPI_Error_class(MPI_Barrier(c), &class);
    CHECK_INT(class, MPI_ERR_NO_MEM);
    CHECK(MPI_Barrier(c) != MPI_SUCCESS);
    MPI_Comm_free(&c);
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
