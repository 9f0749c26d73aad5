/* usage_error.c — the error text of a command line that is refused. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include "pm/mpiexec/options/option.h"

int pm_usage_error(struct pm_parser *p, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(p->why, p->len, fmt, args);
    va_end(args);
    return -EINVAL;
}
