/* hooks.h — what libmpi exports for the Fortran library, besides MPI's own functions.
 *
 * The Fortran library calls MPI_x as any program does, so that tools see each call once. A hook
 * then tells libmpi what MPI_x has no argument for. Hooks may be called where MPI functions may,
 * from any thread; they call no error handler, unless they say so.
 *
 * Nothing of a language has to be destroyed: what is stored for a callback is the address of the
 * user's procedure, its extra_state (an integer that fits a pointer), and the address of a static
 * row. They go with the key, the request, the error handler or the representation itself. */
#ifndef HOOKS_H
#define HOOKS_H

#include "adi3/adi3_language.h"

enum mpir_object { MPIR_ON_COMM, MPIR_ON_TYPE, MPIR_ON_WIN }; /* what has attributes */

#pragma GCC visibility push(default)

/* ---- callbacks: how the functions of an object are called ------------------------------------ */

/* Each sets the row of an object that MPI_Comm_create_keyval() and its kin have just made, with
 * functions cast to the types of C. The row is static. C's own functions may be among them:
 * MPI_COMM_DUP_FN and its kin copy value and kind in any language; a null function is not called.
 * Errors: MPI_ERR_KEYVAL, MPI_ERR_OP, MPI_ERR_ARG, MPI_ERR_REQUEST: it names no such object of the
 * program. */
int MPIR_Keyval_set_language(enum mpir_object object, int keyval, const struct adi3_language *row);
int MPIR_Op_set_language(MPI_Op op, const struct adi3_language *row);
int MPIR_Errhandler_set_language(MPI_Errhandler errhandler, const struct adi3_language *row);
int MPIR_Grequest_set_language(MPI_Request request, const struct adi3_language *row);
int MPIR_Datarep_set_language(const char *name, const struct adi3_language *row);

/* ---- attributes (§17.2.7) -------------------------------------------------------------------- */

/* The predefined keys are one more in Fortran than in C. MPI_x_get_attr and the others take those
 * of C alone: the key for C. Other keys are the same. */
static inline int MPIR_Attr_key(int keyval)
{
    return (unsigned) keyval >> 30 == 1 ? keyval - !(keyval & 1) : keyval;
}

/* Setting an integer. The caller passes MPI_x_set_attr the address of a variable of its own, of
 * type int for ADI3_INTEGER and MPI_Aint for ADI3_ADDRESS, which is how C will see the attribute:
 *
 *     MPIR_Attr_pass(&integer, ADI3_ADDRESS);
 *     err = MPI_Comm_set_attr(comm, keyval, &integer);
 *     MPIR_Attr_pass(NULL, ADI3_POINTER);
 *
 * Between the two calls that address, set by this thread, means the integer there. Other values
 * that the thread sets meanwhile, in a tool or in the delete function of the old value, are
 * pointers. */
void MPIR_Attr_pass(const void *integer, enum adi3_attr_kind kind);

/* Getting an integer. After MPI_x_get_attr, with the same object (the handle as int) and key of
 * C, and the pointer and the flag that it set: sets value to what Fortran reads, of which the
 * deprecated MPI_ATTR_GET takes the low 32 bits. An attribute that another thread has replaced or
 * deleted since has its new value, or sets flag to 0: a pointer that is out of date is not
 * followed. */
void MPIR_Attr_read(enum mpir_object object, int handle, int keyval, void *pointer, MPI_Aint *value,
                    int *flag);

/* ---- requests -------------------------------------------------------------------------------- */

/* Runs end(arg) once, when the operation of a request is complete and its data is in the buffer:
 * before MPI_Wait or MPI_Test and its kin, or MPI_Request_get_status, say so, also when the
 * operation fails or is cancelled, and when the request has been freed. It runs at once, in this
 * call, when the operation is complete already, and for MPI_REQUEST_NULL. Any thread may run it,
 * with the lock of libmpi, in the middle of any call: it may copy and free memory, and must not
 * call MPI. A request may have several; the one added last runs first.
 * Errors: MPI_ERR_REQUEST when it is no request, a persistent or a generalized one,
 * MPI_ERR_NO_MEM: end is not called then. */
int MPIR_Request_at_end(MPI_Request request, void (*end)(void *arg), void *arg);

/* ---- errors ---------------------------------------------------------------------------------- */

/* Ends a call of MPI with an error that the Fortran library has found: calls the error handler of
 * the object and returns the code that the call returns, with this text. call: "MPI_Isend";
 * handle: of a communicator, datatype (the handler of MPI_COMM_WORLD) or window, as int. A handle
 * that names nothing, too, means MPI_COMM_WORLD. */
int MPIR_Error(const char *call, enum mpir_object object, int handle, int errclass,
               const char *text);
/* The same for a file; MPI_FILE_NULL has the handler of files that are not open. */
int MPIR_File_error(const char *call, MPI_File file, int errclass, const char *text);
/* While it is on, MPI functions that fail in this thread return their code and call no error
 * handler: the Fortran library calls them for its own ends, and then MPIR_Error(). */
void MPIR_Errors_return(int on);

/* The arguments of a call of Fortran. names: "buf, count, ...", as in mpi.h, up to the last one to
 * show; values: where each is, and of a pointer itself. */
struct mpir_arguments {
    const char *call, *names;
    const void *const *values;
};
/* Until the next call of this thread, with NULL, errors of the function arguments->call show these:
 * those that the program knows, whatever C's function was given. */
void MPIR_Arguments(const struct mpir_arguments *arguments);

/* ---- what mpi_f08 names ---------------------------------------------------------------------- */

/* Constants that are known by address. A program compiled with MPICH's module may have its own
 * copies: then these names mean the copies. */
extern int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
extern MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
/* MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY of C. */
extern int *const MPIR_C_MPI_UNWEIGHTED, *const MPIR_C_MPI_WEIGHTS_EMPTY;

#pragma GCC visibility pop

#endif /* HOOKS_H */
