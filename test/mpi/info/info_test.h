/* info_test.h — checks of info objects. */
#ifndef INFO_TEST_H
#define INFO_TEST_H

#include "mpitest.h"

static inline void has(MPI_Info info, const char *key, const char *value)
{
    char got[MPI_MAX_INFO_VAL + 1];
    int flag = -1, len = -1;

    memset(got, 'x', sizeof got);
    CHECK_INT(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, got, &flag), MPI_SUCCESS);
    CHECK_INT(flag, 1);
    CHECK(!strcmp(got, value));
    CHECK_INT(MPI_Info_get_valuelen(info, key, &len, &flag), MPI_SUCCESS);
    CHECK_INT(flag, 1);
    CHECK_INT(len, strlen(value));
}

/* The buffer stays unchanged. */
static inline void has_not(MPI_Info info, const char *key)
{
    char got[] = "as it was";
    int flag = -1, len = 4711;

    CHECK_INT(MPI_Info_get(info, key, 3, got, &flag), MPI_SUCCESS);
    CHECK_INT(flag, 0);
    CHECK(!strcmp(got, "as it was"));
    CHECK_INT(MPI_Info_get_valuelen(info, key, &len, &flag), MPI_SUCCESS);
    CHECK_INT(flag, 0);
    CHECK_INT(len, 4711);
}

static inline int nkeys(MPI_Info info)
{
    int n = -1;

    CHECK_INT(MPI_Info_get_nkeys(info, &n), MPI_SUCCESS);
    return n;
}

static inline void nth(MPI_Info info, int n, const char *key)
{
    char got[MPI_MAX_INFO_KEY + 1];

    memset(got, 'x', sizeof got);
    CHECK_INT(MPI_Info_get_nthkey(info, n, got), MPI_SUCCESS);
    CHECK(!strcmp(got, key));
}

#endif /* INFO_TEST_H */
