/* pmi_line.h — the lines of PMI-1, "cmd=name key=value ...", for the client and for the server.
 *
 * One blank separates fields, which come in any order after cmd. A value starts after the first
 * '='. There is no quoting, so a value has no blank. */
#ifndef PMI_LINE_H
#define PMI_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PMI_LINE_MAX = (1 << 16) + 1, /* bytes of the longest line that is accepted, with its newline */
    PMI_KEY_MAX = 63, /* bytes of a key; some servers store longer ones and then do not find them */
    PMI_SETTINGS_SHORT = 512, /* bytes of settings, with a NUL, that the reply to init may have */
};

/* The value of the field called name, of *len bytes without NUL; NULL when there is no such
 * field. */
const char *pmi_line_field(const char *line, const char *name, size_t *len);

/* Copies a value and a NUL to value, which has len bytes: 0, -ENOENT, -EMSGSIZE. */
int pmi_line_copy(const char *line, const char *name, char *value, size_t len);

/* Reads a value that is a whole decimal number: 0, -ENOENT, -EINVAL. */
int pmi_line_int(const char *line, const char *name, int *value);

/* Whether the cmd of the line is name. */
bool pmi_line_is(const char *line, const char *name);

/* Reads a whole decimal number that ends after len bytes or at a NUL: 0, -EINVAL. */
int pmi_parse_int(const char *text, size_t len, int *value);

/* Percent-encoding: blanks, backslash, ';', '%' and all bytes that are not printable ASCII become
 * %XX. Both return the length of the result, or -EMSGSIZE when it does not fit len bytes with its
 * NUL. Decoding returns -EPROTO for a '%' without two digits and for %00. */
long pmi_percent_encode(const char *text, char *out, size_t len);
long pmi_percent_decode(const char *text, size_t text_len, char *out, size_t len);

#endif /* PMI_LINE_H */
