/* gpu_query_support.c — memory of GPUs is not supported: what programs ask. */
#include "mpi/mpir.h"

/* Sets *is_supported to whether buffers may be in the memory of GPUs of this type, one of
 * MPIX_GPU_SUPPORT_CUDA, _ZE and _HIP: 0. MPICH's.
 * Errors: MPI_ERR_ARG. */
int PMPIX_GPU_query_support(int gpu_type, int *is_supported)
{
    ENTER("MPIX_GPU_query_support", gpu_type, is_supported);

    TRY(gpu_type >= MPIX_GPU_SUPPORT_CUDA && gpu_type <= MPIX_GPU_SUPPORT_HIP
            ? MPI_SUCCESS
            : mpir_error(MPI_ERR_ARG, "gpu_type %d is no type of a GPU", gpu_type));
    TRY(mpir_out_arg(is_supported, "is_supported"));
    *is_supported = 0;
    return mpir_leave(&call);
}
MPIR_WEAK_X(GPU_query_support);

/* Returns whether buffers may be in the memory of GPUs of CUDA: 0. It may be called at any time.
 * Open MPI's and MPICH's. */
int PMPIX_Query_cuda_support(void) { return 0; }
MPIR_WEAK_X(Query_cuda_support);
