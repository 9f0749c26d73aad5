/* create.c — objects with a procedure of Fortran: C makes them, a hook sets the language. */
#include "mpi/fortran/handwritten.h"

#define AS(type, f) ((type *) (f))

int f_op_create(F_CALL(MPI_Op_create), f_procedure *f, MPI_Fint *commute, MPI_Fint *op)
{
    int err = call(AS(MPI_User_function, f), f_truth(*commute), op);

    if (!err)
        err = MPIR_Op_set_language(*op, &f_language);
    return err;
}

int f_comm_create_errhandler(F_CALL(MPI_Comm_create_errhandler), f_procedure *f,
                             MPI_Fint *errhandler)
{
    int err = call(AS(MPI_Comm_errhandler_function, f), errhandler);

    if (!err)
        err = MPIR_Errhandler_set_language(*errhandler, &f_language);
    return err;
}

int f_win_create_errhandler(F_CALL(MPI_Win_create_errhandler), f_procedure *f, MPI_Fint *errhandler)
{
    int err = call(AS(MPI_Win_errhandler_function, f), errhandler);

    if (!err)
        err = MPIR_Errhandler_set_language(*errhandler, &f_language);
    return err;
}

int f_file_create_errhandler(F_CALL(MPI_File_create_errhandler), f_procedure *f,
                             MPI_Fint *errhandler)
{
    int err = call(AS(MPI_File_errhandler_function, f), errhandler);

    if (!err)
        err = MPIR_Errhandler_set_language(*errhandler, &f_language);
    return err;
}

int f_errhandler_create(F_CALL(MPI_Errhandler_create), f_procedure *f, MPI_Fint *errhandler)
{
    int err = call(AS(MPI_Comm_errhandler_function, f), errhandler);

    if (!err)
        err = MPIR_Errhandler_set_language(*errhandler, &f_language);
    return err;
}

/* The callbacks are given the program's own extra_state, which has to live as long as the request:
 * programs, MPICH's tests among them, see there what their callbacks have done. */
int f_grequest_start(F_CALL(MPI_Grequest_start), f_procedure *query, f_procedure *free_fn,
                     f_procedure *cancel, MPI_Aint *extra, MPI_Fint *request)
{
    int err = call(AS(MPI_Grequest_query_function, query), AS(MPI_Grequest_free_function, free_fn),
                   AS(MPI_Grequest_cancel_function, cancel), extra, request);

    if (!err)
        err = MPIR_Grequest_set_language(*request, &f_language);
    return err;
}

int f_register_datarep(F_CALL(MPI_Register_datarep), char *name, f_procedure *read,
                       f_procedure *write, f_procedure *extent, MPI_Aint *extra, size_t name_len)
{
    struct f_text text;
    const char *c_name = f_text(&text, name, name_len, false);
    int err = call(c_name, AS(MPI_Datarep_conversion_function, f_callback(read)),
                   AS(MPI_Datarep_conversion_function, f_callback(write)),
                   AS(MPI_Datarep_extent_function, extent), (void *) *extra);

    if (!err)
        err = MPIR_Datarep_set_language(c_name, &f_language);
    f_text_free(&text);
    return err;
}
