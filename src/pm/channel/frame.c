/* frame.c — frames to bytes, and bytes to frames. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "pm/channel/pm_frame.h"

enum { SMALL = 4096, LARGE = 1 << 20, PLAN = 64 << 20 };

/* The longest payload of each kind; -1: the kind does not go in this direction. */
static const struct {
    int to_proxy, from_proxy;
} most[PM_FRAME_KINDS] = {
    [0] = { -1, -1 },
    [PM_FRAME_BEAT] = { 0, 0 },
    [PM_FRAME_HELLO] = { SMALL, -1 },
    [PM_FRAME_PREPARE] = { PLAN, -1 },
    [PM_FRAME_START] = { LARGE, -1 },
    [PM_FRAME_RESIZE] = { 0, -1 },
    [PM_FRAME_CREDIT] = { 0, -1 },
    [PM_FRAME_JOB] = { PLAN, -1 },
    [PM_FRAME_NOTE] = { LARGE, 2 * LARGE },
    [PM_FRAME_INPUT] = { PM_INPUT_MAX, -1 },
    [PM_FRAME_SIGNAL] = { 0, -1 },
    [PM_FRAME_FIND_EXITING] = { 0, -1 },
    [PM_FRAME_FINISH] = { 0, -1 },
    [PM_FRAME_END] = { 0, -1 },
    [PM_FRAME_KILL] = { 0, -1 },
    [PM_FRAME_DROP_OUTPUT] = { 0, -1 },
    [PM_FRAME_CHILD] = { LARGE, -1 },
    [PM_FRAME_CHILD_END] = { 0, -1 },
    [PM_FRAME_RELAY] = { LARGE, LARGE },
    [PM_FRAME_READY] = { -1, LARGE + SMALL },
    [PM_FRAME_REFUSED] = { -1, SMALL },
    [PM_FRAME_STARTED] = { -1, 2 * SMALL },
    [PM_FRAME_NOT_STARTED] = { -1, 2 * SMALL },
    [PM_FRAME_OUTPUT] = { -1, LARGE },
    [PM_FRAME_OUTPUT_ENDED] = { -1, 0 },
    [PM_FRAME_PMI_ENDED] = { -1, 0 },
    [PM_FRAME_PMI_STUCK] = { -1, 0 },
    [PM_FRAME_INPUT_TAKEN] = { -1, 0 },
    [PM_FRAME_INPUT_ENDED] = { -1, 0 },
    [PM_FRAME_EXITING] = { -1, 0 },
    [PM_FRAME_EXITING_FOUND] = { -1, 0 },
    [PM_FRAME_EXITED] = { -1, SMALL },
    [PM_FRAME_SIGNALED] = { -1, 0 },
    [PM_FRAME_LOG] = { -1, LARGE },
    [PM_FRAME_FAILED] = { -1, SMALL },
    [PM_FRAME_ENDED] = { -1, 0 },
    [PM_FRAME_CHILD_LINE] = { -1, SMALL },
    [PM_FRAME_CHILD_EXITED] = { -1, 0 },
    [PM_FRAME_FORGET] = { 0, -1 },
    [PM_FRAME_FORGOTTEN] = { -1, 0 },
};

int pm_window(int sinks)
{
    enum { ALL = 1 << 20, MOST = 256 << 10, LEAST = 4 << 10 };
    int share = sinks ? ALL / sinks : MOST;

    return share > MOST ? MOST : share < LEAST ? LEAST : share;
}

static void frame_put_uint(unsigned char *to, uint32_t x, int bytes)
{
    for (int i = 0; i < bytes; i++, x >>= 8)
        to[i] = (unsigned char) (x & 255);
}

static uint32_t frame_get_uint(const char *from, int bytes)
{
    uint32_t x = 0;

    for (int i = bytes - 1; i >= 0; i--)
        x = x << 8 | (unsigned char) from[i];
    return x;
}

int pm_frame_put(struct pm_bytes *q, const struct pm_frame *f)
{
    unsigned char head[PM_FRAME_HEAD];

    frame_put_uint(head, (uint32_t) f->len, 4);
    frame_put_uint(head + 4, (uint32_t) f->kind, 2);
    frame_put_uint(head + 6, (uint32_t) f->stream, 2);
    frame_put_uint(head + 8, (uint32_t) f->number, 4);
    frame_put_uint(head + 12, (uint32_t) f->value, 4);
    if (!pm_bytes_room(q, sizeof head + f->len))
        return -ENOMEM;
    (void) pm_bytes_add(q, head, sizeof head);
    return pm_bytes_add(q, f->bytes, f->len);
}

ssize_t pm_frame_get(const struct pm_bytes *q, bool from_proxy, struct pm_frame *f)
{
    const char *head = pm_bytes_first(q);

    if (q->len < PM_FRAME_HEAD)
        return 0;
    uint32_t len = frame_get_uint(head, 4), kind = frame_get_uint(head + 4, 2),
             stream = frame_get_uint(head + 6, 2);
    int limit = kind >= PM_FRAME_KINDS ? -1
                : from_proxy           ? most[kind].from_proxy
                                       : most[kind].to_proxy;
    if (limit < 0 || len > (uint32_t) limit || stream >= PM_STREAMS)
        return -EBADMSG;
    if (q->len < PM_FRAME_HEAD + len)
        return 0;
    *f = (struct pm_frame) { .kind = (enum pm_frame_kind) kind,
                             .stream = (int) stream,
                             .number = (int) frame_get_uint(head + 8, 4),
                             .value = (int) frame_get_uint(head + 12, 4),
                             .bytes = head + PM_FRAME_HEAD,
                             .len = len };
    return (ssize_t) PM_FRAME_HEAD + (ssize_t) len;
}
