/* rma_test.h — what tests of one-sided communication share. */
#ifndef RMA_TEST_H
#define RMA_TEST_H

#include "mpitest.h"

static inline int error_class(int err)
{
    int class;

    MPI_Error_class(err, &class);
    return class;
}

/* Whether an info object has this value for a key. */
static inline int has(MPI_Info info, const char *key, const char *value)
{
    char text[MPI_MAX_INFO_VAL + 1];
    int flag;

    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, text, &flag);
    return flag && !strcmp(text, value);
}

#endif /* RMA_TEST_H */
