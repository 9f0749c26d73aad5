/* kernel.c — loops that copy many short blocks, with a loop for each length that is common. */
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

enum { FAR = 512 }; /* bytes */

#define ALWAYS static inline __attribute__((always_inline))

static bool is_far(MPI_Aint stride) { return stride >= FAR || stride <= -FAR; }

/* Copies blocks of a constant length, four in each round: so an address does not depend on the
 * one just before. Where each block is in a cache line or a page of its own, memory is the limit
 * and the plain loop is faster. */
ALWAYS void blocks_copy_fixed(struct copies c, size_t len)
{
    bool four = len <= 32 && !is_far(c.to_stride) && !is_far(c.from_stride);
    const MPI_Aint to2 = 2 * c.to_stride, to3 = 3 * c.to_stride;
    const MPI_Aint from2 = 2 * c.from_stride, from3 = 3 * c.from_stride;

    for (; c.n >= 4 && four; c.n -= 4) {
        memcpy(c.to, c.from, len);
        memcpy(c.to + c.to_stride, c.from + c.from_stride, len);
        memcpy(c.to + to2, c.from + from2, len);
        memcpy(c.to + to3, c.from + from3, len);
        c.to += 4 * c.to_stride;
        c.from += 4 * c.from_stride;
    }
    for (; c.n; c.n--, c.to += c.to_stride, c.from += c.from_stride)
        memcpy(c.to, c.from, len);
}

/* Copies each block by moves of size bytes; the last move ends where the block does. */
ALWAYS void blocks_copy_moves(struct copies c, size_t len, size_t size)
{
    for (; c.n; c.n--, c.to += c.to_stride, c.from += c.from_stride) {
        for (size_t i = 0; i + size < len; i += size)
            memcpy(c.to + i, c.from + i, size);
        memcpy(c.to + len - size, c.from + len - size, size);
    }
}

#define EXACTLY(size)                                                                              \
    case size:                                                                                     \
        blocks_copy_fixed(c, size);                                                                \
        return

void copy_strided(struct copies c, size_t len)
{
    switch (len) {
        EXACTLY(1);
        EXACTLY(2);
        EXACTLY(3);
        EXACTLY(4);
        EXACTLY(5);
        EXACTLY(6);
        EXACTLY(8);
        EXACTLY(12);
        EXACTLY(16);
        EXACTLY(20);
        EXACTLY(24);
        EXACTLY(32);
        EXACTLY(48);
        EXACTLY(64);
    }
    if (len < 8)
        blocks_copy_moves(c, len, 4);
    else if (len < 16)
        blocks_copy_moves(c, len, 8);
    else if (len <= 128)
        blocks_copy_moves(c, len, 16);
    else
        for (; c.n; c.n--, c.to += c.to_stride, c.from += c.from_stride)
            memcpy(c.to, c.from, len);
}

/* ---- two blocks of each element -------------------------------------------------------------- */

ALWAYS void block_pairs_copy(struct copies c, size_t len, struct second s, size_t second_len)
{
    for (; c.n >= 2; c.n -= 2) {
        memcpy(c.to, c.from, len);
        memcpy(c.to + s.to, c.from + s.from, second_len);
        c.to += c.to_stride;
        c.from += c.from_stride;
        memcpy(c.to, c.from, len);
        memcpy(c.to + s.to, c.from + s.from, second_len);
        c.to += c.to_stride;
        c.from += c.from_stride;
    }
    if (c.n) {
        memcpy(c.to, c.from, len);
        memcpy(c.to + s.to, c.from + s.from, second_len);
    }
}

#define SECOND(first, second)                                                                      \
    case second:                                                                                   \
        block_pairs_copy(c, first, s, second);                                                     \
        return true

#define FIRST(first)                                                                               \
    case first:                                                                                    \
        switch (s.len) {                                                                           \
            SECOND(first, 1);                                                                      \
            SECOND(first, 2);                                                                      \
            SECOND(first, 4);                                                                      \
            SECOND(first, 5);                                                                      \
            SECOND(first, 8);                                                                      \
            SECOND(first, 12);                                                                     \
            SECOND(first, 16);                                                                     \
            SECOND(first, 24);                                                                     \
        }                                                                                          \
        return false

bool copy_both(struct copies c, size_t len, struct second s)
{
    switch (len) {
        FIRST(1);
        FIRST(2);
        FIRST(4);
        FIRST(5);
        FIRST(8);
        FIRST(12);
        FIRST(16);
        FIRST(24);
    }
    return false;
}
