/* pump.c — bytes between a descriptor and the frames of a channel. */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/channel/pm_pump.h"

enum { CHUNK = 64 << 10, FULL = 4 << 20, RESUME_MS = 5 };

static void pump_watch(struct pm_pump *p)
{
    (void) pm_loop_watch(p->fd, p->reads, p->queue.len > 0, &p->ready);
}

void pm_pump_close(struct pm_pump *p)
{
    if (p->fd < 0)
        return;
    pm_timer_clear(&p->resume_timer);
    pm_loop_drop(p->fd);
    (void) close(p->fd);
    p->fd = -1;
    pm_bytes_free(&p->queue);
}

static void pump_resume(struct pm_timer *t);

/* Reads no more while the channel has much to send. */
static void pause_if_full(struct pm_pump *p)
{
    const struct pm_channel *c = p->channel(p->owner);

    p->reads = !c || pm_channel_queued(c) < FULL;
    if (!p->reads)
        pm_timer_set(&p->resume_timer, RESUME_MS, pump_resume);
    pump_watch(p);
}

static void pump_resume(struct pm_timer *t)
{
    pause_if_full(OS_OWNER(t, struct pm_pump, resume_timer));
}

static void read_some(struct pm_pump *p)
{
    char bytes[CHUNK];
    ssize_t n = read(p->fd, bytes, sizeof bytes);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    n = n < 0 ? 0 : n;
    p->send(p->owner,
            &(struct pm_frame) {
                .kind = PM_FRAME_RELAY, .number = p->number, .bytes = bytes, .len = (size_t) n });
    if (!n)
        pm_pump_close(p);
    else if (p->fd >= 0)
        pause_if_full(p);
}

static void write_some(struct pm_pump *p)
{
    while (p->queue.len) {
        ssize_t n = send(p->fd, p->queue.bytes + p->queue.head, p->queue.len, MSG_NOSIGNAL);
        if (n > 0)
            pm_bytes_take(&p->queue, (size_t) n);
        else if (errno == EAGAIN)
            break;
        else if (errno != EINTR) /* the other end has gone; bytes from there are still read */
            pm_bytes_free(&p->queue);
    }
    if (p->ends && !p->queue.len)
        (void) shutdown(p->fd, SHUT_WR);
    pump_watch(p);
}

static void pump_ready(struct pm_source *s)
{
    struct pm_pump *p = OS_OWNER(s, struct pm_pump, ready);

    if (p->fd >= 0 && p->queue.len)
        write_some(p);
    if (p->fd >= 0 && p->reads)
        read_some(p);
}

int pm_pump_take(struct pm_pump *p, const char *bytes, size_t len)
{
    if (p->fd < 0)
        return 0;
    p->ends |= !len;
    if (len && pm_bytes_add(&p->queue, bytes, len))
        return -ENOMEM;
    write_some(p);
    return 0;
}

int pm_pump_open(struct pm_pump *p, int fd)
{
    int err = os_set_nonblocking(fd);

    p->fd = fd;
    p->ready.ready = pump_ready;
    p->queue = (struct pm_bytes) { .bytes = NULL };
    p->ends = false;
    p->reads = true;
    if (!err)
        err = pm_loop_watch(fd, true, false, &p->ready);
    if (err)
        pm_pump_close(p);
    return err;
}
