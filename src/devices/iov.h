/* iov.h — copying between contiguous bytes and the pieces of a dev_send or dev_sink. */
#ifndef IOV_H
#define IOV_H

#include <string.h>
#include "device.h"

enum iov_way { IOV_GATHER, IOV_SCATTER };

/* Copies len bytes at offset in the pieces, as far as they reach; returns how many. */
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

#endif /* IOV_H */
