/* pm_bytes.h — a queue of bytes. */
#ifndef PM_BYTES_H
#define PM_BYTES_H

#include <stddef.h>

struct pm_bytes { /* a zeroed struct is an empty queue */
    char *bytes;  /* the queue is bytes[head, head + len) */
    size_t head, len, capacity;
};

/* The end of the queue, where room bytes may be written before len grows; NULL: no memory. */
char *pm_bytes_room(struct pm_bytes *q, size_t room);
int pm_bytes_add(struct pm_bytes *q, const void *bytes, size_t len); /* -ENOMEM */
void pm_bytes_take(struct pm_bytes *q, size_t len);                  /* from its start */
void pm_bytes_free(struct pm_bytes *q);

/* Where the bytes begin; with no bytes, a place that is not to be read. */
static inline const char *pm_bytes_first(const struct pm_bytes *q)
{
    return q->bytes ? q->bytes + q->head : "";
}

#endif /* PM_BYTES_H */
