/* pattern.c — prefixes of lines and names of files that contain the rank, the host, the stream or
 * the time. */
#include <stdio.h>
#include <time.h>
#include "pm/mpiexec/output/output_impl.h"
#include "pm/node/pm_node.h"

static size_t pattern_add_text(char *text, size_t len, const char *what)
{
    int n = snprintf(text, len, "%s", what);

    return (size_t) n < len ? (size_t) n : len - 1;
}

static void write_time(const char *format, char *text, size_t len)
{
    struct tm now;
    time_t t = time(NULL);

    if (localtime_r(&t, &now))
        (void) strftime(text, len, format, &now);
}

static size_t pattern_expand(char letter, const struct pm_place *from, char *text, size_t len)
{
    char value[256] = "";

    switch (letter) {
    case 'r':
        if (from->job)
            (void) snprintf(value, sizeof value, "%d:%d", from->job, from->rank);
        else
            (void) snprintf(value, sizeof value, "%d", from->rank);
        break;
    case 'g':
        (void) snprintf(value, sizeof value, "%d", from->job);
        break;
    case 'p':
        (void) snprintf(value, sizeof value, "%d", from->node);
        break;
    case 's':
        return pattern_add_text(text, len, from->stream == PM_OUT ? "stdout" : "stderr");
    case 'h':
        return pattern_add_text(text, len, from->host);
    case 't':
        write_time("%H:%M:%S", value, sizeof value);
        break;
    case 'T':
        write_time("%a %b %e %H:%M:%S %Y", value, sizeof value);
        break;
    default: /* any other letter stays as it is */
        (void) snprintf(value, sizeof value, letter == '%' ? "%%" : "%%%c", letter);
    }
    return pattern_add_text(text, len, value);
}

size_t pm_pattern(const char *pattern, const struct pm_place *from, char *text, size_t len)
{
    size_t n = 0;

    for (; *pattern && n + 1 < len; pattern++) {
        if (*pattern == '%' && pattern[1])
            n += pattern_expand(*++pattern, from, text + n, len - n);
        else
            text[n++] = *pattern;
    }
    text[n] = '\0';
    return n;
}
