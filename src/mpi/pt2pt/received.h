/* received.h — what a status says of its message's length. */
#ifndef RECEIVED_H
#define RECEIVED_H

#include <stdint.h>
#include "mpir.h"

/* The status of an inquiry: neither NULL nor MPI_STATUS_IGNORE. */
static inline int mpir_status_arg(const MPI_Status *status)
{
    if (!status || status == MPI_STATUS_IGNORE)
        return mpir_error(MPI_ERR_ARG, "%s for status", status ? "MPI_STATUS_IGNORE" : "null");
    return MPI_SUCCESS;
}

/* Bytes; bit 0 of count_hi_and_cancelled is another matter (MPICH's binary interface). */
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

/* A count as int functions give it. */
static inline int mpir_count_int(uint64_t count)
{
    return count > INT32_MAX ? MPI_UNDEFINED : (int) count;
}

#endif /* RECEIVED_H */
