/* mpi-ext.h — what programs for Open MPI include for its extensions: all is in mpi.h. Memory of GPUs
 * is not supported. */
#ifndef MPI_EXT_H
#define MPI_EXT_H

#include "mpi.h"

#define MPIX_CUDA_AWARE_SUPPORT 0
#define MPIX_ROCM_AWARE_SUPPORT 0

#endif /* MPI_EXT_H */
