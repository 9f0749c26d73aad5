/* framing.c — cuts a stream of bytes into lines. The bytes may arrive in parts of any size. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm_framing.h"
#include "pmi_line.h"

int pm_framing_add(struct pm_framing *f, const char *bytes, size_t len)
{
    if (f->taken) {
        memmove(f->bytes, f->bytes + f->taken, f->len - f->taken);
        f->len -= f->taken;
        f->scanned -= f->taken;
        f->taken = 0;
    }
    if (f->len + len > f->capacity) {
        size_t capacity = (f->len + len) * 2;
        char *more = realloc(f->bytes, capacity);
        if (!more)
            return -ENOMEM;
        f->bytes = more;
        f->capacity = capacity;
    }
    memcpy(f->bytes + f->len, bytes, len);
    f->len += len;
    return 0;
}

int pm_framing_line(struct pm_framing *f, char **line)
{
    char *end = f->len ? memchr(f->bytes + f->scanned, '\n', f->len - f->scanned) : NULL;
    size_t len = (end ? (size_t) (end - f->bytes) + 1 : f->len) - f->taken;

    if (len > PMI_LINE_MAX)
        return -EMSGSIZE;
    if (!end) {
        f->scanned = f->len;
        return 0;
    }
    *end = '\0';
    *line = f->bytes + f->taken;
    f->taken += len;
    f->scanned = f->taken;
    return strlen(*line) == len - 1 ? 1 : -EBADMSG;
}

void pm_framing_free(struct pm_framing *f)
{
    free(f->bytes);
    *f = (struct pm_framing) { 0 };
}
