/* iov.h — copying between contiguous bytes and the memory of a dev_send or dev_target. */
#ifndef IOV_H
#define IOV_H

#include <string.h>
#include "devices/device.h"

enum iov_way { IOV_GATHER, IOV_SCATTER };

/* Copies len bytes between flat and the bytes from offset on in iov, as far as iov reaches.
 * Returns how many were copied. */
static inline size_t iov_copy(enum iov_way way, const struct iovec *iov, int n, size_t offset,
                              void *flat, size_t len)
{
    size_t done = 0;

    for (int i = 0; i < n && done < len; i++) {
        if (offset >= iov[i].iov_len) {
            offset -= iov[i].iov_len;
            continue;
        }
        size_t rest = iov[i].iov_len - offset, some = rest < len - done ? rest : len - done;
        char *piece = (char *) iov[i].iov_base + offset;
        if (way == IOV_GATHER)
            memcpy((char *) flat + done, piece, some);
        else
            memcpy(piece, (char *) flat + done, some);
        done += some;
        offset = 0;
    }
    return done;
}

/* Copies len bytes of an op's payload, from byte `at` on. */
static inline void iov_gather(const struct dev_send *op, size_t at, void *to, size_t len)
{
    if (op->memory)
        op->memory->gather(op->memory, at, to, len);
    else
        (void) iov_copy(IOV_GATHER, op->iov, op->iovcnt, at, to, len);
}

/* Copies len bytes of a payload, from byte `at` on, into a target. What it cannot hold is
 * dropped. */
static inline void iov_scatter(const struct dev_target *target, size_t at, const void *from,
                               size_t len)
{
    if (target->memory)
        target->memory->scatter(target->memory, at, from, len);
    else
        (void) iov_copy(IOV_SCATTER, target->iov, target->iovcnt, at, (void *) (uintptr_t) from,
                        len);
}

#endif /* IOV_H */
