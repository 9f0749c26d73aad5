/* errhan.h — error codes, shared inside src/mpi/errhan. */
#ifndef ERRHAN_H
#define ERRHAN_H

#include "mpir.h"

/* NULL when the code is of no class. MPI_ERR_LASTCODE is a class in name only. */
static inline const char *mpir_error_class_text(int code)
{
    if (code == MPI_ERR_LASTCODE)
        return "last error code";
    return code < 0 ? NULL : adi3_class_text(code & ADI3_CLASS_MASK);
}

/* Checked in all builds: what else could be told of a code that is none? */
static inline int mpir_error_code_arg(int code)
{
    if (mpir_error_class_text(code))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "%d is not an error code", code);
}

#endif /* ERRHAN_H */
