/* keyvals.c — keys of attributes, with callbacks in Fortran. */
#include "mpi/fortran/handwritten.h"

/* All three kinds of objects have callbacks of one type, since handles are int. */
#define CREATE(object, language)                                                                   \
    MPI_Fint key;                                                                                  \
    int err = call((void *) f_callback(copy), (void *) f_callback(del), &key,                      \
                   (void *) (MPI_Aint) *extra);                                                    \
                                                                                                   \
    if (!err)                                                                                      \
        err = MPIR_Keyval_set_language(object, key, language);                                     \
    if (!err)                                                                                      \
        *keyval = key;                                                                             \
    return err

int f_comm_create_keyval(F_CALL(MPI_Comm_create_keyval), f_procedure *copy, f_procedure *del,
                         MPI_Fint *keyval, MPI_Aint *extra)
{
    CREATE(MPIR_ON_COMM, &f_language);
}

int f_type_create_keyval(F_CALL(MPI_Type_create_keyval), f_procedure *copy, f_procedure *del,
                         MPI_Fint *keyval, MPI_Aint *extra)
{
    CREATE(MPIR_ON_TYPE, &f_language);
}

int f_win_create_keyval(F_CALL(MPI_Win_create_keyval), f_procedure *copy, f_procedure *del,
                        MPI_Fint *keyval, MPI_Aint *extra)
{
    CREATE(MPIR_ON_WIN, &f_language);
}

int f_keyval_create(F_CALL(MPI_Keyval_create), f_procedure *copy, f_procedure *del,
                    MPI_Fint *keyval, MPI_Fint *extra)
{
    CREATE(MPIR_ON_COMM, &f_language_integer);
}
