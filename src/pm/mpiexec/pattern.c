/* pattern.c — prefixes of lines and names of files that contain the rank, the host or the time. */
#include <stdio.h>
#include <time.h>
#include "output.h"

static size_t add(char *text, size_t len, const char *what)
{
    int n = snprintf(text, len, "%s", what);

    return (size_t) n < len ? (size_t) n : len - 1;
}

static size_t expand(char letter, const struct pm_place *from, char *text, size_t len)
{
    char value[256] = "";
    struct tm now;
    time_t t;

    switch (letter) {
    case 'r':
        (void) snprintf(value, sizeof value, "%d", from->rank);
        break;
    case 'g':
    case 'p':
        return add(text, len, "0");
    case 'h':
        return add(text, len, from->host);
    case 't':
        t = time(NULL);
        if (localtime_r(&t, &now))
            (void) strftime(value, sizeof value, "%H:%M:%S", &now);
        break;
    default: /* any other letter stays as it is */
        (void) snprintf(value, sizeof value, letter == '%' ? "%%" : "%%%c", letter);
    }
    return add(text, len, value);
}

size_t pm_pattern(const char *pattern, const struct pm_place *from, char *text, size_t len)
{
    size_t n = 0;

    for (; *pattern && n + 1 < len; pattern++) {
        if (*pattern == '%' && pattern[1])
            n += expand(*++pattern, from, text + n, len - n);
        else
            text[n++] = *pattern;
    }
    text[n] = '\0';
    return n;
}
