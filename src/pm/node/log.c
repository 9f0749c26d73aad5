/* log.c — the log lines of mpiexec. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include "pm/node/log.h"

static void (*through)(const char *line, size_t len);

void pm_log_to(void (*put)(const char *line, size_t len)) { through = put; }

/* The length of a character that can be shown; 0: there is none. */
static size_t character_length(const unsigned char *c, size_t left)
{
    size_t len = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;

    if (len > left || (len == 1 && (*c < ' ' || *c == 0x7f) && *c != '\t' && *c != '\n'))
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    return *c == 0xc2 && c[1] < 0xa0 ? 0 : len; /* other control characters */
}

void pm_replace_controls(char *text, size_t len)
{
    for (size_t i = 0, n; i < len; i += n ? n : 1) {
        n = character_length((unsigned char *) text + i, len - i);
        if (!n)
            text[i] = '?';
    }
}

void pm_log(const char *fmt, ...)
{
    char line[1 << 15] = "mpiexec: "; /* there are long ones: drawings of large machines */
    size_t start = sizeof "mpiexec: " - 1, room = sizeof line - start - 1;
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(line + start, room, fmt, args);
    va_end(args);
    size_t len = start + (n < 0 ? 0 : (size_t) n < room ? (size_t) n : room - 1);
    pm_replace_controls(line, len);
    line[len++] = '\n';
    if (through)
        through(line, len);
    else
        (void) !write(STDERR_FILENO, line, len);
}

const char *pm_rank_name(int job, int rank, char text[PM_RANK_NAME])
{
    int n = snprintf(text, PM_RANK_NAME, "rank %d", rank);

    if (job)
        (void) snprintf(text + n, PM_RANK_NAME - (size_t) n, " of job %d", job);
    return text;
}
