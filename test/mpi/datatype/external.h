/* external.h — MPI_Pack_external and MPI_Unpack_external against literal bytes. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "mpitest.h"

/* Checks that n values of type, of size bytes each, are these len bytes of external32, in both
 * directions. */
static inline void external_check(const char *name, MPI_Datatype type, int n, const void *values,
                                  size_t size, const void *bytes, int len)
{
    MPI_Aint room = -1, at = 0;
    unsigned char packed[512];
    char back[512];

    memset(packed, 0xa5, sizeof packed);
    memset(back, 0xa5, sizeof back);
    MPI_Pack_external_size("external32", n, type, &room);
    if (room != len)
        mpitest_fail(name, (int) room, "size in external32");
    MPI_Pack_external("external32", values, n, type, packed, len, &at);
    if (at != len || memcmp(packed, bytes, (size_t) len) != 0 || packed[len] != 0xa5)
        mpitest_fail(name, (int) at, "bytes in external32");
    at = 0;
    MPI_Unpack_external("external32", packed, len, &at, back, n, type);
    if (at != len || memcmp(back, values, (size_t) n * size) != 0)
        mpitest_fail(name, (int) at, "values from external32");
}

#define EXTERNAL(type, c, value, ...)                                                              \
    external_check(#type, type, 1, (c[]) { value }, sizeof(c), (unsigned char[]) { __VA_ARGS__ },  \
                   (int) sizeof((unsigned char[]) { __VA_ARGS__ }))

#endif /* EXTERNAL_H */
