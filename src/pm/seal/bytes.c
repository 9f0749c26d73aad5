/* bytes.c — a queue of bytes. Large ones are given back when they are empty. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/seal/pm_bytes.h"

enum { KEPT = 256 << 10 };

char *pm_bytes_room(struct pm_bytes *q, size_t room)
{
    if (q->head + q->len + room <= q->capacity)
        return q->bytes + q->head + q->len;
    if (q->len)
        memmove(q->bytes, q->bytes + q->head, q->len);
    q->head = 0;
    if (q->len + room > q->capacity) {
        size_t capacity = (q->len + room) * 2;
        char *more = realloc(q->bytes, capacity);
        if (!more)
            return NULL;
        q->bytes = more;
        q->capacity = capacity;
    }
    return q->bytes + q->len;
}

int pm_bytes_add(struct pm_bytes *q, const void *bytes, size_t len)
{
    char *to = len ? pm_bytes_room(q, len) : NULL;

    if (!to)
        return len ? -ENOMEM : 0;
    memcpy(to, bytes, len);
    q->len += len;
    return 0;
}

void pm_bytes_take(struct pm_bytes *q, size_t len)
{
    q->head += len;
    q->len -= len;
    if (q->len)
        return;
    q->head = 0;
    if (q->capacity > KEPT)
        pm_bytes_free(q);
}

void pm_bytes_free(struct pm_bytes *q)
{
    free(q->bytes);
    *q = (struct pm_bytes) { .bytes = NULL };
}
