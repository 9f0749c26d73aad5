/* packing.c — arguments of MPI_Pack and MPI_Unpack and their external forms; work without the
 * lock. */
#include <string.h>
#include "mpi/datatype/packing.h"

int packed_wrong(struct packed p, int size_class)
{
    if (p.buf == MPI_IN_PLACE)
        return mpir_error(MPI_ERR_BUFFER, "MPI_IN_PLACE is not a packed buffer");
    if (!p.buf && p.size > 0)
        return mpir_error(MPI_ERR_BUFFER, "the packed buffer of %td bytes is NULL", p.size);
    if (p.size < 0)
        return mpir_error(size_class, "the size of the packed buffer is negative: %td", p.size);
    if (p.position < 0 || p.position > p.size)
        return mpir_error(MPI_ERR_ARG, "position %td is outside the %td bytes of the packed buffer",
                          p.position, p.size);
    return MPI_SUCCESS;
}

int packed_too_small(struct packed p, const struct adi3_data *d, size_t size)
{
    return mpir_error(
        MPI_ERR_TRUNCATE,
        "%zu elements of %zu bytes, but %td bytes in the packed buffer from position %td on",
        d->count, size, p.size - p.position, p.position);
}

bool packed_unlock(struct adi3_type *t, size_t len)
{
    if (!adi3_threads)
        return false;
    t->refs += !t->predefined;
    bool unlocked = adi3_unlock_for(len);
    if (!unlocked)
        adi3_type_release(t);
    return unlocked;
}

void packed_lock(struct adi3_type *t, bool unlocked)
{
    if (!unlocked)
        return;
    adi3_lock();
    adi3_type_release(t);
}

int packed_datarep_arg(const char *datarep)
{
    if (!datarep)
        return mpir_null("datarep");
    if (strcmp(datarep, "external32"))
        return mpir_error(MPI_ERR_UNSUPPORTED_DATAREP,
                          "data is packed as \"external32\", not as \"%.64s\"", datarep);
    return MPI_SUCCESS;
}
