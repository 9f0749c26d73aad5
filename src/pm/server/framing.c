/* framing.c — cuts a stream of bytes into lines, or into bodies behind their lengths. The bytes may
 * arrive in parts of any size. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_framing.h"
#include "pm/pmi/pmi_line.h"

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

/* Reads the length in front of a body: it, or -EPROTO. */
static int read_length(const char *bytes)
{
    const char *end = bytes + PM_FRAMING_LENGTH;
    int len;

    while (bytes < end && *bytes == ' ')
        bytes++;
    while (end > bytes && end[-1] == ' ')
        end--;
    if (pmi_parse_int(bytes, (size_t) (end - bytes), &len) || len < 0)
        return -EPROTO;
    return len;
}

int pm_framing_body(struct pm_framing *f, char **body)
{
    char *start = f->bytes + f->taken;

    if (f->len - f->taken < PM_FRAMING_LENGTH)
        return 0;
    int len = read_length(start);
    if (len < 0)
        return len;
    if (len >= PMI_LINE_MAX)
        return -EMSGSIZE;
    if (f->len - f->taken < PM_FRAMING_LENGTH + (size_t) len)
        return 0;
    /* One byte to the front makes room for the NUL. */
    *body = memmove(start + PM_FRAMING_LENGTH - 1, start + PM_FRAMING_LENGTH, (size_t) len);
    (*body)[len] = '\0';
    f->taken += PM_FRAMING_LENGTH + (size_t) len;
    f->scanned = f->taken;
    return strlen(*body) == (size_t) len ? 1 : -EBADMSG;
}

void pm_framing_free(struct pm_framing *f)
{
    free(f->bytes);
    *f = (struct pm_framing) { 0 };
}
