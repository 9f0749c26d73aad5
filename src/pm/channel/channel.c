/* channel.c — sends and receives frames, and notices when the other side is lost.
 *
 * The greeting begins with a newline: the text before it may end without one.
 * Time is counted in beats that have been missed, not by a clock: when this process was stopped for
 * an hour, that is one missed beat. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/node/loop.h"
#include "platform/os.h"
#include "pm/channel/pm_channel.h"

enum { CHUNK = 64 << 10, NOISE_LINE = 4096, NOISE_MAX = 1 << 20, BEATS = 4 };
enum { FIRST_MS = 10000 }; /* a proxy does without frames that long, until it is told otherwise */

static const char magic[] = "=starling-proxy= ";

struct pm_channel {
    struct pm_channel_events events;
    struct pm_source ready;
    struct pm_timer flush_timer, beat_timer;
    struct pm_bytes received, queue;
    struct pm_seal *seal;              /* NULL: bytes go as they are */
    struct pm_bytes sealed_in, sealed; /* what has come, and what is to be sent */
    int in, out;                       /* -1: closed */
    bool to_proxy;                     /* this is mpiexec */
    bool greeted;                      /* frames may be sent, and come */
    bool waits;                        /* for room in out */
    size_t noise;                      /* bytes up to the end of the greeting */
    int beat_ms;                       /* between two beats */
    int missed;                        /* beats in a row */
    uint64_t heard, heard_at_beat;
};

void pm_channel_close(struct pm_channel *c)
{
    if (c->in < 0)
        return;
    pm_timer_clear(&c->flush_timer);
    pm_timer_clear(&c->beat_timer);
    pm_loop_drop(c->in);
    if (c->out != c->in) {
        pm_loop_drop(c->out);
        (void) close(c->out);
    }
    (void) close(c->in);
    c->in = c->out = -1;
}

void pm_channel_free(struct pm_channel *c)
{
    pm_channel_close(c);
    pm_bytes_free(&c->received);
    pm_bytes_free(&c->queue);
    pm_bytes_free(&c->sealed_in);
    pm_bytes_free(&c->sealed);
    pm_seal_free(c->seal);
    free(c);
}

