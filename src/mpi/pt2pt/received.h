/* received.h — the length of the message in a status. */
#ifndef RECEIVED_H
#define RECEIVED_H

#include <stdint.h>
#include "mpi/mpir.h"

/* Checks a status that is read or set: neither NULL nor MPI_STATUS_IGNORE. */
static inline int mpir_status_arg(const MPI_Status *status)
{
    if (!status || status == MPI_STATUS_IGNORE)
        return mpir_error(MPI_ERR_ARG, "status is %s", status ? "MPI_STATUS_IGNORE" : "NULL");
    return MPI_SUCCESS;
}

/* In bytes. Bit 0 of count_hi_and_cancelled is the cancelled flag (binary interface of MPICH). */
static inline uint64_t mpir_status_len(const MPI_Status *status)
{
    uint64_t high = (uint32_t) status->count_hi_and_cancelled >> 1;

    return high << 32 | (uint32_t) status->count_lo;
}

static inline void mpir_status_set_len(MPI_Status *status, uint64_t len)
{
    unsigned cancelled = (unsigned) status->count_hi_and_cancelled & 1;

    status->count_lo = (int) (uint32_t) len;
    status->count_hi_and_cancelled = (int) ((uint32_t) (len >> 32 << 1) | cancelled);
}

#endif /* RECEIVED_H */
