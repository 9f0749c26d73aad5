/* log.c — the log lines of mpiexec. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include "log.h"

static void (*through)(const char *line, size_t len);

void pm_log_to(void (*put)(const char *line, size_t len)) { through = put; }

void pm_log(const char *fmt, ...)
{
    char line[1 << 15] = "mpiexec: "; /* there are long ones: drawings of large machines */
    size_t start = sizeof "mpiexec: " - 1, room = sizeof line - start - 1;
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(line + start, room, fmt, args);
    va_end(args);
    size_t len = start + (n < 0 ? 0 : (size_t) n < room ? (size_t) n : room - 1);
    line[len++] = '\n';
    if (through)
        through(line, len);
    else
        (void) !write(STDERR_FILENO, line, len);
}
