/* memory_wrong.c — E09: more memory than there is, and addresses that are not from MPI_Alloc_mem,
 * are errors; large memory is aligned to pages, and all as an info key asks.
 *
 * MPICH 4.0 fails: it frees any address, and gives NULL for memory that it does not have. */
#include <limits.h>
#include <stdint.h>
#include "../env/starling.h"

enum { N = 300 };

/* The info key of MPI-4 that MPI_Alloc_mem and windows share: more than a line and than a page. */
static void alignment(void)
{
    static const char *const align[] = { "1", "8", "128", "65536", "4194304" };
    char *memory[6];
    MPI_Info info;

    MPI_Info_create(&info);
    for (int i = 0; i < 5; i++) {
        MPI_Info_set(info, "mpi_minimum_memory_alignment", align[i]);
        CHECK_INT(MPI_Alloc_mem(100, info, &memory[i]), MPI_SUCCESS);
        CHECK((uintptr_t) memory[i] % strtoul(align[i], NULL, 10) == 0);
    }
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "12");
    CHECK_INT(error_class(MPI_Alloc_mem(100, info, &memory[0] + 5)), MPI_ERR_INFO_VALUE);
    for (int i = 0; i < 5; i++)
        CHECK_INT(MPI_Free_mem(memory[i]), MPI_SUCCESS);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    static const int wrong[] = { 1, 64, 4096 };
    char *p = NULL, *many[N], stack[8], *heap = mpitest_memory(100);

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Alloc_mem(LONG_MAX, MPI_INFO_NULL, &p)), MPI_ERR_NO_MEM);
    CHECK_INT(error_class(MPI_Alloc_mem(-1, MPI_INFO_NULL, &p)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Alloc_mem(1, MPI_INFO_NULL, NULL)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Alloc_mem(1, (MPI_Info) MPI_COMM_WORLD, &p)), MPI_ERR_INFO);
    CHECK(p == NULL);

    CHECK_INT(MPI_Free_mem(NULL), MPI_SUCCESS);
    CHECK_INT(error_class(MPI_Free_mem(stack)), MPI_ERR_BASE);
    CHECK_INT(error_class(MPI_Free_mem(heap)), MPI_ERR_BASE);
    free(heap);
    CHECK_INT(MPI_Alloc_mem(10000, MPI_INFO_NULL, &p), MPI_SUCCESS);
    CHECK((uintptr_t) p % 4096 == 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(error_class(MPI_Free_mem(p + wrong[i])), MPI_ERR_BASE);
    CHECK_INT(MPI_Free_mem(p), MPI_SUCCESS);
    CHECK_INT(error_class(MPI_Free_mem(p)), MPI_ERR_BASE);

    for (int i = 0; i < N; i++) {
        CHECK_INT(MPI_Alloc_mem(i % 5, MPI_INFO_NULL, &many[i]), MPI_SUCCESS);
        CHECK((uintptr_t) many[i] % 64 == 0);
    }
    for (int i = 0; i < N; i++)
        CHECK_INT(MPI_Free_mem(many[(i * 7 + 5) % N]), MPI_SUCCESS);
    alignment();
    MPI_Finalize();
    return 0;
}
