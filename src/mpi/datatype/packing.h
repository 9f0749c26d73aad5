/* packing.h — packed buffers, for MPI_Pack, MPI_Unpack and their external forms. */
#ifndef PACKING_H
#define PACKING_H

#include "mpi/mpir.h"

struct packed {
    void *buf;
    MPI_Aint size, position; /* in bytes: of the buffer, and of the next element */
};

int packed_wrong(struct packed p, int size_class) __attribute__((cold));

/* size_class is the error class of a negative size. */
static inline int packed_arg(struct packed p, int size_class)
{
    bool wrong = !p.buf || p.buf == MPI_IN_PLACE || p.position < 0 || p.position > p.size;

    return __builtin_expect(mpir_checking() && wrong, 0) ? packed_wrong(p, size_class)
                                                         : MPI_SUCCESS;
}

int packed_too_small(struct packed p, const struct adi3_data *d, size_t size) __attribute__((cold));

/* Sets the packed length of d, whose elements have `size` bytes each when packed. Errors:
 * MPI_ERR_TRUNCATE when that is more than the buffer has behind the position. Copies nothing. */
static inline int packed_len(struct packed p, const struct adi3_data *d, size_t size, size_t *len)
{
    bool wrong = __builtin_mul_overflow(d->count, size, len);

    if (__builtin_expect(wrong || *len > (size_t) (p.size - p.position), 0))
        return packed_too_small(p, d, size);
    return MPI_SUCCESS;
}

/* Before and after copying len bytes: long copies run without the lock, with a reference to the
 * datatype. */
bool packed_unlock(struct adi3_type *t, size_t len);
void packed_lock(struct adi3_type *t, bool unlocked);

/* The fast path: returns where len bytes are copied to or from, and moves *position behind them;
 * NULL when an argument is wrong. */
static inline char *packed_quickly(const void *buf, MPI_Count size, struct mpir_count_out position,
                                   size_t len)
{
    MPI_Count first, room;

    if (!buf || buf == MPI_IN_PLACE || (!position.narrow && !position.wide)
        || (first = mpir_count_read(position)) < 0 || __builtin_sub_overflow(size, first, &room)
        || (MPI_Count) len > room)
        return NULL;
    mpir_count_add(position, (MPI_Count) len);
    return (char *) (uintptr_t) buf + first;
}

/* Only "external32" is allowed (§4.3). */
int packed_datarep_arg(const char *datarep);

#endif /* PACKING_H */
