/* packing.h — packed buffers: what MPI_Pack, MPI_Unpack and their external forms have in common. */
#ifndef PACKING_H
#define PACKING_H

#include "mpir.h"

struct packed {
    void *buf;
    MPI_Aint size, position; /* bytes: of all, and before what comes next */
};

int packed_wrong(struct packed p, int size_class) __attribute__((cold));

/* size_class is the error of a negative size. */
static inline int packed_arg(struct packed p, int size_class)
{
    bool wrong = !p.buf || p.buf == MPI_IN_PLACE || p.position < 0 || p.position > p.size;

    return __builtin_expect(mpir_checking() && wrong, 0) ? packed_wrong(p, size_class)
                                                         : MPI_SUCCESS;
}

int packed_too_small(struct packed p, const struct adi3_data *d, size_t size) __attribute__((cold));

/* Sets the bytes of d, whose elements have this size when they are packed. MPI_ERR_TRUNCATE,
 * before anything is copied, when that is more than there are behind the position. */
static inline int packed_len(struct packed p, const struct adi3_data *d, size_t size, size_t *len)
{
    bool wrong = __builtin_mul_overflow(d->count, size, len);

    if (__builtin_expect(wrong || *len > (size_t) (p.size - p.position), 0))
        return packed_too_small(p, d, size);
    return MPI_SUCCESS;
}

/* Around work on len bytes: large ones are worked on without the lock, with the type held. */
bool packed_aside(struct adi3_type *t, size_t len);
void packed_done(struct adi3_type *t, bool aside);

/* The quick way: where len bytes go or come from, with *position behind them now; NULL when
 * anything is wrong. */
static inline char *packed_quickly(const void *buf, int size, int *position, size_t len)
{
    if (!buf || buf == MPI_IN_PLACE || !position || *position < 0
        || (MPI_Aint) len > (MPI_Aint) size - *position)
        return NULL;
    char *at = (char *) (uintptr_t) buf + *position;
    *position += (int) len;
    return at;
}

/* Only "external32" will do (§4.3). */
int packed_datarep_arg(const char *datarep);

#endif /* PACKING_H */
