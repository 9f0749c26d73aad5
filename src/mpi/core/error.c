/* error.c — what becomes of an error (§8.3). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "core.h"

enum { TEXT = 2048 };

/* One write, so that the lines of several ranks do not mix. */
static void say(const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDERR_FILENO, text, len);
        if (n <= 0)
            return;
        text += n;
        len -= (size_t) n;
    }
}

static const char *cause_of(int err)
{
    const char *text = adi3_error_text(err);

    if (!text)
        text = adi3_class_text(err & ADI3_CLASS_MASK);
    return text ? text : "unknown error";
}

_Noreturn static void die(const char *shown, int err)
{
    const char *class = adi3_class_name(err & ADI3_CLASS_MASK);
    char line[TEXT];
    int rank, size;

    adi3_where(&rank, &size);
    int n = snprintf(line, sizeof line, "starling: rank %d of %d on %s: %s: %s (%s)\n", rank, size,
                     adi3_hostname(), shown, cause_of(err), class ? class : "unknown class");
    say(line, n < (int) sizeof line ? (size_t) n : sizeof line - 1);
    if (mpir_forked)
        _exit(err & ADI3_CLASS_MASK); /* the rank goes on */
    adi3_abort(err & ADI3_CLASS_MASK, NULL);
}

int mpir_fail(struct mpir_call call, int err, const char *names, ...)
{
    const struct adi3_comm *c = call.comm ? call.comm : &adi3_world;
    char shown[TEXT / 2];
    va_list args;

    if (!mpir_is(MPIR_DOWN) && c->errhandler == MPI_ERRORS_RETURN) {
        if (mpir_is(MPIR_LOCKS))
            adi3_unlock();
        return err;
    }
    va_start(args, names);
    mpir_show(shown, sizeof shown, call.name, names, args);
    va_end(args);
    die(shown, err);
}

MPIR_KEEPS_REGISTERS void mpir_enter_slowly(const char *name)
{
    if (mpir_is(MPIR_DOWN))
        die(name, mpir_error(MPI_ERR_OTHER, "%s", mpir_down_why()));
    adi3_lock();
}

void mpir_warn(const char *text)
{
    char line[TEXT];
    int n = snprintf(line, sizeof line, "starling: %s\n", text);

    say(line, n < (int) sizeof line ? (size_t) n : sizeof line - 1);
}
