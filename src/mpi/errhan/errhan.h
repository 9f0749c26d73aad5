/* errhan.h — error handlers, and error codes: the library's and the program's own. */
#ifndef ERRHAN_H
#define ERRHAN_H

#include "mpir.h"

/* Writes "starling: TEXT" to stderr, one line (error.c). */
void mpir_warn(const char *text);

/* ---- error handlers (errhandler.c) ----------------------------------------------------------- */

enum mpir_errhandler_kind { MPIR_HANDLES_COMM, MPIR_HANDLES_WIN, MPIR_HANDLES_FILE };

/* A function of the user's. It gets the object, the code, which it may change, and one argument
 * more: the failed call in words, a string that is there until the function returns. */
struct mpir_errhandler_function {
    enum mpir_errhandler_kind kind;
    union {
        MPI_Comm_errhandler_function *comm;
        MPI_Win_errhandler_function *win;
        MPI_File_errhandler_function *file;
    } of;
};
int mpir_errhandler_make(struct mpir_errhandler_function f, MPI_Errhandler *made);

/* MPI_ERR_ARG unless h is predefined, or of this kind and not freed. */
int mpir_errhandler_arg(MPI_Errhandler h, enum mpir_errhandler_kind kind);
/* The same of any kind. */
int mpir_any_errhandler_arg(MPI_Errhandler h);

/* The handler's reference of *at, which has to be right, is dropped and h takes its place: it stays
 * active there when the user frees it. */
void mpir_errhandler_attach(MPI_Errhandler *at, MPI_Errhandler h);
/* What the end of a communicator does to its handler: for adi3_comm_ends. A call that found an
 * error while the last of the communicator went can still tell the handler. */
void mpir_errhandler_comm_ends(struct adi3_comm *c);

/* A handle for the user, who has to free it, and its end. Predefined ones are not counted. */
MPI_Errhandler mpir_errhandler_user_acquire(MPI_Errhandler h);
void mpir_errhandler_user_release(MPI_Errhandler h);

/* Calls the user's function of c's handler, without the lock, and sets err to what it left there;
 * false when the handler is predefined. When err is of class MPI_ERR_IN_STATUS the function gets
 * the request's error instead (§8.3.1). */
bool mpir_errhandler_call(const struct adi3_comm *c, int *err, const char *shown);

/* The error of a request for which a call is about to fail with MPI_ERR_IN_STATUS. */
void mpir_in_status(int err, int of_request);

/* Where errors of files are raised when there is no file: holds the default of new ones (§13.7). */
extern struct adi3_comm mpir_no_file;
int mpir_file_arg(struct mpir_call *call, MPI_File fh, struct adi3_comm **c);

/* ---- error codes (user_code.c) --------------------------------------------------------------- */

/* The codes of the program are above MPI_ERR_LASTCODE. In the low bits they have the class of the
 * standard that they are of, MPI_ERR_OTHER when it is the program's own class. */
enum { MPIR_USER_CODE = 1 << 30 };

struct mpir_user_code {
    int code, errclass;
    char *text; /* NULL: none yet */
};
struct mpir_user_code *mpir_user_code(int code); /* NULL when the program has not made it */
/* A new code of a class, or a new class: MPI_ERR_LASTCODE. */
int mpir_user_code_add(int errclass, int *code);
extern int mpir_last_used_code;  /* the attribute MPI_LASTUSEDCODE */
void mpir_user_codes_free(void); /* at the end */

/* The class of a code, -1 when it is none. MPI_ERR_LASTCODE is a class in name only. */
int mpir_error_class(int code);
int mpir_error_code_arg(int code); /* checked in all builds: what else could be told of it? */
/* The values that were wrong, or what is known of the class. */
const char *mpir_error_cause(int code);

#endif /* ERRHAN_H */