static void channel_end(struct pm_channel *c, const char *why)
{
    if (c->in < 0)
        return;
    pm_channel_close(c);
    c->events.ended(c->events.owner, why);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Watches out while bytes wait for room there. */
static void channel_watch_output(struct pm_channel *c, bool waits)
{
    if (waits == c->waits)
        return;
    c->waits = waits;
    if (c->in == c->out)
        (void) pm_loop_watch(c->in, true, waits, &c->ready);
    else if (waits)
        (void) pm_loop_watch(c->out, false, true, &c->ready);
    else
        pm_loop_drop(c->out);
}

/* The bytes that can be written now; they may be empty. */
static struct pm_bytes *channel_outgoing(struct pm_channel *c)
{
    size_t n = c->queue.len < CHUNK ? c->queue.len : CHUNK;

    if (!c->seal)
        return &c->queue;
    if (n && !c->sealed.len) {
        if (pm_seal_put(c->seal, c->queue.bytes + c->queue.head, n, &c->sealed))
            channel_end(c, "has no memory for what is sent to it");
        pm_bytes_take(&c->queue, n);
    }
    return &c->sealed;
}

static void channel_flush(struct pm_channel *c)
{
    bool full = false;

    while (c->in >= 0 && c->greeted && !full) {
        struct pm_bytes *q = channel_outgoing(c);
        if (c->in < 0 || !q->len)
            break;
        ssize_t n = write(c->out, q->bytes + q->head, q->len);
        if (n > 0) {
            pm_bytes_take(q, (size_t) n);
        } else if (errno == EAGAIN) {
            full = true;
        } else if (errno != EINTR) { /* the other side has gone; what it has sent is still read */
            pm_bytes_free(q);
            pm_bytes_free(&c->queue);
        }
    }
    if (c->in >= 0)
        channel_watch_output(c, full);
}

static void channel_flush_on_timer(struct pm_timer *t)
{
    channel_flush(OS_OWNER(t, struct pm_channel, flush_timer));
}

void pm_channel_send(struct pm_channel *c, const struct pm_frame *f)
{
    if (c->in < 0)
        return;
    if (pm_frame_put(&c->queue, f))
        channel_end(c, "has no memory for what is sent to it");
    else if (!c->waits && !pm_timer_is_set(&c->flush_timer))
        pm_timer_set(&c->flush_timer, 0, channel_flush_on_timer);
}

bool pm_channel_is_open(const struct pm_channel *c) { return c->in >= 0; }

size_t pm_channel_queued(const struct pm_channel *c) { return c->queue.len + c->sealed.len; }

bool pm_channel_sent_all(const struct pm_channel *c)
{
    return c->in < 0 || (!c->queue.len && !c->sealed.len);
}

static void channel_beat_tick(struct pm_timer *t)
{
    struct pm_channel *c = OS_OWNER(t, struct pm_channel, beat_timer);
    char why[64];

    c->missed = c->heard == c->heard_at_beat ? c->missed + 1 : 0;
    c->heard_at_beat = c->heard;
    if (c->missed >= BEATS) {
        (void) snprintf(why, sizeof why, "has not answered for %g s", BEATS * c->beat_ms / 1000.0);
        channel_end(c, why);
        return;
    }
    pm_channel_send(c, &(struct pm_frame) { .kind = PM_FRAME_BEAT });
    pm_timer_set(t, c->beat_ms, channel_beat_tick);
}

void pm_channel_beat(struct pm_channel *c, int timeout_ms)
{
    pm_timer_clear(&c->beat_timer);
    c->missed = 0;
    if (timeout_ms <= 0 || c->in < 0)
        return;
    c->beat_ms = timeout_ms / BEATS + 1;
    pm_timer_set(&c->beat_timer, c->beat_ms, channel_beat_tick);
}

uint64_t pm_channel_heard(const struct pm_channel *c) { return c->heard; }

/* ---- receiving ------------------------------------------------------------------------------- */

static void channel_check_greeting(struct pm_channel *c, const char *text)
{
    char why[256];

    if (strtol(text, NULL, 10) != PM_CHANNEL_VERSION) {
        (void) snprintf(why, sizeof why,
                        "is of another version of Starling: it says '%.100s', and this mpiexec "
                        "needs a %d at the start",
                        text, PM_CHANNEL_VERSION);
        channel_end(c, why);
        return;
    }
    c->greeted = true;
    c->events.greeted(c->events.owner);
    channel_flush(c);
}

/* Takes one line: a greeting, or noise. len: with its newline. */
static void take_line(struct pm_channel *c, size_t len)
{
    char line[NOISE_LINE + 1];
    size_t used = len;

    memcpy(line, c->received.bytes + c->received.head, len);
    bool whole = len && line[len - 1] == '\n';
    while (used && (line[used - 1] == '\n' || line[used - 1] == '\r'))
        used--;
    line[used] = '\0';
    pm_bytes_take(&c->received, len);
    c->noise += len;
    if (whole && !strncmp(line, magic, sizeof magic - 1))
        channel_check_greeting(c, line + sizeof magic - 1);
    else if (used)
        c->events.noise(c->events.owner, line, used);
    if (c->noise > NOISE_MAX)
        channel_end(c, "has not come, and the host prints without end instead");
}

static void look_for_greeting(struct pm_channel *c)
{
    while (c->in >= 0 && !c->greeted && c->received.len) {
        const char *from = c->received.bytes + c->received.head;
        const char *newline = memchr(from, '\n', c->received.len);
        size_t len = newline ? (size_t) (newline + 1 - from) : c->received.len;
        if (!newline && len < NOISE_LINE)
            return;
        take_line(c, len < NOISE_LINE ? len : NOISE_LINE);
    }
}

static void take_frames(struct pm_channel *c)
{
    struct pm_frame f;
    ssize_t n;

    while (c->in >= 0 && (n = pm_frame_get(&c->received, c->to_proxy, &f))) {
        if (n < 0) {
            channel_end(c, "sends what is no frame");
            return;
        }
        c->heard++;
        c->events.frame(c->events.owner, &f);
        pm_bytes_take(&c->received, (size_t) n);
    }
}

static void take_bytes(struct pm_channel *c)
{
    int err = c->seal ? pm_seal_get(c->seal, &c->sealed_in, &c->received) : 0;

    if (err) {
        channel_end(c, err == -ENOMEM
                           ? "sends more than there is memory for"
                           : "does not know the secret, or what it sends has been changed");
        return;
    }
    look_for_greeting(c);
    if (c->in >= 0 && c->greeted)
        take_frames(c);
}

static void channel_receive(struct pm_channel *c)
{
    struct pm_bytes *q = c->seal ? &c->sealed_in : &c->received;
    char *to = pm_bytes_room(q, CHUNK);
    ssize_t n = to ? read(c->in, to, CHUNK) : -1;

    if (!to) {
        channel_end(c, "sends more than there is memory for");
    } else if (n > 0) {
        q->len += (size_t) n;
        take_bytes(c);
    } else if (!n || (errno != EAGAIN && errno != EINTR)) {
        if (!c->greeted && c->received.len) /* a last line without its end */
            take_line(c, c->received.len);
        channel_end(c, NULL);
    }
}

static void channel_ready(struct pm_source *s)
{
    struct pm_channel *c = OS_OWNER(s, struct pm_channel, ready);

    if (c->in >= 0 && c->waits)
        channel_flush(c);
    if (c->in >= 0)
        channel_receive(c);
}

/* ---- opening --------------------------------------------------------------------------------- */

static struct pm_channel *channel_create(int in, int out, struct pm_seal *seal,
                                         const struct pm_channel_events *events)
{
    struct pm_channel *c = malloc(sizeof *c);
    int err = c ? os_set_nonblocking(in) : -ENOMEM;

    if (!err)
        err = os_set_nonblocking(out);
    if (c)
        *c = (struct pm_channel) {
            .events = *events, .ready.ready = channel_ready, .in = in, .out = out
        };
    if (!err)
        err = pm_loop_watch(in, true, false, &c->ready);
    if (!err) {
        c->seal = seal;
        return c;
    }
    free(c);
    errno = -err;
    return NULL;
}

struct pm_channel *pm_channel_to_proxy(int in, int out, struct pm_seal *seal,
                                       const struct pm_channel_events *events)
{
    struct pm_channel *c = channel_create(in, out, seal, events);

    if (c)
        c->to_proxy = true;
    return c;
}

struct pm_channel *pm_channel_to_owner(int in, int out, struct pm_seal *seal, const char *version,
                                       const struct pm_channel_events *events)
{
    struct pm_channel *c = channel_create(in, out, seal, events);
    char line[128];

    if (!c)
        return NULL;
    c->greeted = true;
    int len = snprintf(line, sizeof line, "\n%s%d %s\n", magic, PM_CHANNEL_VERSION, version);
    if (pm_bytes_add(&c->queue, line, (size_t) len)) {
        pm_channel_free(c);
        errno = ENOMEM;
        return NULL;
    }
    channel_flush(c);
    pm_channel_beat(c, FIRST_MS);
    return c;
}
