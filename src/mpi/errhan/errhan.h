/* errhan.h — error handlers, and error codes: the library's and the program's own. */
#ifndef ERRHAN_H
#define ERRHAN_H

#include "mpi/mpir.h"

/* Writes "starling: TEXT" to stderr, one line (error.c). */
void mpir_warn(const char *text);
void mpir_warn_aborted(int errorcode); /* of MPI_Abort, unless the launcher shows it */

extern _Thread_local bool mpir_errors_return; /* whatever the handlers are: MPIR_Errors_return() */

/* ---- error handlers (errhandler.c) ----------------------------------------------------------- */

enum mpir_errhandler_kind { MPIR_HANDLES_COMM, MPIR_HANDLES_WIN, MPIR_HANDLES_FILE };

/* A function of the user. Its arguments are the object, the code, which it may change, and the text
 * of the failed call, a string that is valid until the function returns. */
struct mpir_errhandler_function {
    const struct adi3_language *language;
    enum mpir_errhandler_kind kind;
    union {
        MPI_Comm_errhandler_function *comm;
        MPI_Win_errhandler_function *win;
        MPI_File_errhandler_function *file;
    } of;
};
int mpir_errhandler_make(struct mpir_errhandler_function f, MPI_Errhandler *made);

/* Sets the language of a handler's function. Errors: MPI_ERR_ARG. */
int mpir_errhandler_language(MPI_Errhandler h, const struct adi3_language *language);

/* MPI_ERR_ARG unless h is predefined, or of this kind and not freed. */
int mpir_errhandler_arg(MPI_Errhandler h, enum mpir_errhandler_kind kind);
/* The same for any kind. */
int mpir_any_errhandler_arg(MPI_Errhandler h);

/* Sets *at to h, which must be valid, and drops the reference to the handler that was there. h
 * stays active there after the user frees it. */
void mpir_errhandler_attach(MPI_Errhandler *at, MPI_Errhandler h);
/* Drops the reference of a communicator that ends, for adi3_comm_ends; the last one is dropped at
 * the next end. So a call that fails while it releases the communicator can still call the
 * handler. */
void mpir_errhandler_comm_ends(struct adi3_comm *c);

/* Counts a handle that the user must free, and its end. Handles of predefined error handlers are
 * not counted. */
MPI_Errhandler mpir_errhandler_user_acquire(MPI_Errhandler h);
void mpir_errhandler_user_release(MPI_Errhandler h);

/* Calls the user's function of c's handler, without the lock, and sets err to what it left there;
 * false when the handler is predefined. When err is of class MPI_ERR_IN_STATUS the function gets
 * the request's error instead (§8.3.1). */
bool mpir_errhandler_call(const struct adi3_comm *c, int *err, const char *shown);

/* Sets the error of the request because of which a call will fail with MPI_ERR_IN_STATUS. */
void mpir_in_status(int err, int of_request);

/* Errors of files without a file go to its handler, which is also the default of new files
 * (§13.7). */
extern struct adi3_comm mpir_no_file;
int mpir_file_arg(struct mpir_call *call, MPI_File fh, struct adi3_comm **c);

/* ---- error codes (user_code.c) --------------------------------------------------------------- */

/* Codes that the program adds are above MPI_ERR_LASTCODE. Their low bits are their class when it is
 * predefined, MPI_ERR_OTHER when it is a class of the program. */
enum { MPIR_USER_CODE = 1 << 30 };

struct mpir_user_code {
    int code, errclass;
    char *text; /* NULL: none yet */
};
struct mpir_user_code *mpir_user_code(int code); /* NULL when the program did not add it */
/* Adds a code to a class; with MPI_ERR_LASTCODE adds a class. */
int mpir_user_code_add(int errclass, int *code);
extern int mpir_last_used_code;  /* the attribute MPI_LASTUSEDCODE */
void mpir_user_codes_free(void); /* at the end */

/* The class of a code, -1 when it is not an error code. MPI_ERR_LASTCODE is its own class. */
int mpir_error_class(int code);
int mpir_error_code_arg(int code); /* checked in all builds: no answer exists otherwise */
/* The text with the wrong values, or the text of the class. */
const char *mpir_error_cause(int code);

#endif /* ERRHAN_H */
