/* to_come.c — programs that name functions which are still to come link and run, and those are
 * errors. Also extensions that programs ask for.
 *
 * MPICH 4.0 fails: it has those functions. */
#include <mpi-ext.h>
#include "mpitest.h"

#if !defined(MPIO_Request) || !defined(MPIO_USES_MPI_REQUEST) || !defined(PMPIO_Wait)              \
    || !defined(MPIX_CUDA_AWARE_SUPPORT) || !defined(MPIX_ROCM_AWARE_SUPPORT)
#error "names of mpi.h or mpi-ext.h"
#endif
_Static_assert(!MPIX_CUDA_AWARE_SUPPORT && !MPIX_ROCM_AWARE_SUPPORT, "no memory of GPUs");

static void others(void)
{
    int level, yes = 7;
    MPI_Fint f[MPI_F_STATUS_SIZE];
    MPI_Status s = { .MPI_SOURCE = 11, .MPI_TAG = 12, .MPI_ERROR = 13 };

    CHECK_INT(MPI_T_init_thread(MPI_THREAD_SINGLE, &level), MPI_T_ERR_CANNOT_INIT);
    CHECK_INT(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    CHECK_INT(MPIX_Query_cuda_support(), 0);
    for (int i = 0; i < 3; i++, yes = 7) {
        const int gpus[] = { MPIX_GPU_SUPPORT_CUDA, MPIX_GPU_SUPPORT_ZE, MPIX_GPU_SUPPORT_HIP };
        CHECK_INT(MPIX_GPU_query_support(gpus[i], &yes), MPI_SUCCESS);
        CHECK_INT(yes, 0);
    }
    CHECK(MPIX_GPU_query_support(77, &yes) != MPI_SUCCESS);
    CHECK_INT(MPI_Status_c2f(&s, f), MPI_SUCCESS);
    CHECK(f[MPI_F_SOURCE] == 11 && f[MPI_F_TAG] == 12 && f[MPI_F_ERROR] == 13);
}

/* Names of MPI-IO before it was in MPI. */
static void old_names(void)
{
    MPIO_Request r[2];
    int done = 0;

    for (int i = 0; i < 2; i++)
        CHECK_INT(MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[i]),
                  MPI_SUCCESS);
    CHECK_INT(MPIO_Test(&r[0], &done, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(PMPIO_Wait(&r[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(MPIO_Wait(&r[1], MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK(done && r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    others();
    old_names();
    MPI_Finalize();
    return 0;
}
