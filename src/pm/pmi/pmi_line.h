/* pmi_line.h — the text of PMI-1, "cmd=name key=value ...", for the client and for the server.
 *
 * Fields are separated by one blank and come in any order after cmd; a value starts after the first
 * '=' and nothing is quoted, so a value holds no blank. */
#ifndef PMI_LINE_H
#define PMI_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PMI_LINE_MAX = (1 << 16) + 1, /* bytes of a line that is still read, with its newline */
    PMI_KEY_MAX = 63, /* bytes of a key: servers take longer ones and then do not find them */
};

/* The value of the field called name, not terminated; NULL when the line has none. */
const char *pmi_line_field(const char *line, const char *name, size_t *len);

/* Copies a value, terminated: 0, -ENOENT, -EMSGSIZE. */
int pmi_line_copy(const char *line, const char *name, char *value, size_t len);

/* A whole decimal number: 0, -ENOENT, -EINVAL. */
int pmi_line_int(const char *line, const char *name, int *value);

/* Whether the line's cmd is name. */
bool pmi_line_is(const char *line, const char *name);

/* The same for a text that ends after len bytes or at its NUL, such as an environment variable. */
int pmi_parse_int(const char *text, size_t len, int *value);

/* Printable text without blank, backslash, ';' and '%': other bytes become %XX. Both return the
 * length of the result, or -EMSGSIZE when it and its NUL need more than len; decoding -EPROTO for a
 * '%' without two digits. */
long pmi_percent_encode(const char *text, char *out, size_t len);
long pmi_percent_decode(const char *text, size_t text_len, char *out, size_t len);

#endif /* PMI_LINE_H */
