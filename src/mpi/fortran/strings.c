/* strings.c — CHARACTER arguments: no terminator, blanks at the end. */
#include "mpi/fortran/fortran.h"

static char *text_copy(char *to, const char *from, size_t len)
{
    memcpy(to, from, len);
    to[len] = 0;
    return to;
}

const char *f_text(struct f_text *t, const char *from, size_t len, bool strip)
{
    while (len && from[len - 1] == ' ')
        len--;
    for (; strip && len && *from == ' '; len--)
        from++;
    t->memory = NULL;
    if (len < sizeof(t->space))
        return text_copy(t->space, from, len);
    t->memory = malloc(len + 1);
    return t->memory ? text_copy(t->memory, from, len) : NULL;
}

int f_string_out(char *to, size_t len, const char *from)
{
    size_t n = strnlen(from, len);

    memcpy(to, from, n);
    memset(to + n, ' ', len - n);
    return (int) n;
}
