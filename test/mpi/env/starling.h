/* starling.h — whether the library is Starling, so that tests can check more than the standard
 * promises. */
#ifndef STARLING_H
#define STARLING_H

#include <string.h>
#include "mpitest.h"

static inline int starling(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;

    CHECK(MPI_Get_library_version(version, &len) == MPI_SUCCESS);
    return strstr(version, "Starling") != NULL;
}

/* The class of a code, for calls that are expected to fail. */
static inline int error_class(int code)
{
    int class;

    CHECK(MPI_Error_class(code, &class) == MPI_SUCCESS);
    return class;
}

#endif /* STARLING_H */
