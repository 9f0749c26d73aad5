/* callbacks.c — how procedures of Fortran are called: all arguments by reference, ierror last.
 *
 * mpi_f08's interfaces of callbacks have the same arguments as those of module mpi: handles and
 * statuses are integers, and TYPE(C_PTR) by value is a choice buffer. */
#include "mpi/fortran/handwritten.h"

typedef void copy_procedure(MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Aint *, MPI_Fint *,
                            MPI_Fint *);
typedef void delete_procedure(MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *);
typedef void copy_integer(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *,
                          MPI_Fint *);
typedef void delete_integer(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
typedef void error_procedure(MPI_Fint *, MPI_Fint *);
typedef void query_procedure(MPI_Aint *, MPI_Fint *, MPI_Fint *);
typedef void free_procedure(MPI_Aint *, MPI_Fint *);
typedef void cancel_procedure(MPI_Aint *, MPI_Fint *, MPI_Fint *);
typedef void convert_procedure(void *, MPI_Fint *, MPI_Fint *, void *, MPI_Offset *, MPI_Aint *,
                               MPI_Fint *);
typedef void extent_procedure(MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *);

/* ierror begins as MPI_SUCCESS: some procedures set it for an error alone. */

static int copy_attr(MPI_Comm_copy_attr_function *f, const struct adi3_attribute *a, void **out,
                     int *flag)
{
    MPI_Fint object = a->object, keyval = a->keyval, truth = 0, ierror = MPI_SUCCESS;
    MPI_Aint extra = (MPI_Aint) a->extra, in = (MPI_Aint) a->value, value = in;

    ((copy_procedure *) (f_procedure *) f)(&object, &keyval, &extra, &in, &value, &truth, &ierror);
    *flag = f_truth(truth);
    *out = (void *) value;
    return ierror;
}

static int delete_attr(MPI_Comm_delete_attr_function *f, const struct adi3_attribute *a)
{
    MPI_Fint object = a->object, keyval = a->keyval, ierror = MPI_SUCCESS;
    MPI_Aint extra = (MPI_Aint) a->extra, value = (MPI_Aint) a->value;

    ((delete_procedure *) (f_procedure *) f)(&object, &keyval, &value, &extra, &ierror);
    return ierror;
}

static int copy_attr_integer(MPI_Comm_copy_attr_function *f, const struct adi3_attribute *a,
                             void **out, int *flag)
{
    MPI_Fint object = a->object, keyval = a->keyval, truth = 0, ierror = MPI_SUCCESS;
    MPI_Fint extra = (MPI_Fint) (MPI_Aint) a->extra, in = (MPI_Fint) (MPI_Aint) a->value;
    MPI_Fint value = in;

    ((copy_integer *) (f_procedure *) f)(&object, &keyval, &extra, &in, &value, &truth, &ierror);
    *flag = f_truth(truth);
    *out = (void *) (MPI_Aint) value;
    return ierror;
}

static int delete_attr_integer(MPI_Comm_delete_attr_function *f, const struct adi3_attribute *a)
{
    MPI_Fint object = a->object, keyval = a->keyval, ierror = MPI_SUCCESS;
    MPI_Fint extra = (MPI_Fint) (MPI_Aint) a->extra, value = (MPI_Fint) (MPI_Aint) a->value;

    ((delete_integer *) (f_procedure *) f)(&object, &keyval, &value, &extra, &ierror);
    return ierror;
}

static void comm_error(MPI_Comm_errhandler_function *f, MPI_Comm *comm, int *code, const char *text)
{
    (void) text;
    ((error_procedure *) (f_procedure *) f)(comm, code);
}

static void win_error(MPI_Win_errhandler_function *f, MPI_Win *win, int *code, const char *text)
{
    (void) text;
    ((error_procedure *) (f_procedure *) f)(win, code);
}

static void file_error(MPI_File_errhandler_function *f, MPI_File *file, int *code, const char *text)
{
    MPI_Fint fh = PMPI_File_c2f(*file);

    (void) text;
    ((error_procedure *) (f_procedure *) f)(&fh, code);
}

static void fortran_reduce(MPI_User_function *f, const void *in, void *inout, int *len,
                           MPI_Datatype *type)
{
    f((void *) in, inout, len, type); /* C's form is Fortran's */
}

static int fortran_query(MPI_Grequest_query_function *f, void *extra, MPI_Status *status)
{
    MPI_Fint ierror = MPI_SUCCESS;

    ((query_procedure *) (f_procedure *) f)(extra, (MPI_Fint *) (void *) status, &ierror);
    return ierror;
}

static int free_extra(MPI_Grequest_free_function *f, void *extra)
{
    MPI_Fint ierror = MPI_SUCCESS;

    ((free_procedure *) (f_procedure *) f)(extra, &ierror);
    return ierror;
}

static int fortran_cancel(MPI_Grequest_cancel_function *f, void *extra, int complete)
{
    MPI_Fint truth = f_logical(complete), ierror = MPI_SUCCESS;

    ((cancel_procedure *) (f_procedure *) f)(extra, &truth, &ierror);
    return ierror;
}

static int fortran_convert(MPI_Datarep_conversion_function *f, const struct adi3_conversion *c)
{
    MPI_Fint type = c->type, count = c->count, ierror = MPI_SUCCESS;
    MPI_Offset position = c->position;
    MPI_Aint extra = (MPI_Aint) c->extra;

    ((convert_procedure *) (f_procedure *) f)(c->memory, &type, &count, c->file, &position, &extra,
                                              &ierror);
    return ierror;
}

static int file_extent(MPI_Datarep_extent_function *f, MPI_Datatype type, MPI_Aint *extent,
                       void *extra_state)
{
    MPI_Fint ierror = MPI_SUCCESS;
    MPI_Aint extra = (MPI_Aint) extra_state;

    ((extent_procedure *) (f_procedure *) f)(&type, extent, &extra, &ierror);
    return ierror;
}

#define NO_ATTRIBUTES                                                                              \
    .comm_error = comm_error, .win_error = win_error, .file_error = file_error,                    \
    .reduce = fortran_reduce, .query = fortran_query, .free = free_extra,                          \
    .cancel = fortran_cancel, .convert = fortran_convert, .file_extent = file_extent

const struct adi3_language f_language = {
    .attributes = ADI3_ADDRESS, .copy_attr = copy_attr, .delete_attr = delete_attr, NO_ATTRIBUTES
};
const struct adi3_language f_language_integer = { .attributes = ADI3_INTEGER,
                                                  .copy_attr = copy_attr_integer,
                                                  .delete_attr = delete_attr_integer,
                                                  NO_ATTRIBUTES };

f_procedure *f_callback(f_procedure *f)
{
    for (size_t i = 0; i < f_predefined_count; i++) {
        if (f == f_predefined[i].fortran)
            return f_predefined[i].c;
    }
    return f;
}
