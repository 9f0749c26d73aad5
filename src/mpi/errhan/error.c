/* error.c — how an MPI function fails: error handlers, the fatal error text, the end (§8.3). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "mpi/core/core.h"
#include "mpi/errhan/errhan.h"

enum { TEXT = 2048 };

_Thread_local bool mpir_errors_return;

/* With one write, so that lines of several ranks do not mix. */
static void write_line(const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDERR_FILENO, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        text += n;
        len -= (size_t) n;
    }
}

static const char *class_of(int err)
{
    const char *class = adi3_class_name(err & ADI3_CLASS_MASK);

    if (mpir_error_class(err) > MPI_ERR_LASTCODE)
        class = "a class of the program's own";
    return class ? class : "unknown class";
}

_Noreturn static void fatal_error_abort(const char *shown, int err)
{
    int rank, size, class = err & ADI3_CLASS_MASK;
    char line[TEXT];

    adi3_where(&rank, &size);
    int n = snprintf(line, sizeof line, "starling: rank %d of %d on %s: %s: %s (%s)\n", rank, size,
                     adi3_hostname(), shown, mpir_error_cause(err), class_of(err));
    write_line(line, n < (int) sizeof line ? (size_t) n : sizeof line - 1);
    if (mpir_forked)
        _exit(class ? class : 1); /* the rank itself continues */
    adi3_abort(class ? class : 1, NULL);
}

int mpir_fail(struct mpir_call call, int err, const char *names, ...)
{
    const struct adi3_comm *c = call.comm ? call.comm : &adi3_world;
    bool returns = c->errhandler == MPI_ERRORS_RETURN || mpir_errors_return;
    char shown[TEXT / 2];
    va_list args;

    va_start(args, names);
    mpir_null_results(call.name, names, args);
    if (mpir_is(ADI3_DOWN) || !returns)
        mpir_show(shown, sizeof shown, call.name, names, args);
    va_end(args);
    if (mpir_is(ADI3_DOWN) || !returns) {
        if (mpir_is(ADI3_DOWN) || !mpir_errhandler_call(c, &err, shown))
            fatal_error_abort(shown, err);
    } else
        mpir_in_status(MPI_SUCCESS, MPI_SUCCESS); /* no handler gets the error of the request */
    (void) mpir_leave(&call);
    return err;
}

MPIR_PRESERVES_REGISTERS void mpir_enter_slowly(const char *name)
{
    if (mpir_is(ADI3_DOWN))
        fatal_error_abort(name, mpir_error(MPI_ERR_OTHER, "%s", mpir_down_why()));
    adi3_lock();
}

void mpir_warn(const char *text)
{
    char line[TEXT];
    int n = snprintf(line, sizeof line, "starling: %s\n", text);

    write_line(line, n < (int) sizeof line ? (size_t) n : sizeof line - 1);
}

/* Most launchers end a job without a word of which rank wanted that. */
void mpir_warn_aborted(int errorcode)
{
    int rank, size;
    char text[TEXT];

    adi3_where(&rank, &size);
    if (size == 1 || adi3_launcher_explains())
        return;
    (void) snprintf(text, sizeof text, "rank %d of %d on %s called MPI_Abort with code %d", rank,
                    size, adi3_hostname(), errorcode);
    mpir_warn(text);
}
