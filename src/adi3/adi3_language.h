/* adi3_language.h — how the functions of users are called, by the language they are written in.
 *
 * Used by all that stores such functions, and by the Fortran library, which has rows of its own: so
 * this includes mpi.h alone. They are stored together with the row of their language and called
 * through it alone. They have C's types there; the row of another language gives them back their
 * own, and turns the arguments into that language's. */
#ifndef ADI3_LANGUAGE_H
#define ADI3_LANGUAGE_H

#pragma GCC visibility push(default) /* libmpi exports the functions that mpi.h declares */
#include "mpi.h"
#pragma GCC visibility pop

/* What an attribute is: a pointer, or one of Fortran's integers, of which C sees the address (of an
 * int, an MPI_Aint) where the library has stored it (§17.2.7). */
enum adi3_attr_kind { ADI3_POINTER, ADI3_INTEGER, ADI3_ADDRESS };

/* What the copy and delete functions of an attribute are given. A language that reads integers gets
 * the integer itself in value, sign extended, and gives back the same. */
struct adi3_attribute {
    int object, keyval; /* handles */
    void *extra, *value;
};

/* A reduction function whose count is not an int. MPI 4.0 calls it MPI_User_function_c. */
typedef void adi3_large_function(void *in, void *inout, MPI_Count *len, MPI_Datatype *type);

/* What a conversion function of files is given. */
struct adi3_conversion {
    void *memory; /* elements of a type */
    MPI_Datatype type;
    int count;           /* entries of the type map, ... */
    MPI_Offset position; /* ... from this one on */
    void *file;          /* the same data, one entry behind the other */
    void *extra;
};

/* Each is called with the user's function first, and without the lock. */
struct adi3_language {
    enum adi3_attr_kind attributes; /* what its functions read and make */
    int (*copy_attr)(MPI_Comm_copy_attr_function *f, const struct adi3_attribute *a, void **out,
                     int *flag);
    int (*delete_attr)(MPI_Comm_delete_attr_function *f, const struct adi3_attribute *a);

    /* Error handlers. text: the failed call. */
    void (*comm_error)(MPI_Comm_errhandler_function *f, MPI_Comm *comm, int *code,
                       const char *text);
    void (*win_error)(MPI_Win_errhandler_function *f, MPI_Win *win, int *code, const char *text);
    void (*file_error)(MPI_File_errhandler_function *f, MPI_File *file, int *code,
                       const char *text);

    void (*reduce)(MPI_User_function *f, const void *in, void *inout, int *len, MPI_Datatype *type);
    void (*reduce_large)(adi3_large_function *f, const void *in, void *inout, MPI_Count *len,
                         MPI_Datatype *type);

    /* Generalized requests. */
    int (*query)(MPI_Grequest_query_function *f, void *extra, MPI_Status *status);
    int (*free)(MPI_Grequest_free_function *f, void *extra);
    int (*cancel)(MPI_Grequest_cancel_function *f, void *extra, int complete);

    /* Data representations of files. */
    int (*convert)(MPI_Datarep_conversion_function *f, const struct adi3_conversion *c);
    int (*file_extent)(MPI_Datarep_extent_function *f, MPI_Datatype type, MPI_Aint *extent,
                       void *extra);
};

extern const struct adi3_language adi3_c;

#endif /* ADI3_LANGUAGE_H */
