/* language.c — the functions of users in C. */
#include "adi3/adi3_language.h"

static int copy_attr(MPI_Comm_copy_attr_function *f, const struct adi3_attribute *a, void **out,
                     int *flag)
{
    return f(a->object, a->keyval, a->extra, a->value, out, flag);
}

static int delete_attr(MPI_Comm_delete_attr_function *f, const struct adi3_attribute *a)
{
    return f(a->object, a->keyval, a->value, a->extra);
}

static void comm_error(MPI_Comm_errhandler_function *f, MPI_Comm *comm, int *code, const char *text)
{
    f(comm, code, text);
}

static void win_error(MPI_Win_errhandler_function *f, MPI_Win *win, int *code, const char *text)
{
    f(win, code, text);
}

static void file_error(MPI_File_errhandler_function *f, MPI_File *file, int *code, const char *text)
{
    f(file, code, text);
}

static void c_reduce(MPI_User_function *f, const void *in, void *inout, int *len,
                     MPI_Datatype *type)
{
    f((void *) in, inout, len, type);
}

static void c_reduce_large(adi3_large_function *f, const void *in, void *inout, MPI_Count *len,
                           MPI_Datatype *type)
{
    f((void *) in, inout, len, type);
}

static int c_query(MPI_Grequest_query_function *f, void *extra, MPI_Status *status)
{
    return f(extra, status);
}

static int free_extra(MPI_Grequest_free_function *f, void *extra) { return f(extra); }

static int c_cancel(MPI_Grequest_cancel_function *f, void *extra, int complete)
{
    return f(extra, complete);
}

static int c_convert(MPI_Datarep_conversion_function *f, const struct adi3_conversion *c)
{
    return f(c->memory, c->type, c->count, c->file, c->position, c->extra);
}

static int file_extent(MPI_Datarep_extent_function *f, MPI_Datatype type, MPI_Aint *extent,
                       void *extra)
{
    return f(type, extent, extra);
}

const struct adi3_language adi3_c = { .copy_attr = copy_attr,
                                      .delete_attr = delete_attr,
                                      .comm_error = comm_error,
                                      .win_error = win_error,
                                      .file_error = file_error,
                                      .reduce = c_reduce,
                                      .reduce_large = c_reduce_large,
                                      .query = c_query,
                                      .free = free_extra,
                                      .cancel = c_cancel,
                                      .convert = c_convert,
                                      .file_extent = file_extent };
