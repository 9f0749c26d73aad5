/* line.c — parses a line of PMI-1. Its contents are not trusted. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_line.h"

const char *pmi_line_field(const char *line, const char *name, size_t *len)
{
    size_t n = strlen(name);

    for (const char *field = line; *field;) {
        size_t width = strcspn(field, " ");
        if (width > n && field[n] == '=' && !memcmp(field, name, n)) {
            *len = width - n - 1;
            return field + n + 1;
        }
        field += width + (field[width] == ' ');
    }
    return NULL;
}

int pmi_line_copy(const char *line, const char *name, char *value, size_t len)
{
    size_t n;
    const char *from = pmi_line_field(line, name, &n);

    if (!from)
        return -ENOENT;
    if (n >= len)
        return -EMSGSIZE;
    memcpy(value, from, n);
    value[n] = '\0';
    return 0;
}

int pmi_parse_int(const char *text, size_t len, int *value)
{
    char digits[16], *end;

    len = strnlen(text, len);
    if (!len || len >= sizeof digits)
        return -EINVAL;
    memcpy(digits, text, len);
    digits[len] = '\0';
    long n = strtol(digits, &end, 10); /* 15 digits always fit */
    if (*end || !strchr("-0123456789", digits[0]) || n < INT_MIN || n > INT_MAX)
        return -EINVAL;
    *value = (int) n;
    return 0;
}

int pmi_line_int(const char *line, const char *name, int *value)
{
    size_t len;
    const char *text = pmi_line_field(line, name, &len);

    return text ? pmi_parse_int(text, len, value) : -ENOENT;
}

bool pmi_line_is(const char *line, const char *name)
{
    size_t len;
    const char *cmd = pmi_line_field(line, "cmd", &len);

    return cmd && cmd == line + 4 && len == strlen(name) && !memcmp(cmd, name, len);
}
