/* stream.c — cuts the output of a process into lines.
 *
 * A line is held until it is complete, so that output of other ranks cannot get into the middle
 * of it. Three kinds of lines are passed on earlier: a line that is too long to hold, during
 * which the other ranks wait; the last line, when its process ends; and, on a terminal or from a
 * process that may read the answer, a line that does not grow for PROMPT_MS, because it may be a
 * prompt.
 *
 * A read of a pseudo-terminal fails with EIO when all that had it for their output have closed it,
 * and all that they have written has been read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

enum { CHUNK = 1 << 16, LINE_MAX_HELD = 1 << 16, PROMPT_MS = 100 };

static struct pm_stream *prompts; /* streams with an unfinished line for a terminal */
static struct pm_timer prompt_timer;

/* Passes on a line or more, or a part of one. */
static void stream_emit(struct pm_stream *s, const char *text, size_t len, bool more)
{
    const struct pm_node_events *e = &s->process->node->events;

    if (len)
        e->output(e->owner, s->process->number, s->number, text, len, more);
}

static void emit_held(struct pm_stream *s, bool more)
{
    size_t len = s->len;

    s->len = 0;
    stream_emit(s, s->held, len, more);
}

static bool may_prompt(const struct pm_stream *s)
{
    return s->hold == PM_HOLD_PROMPTS
           || (s->hold == PM_HOLD_QUESTIONS && pm_may_read_input(s->process));
}

static void show_prompts(struct pm_timer *t)
{
    uint64_t now = os_time_ns();

    for (struct pm_stream **at = &prompts; *at;) {
        struct pm_stream *s = *at;
        bool grows = now - s->changed_ns < (uint64_t) PROMPT_MS * 1000000;
        if (s->len && (grows || pm_lane_has_other_long_line(s->lane, s))) {
            at = &s->next_prompt;
            continue;
        }
        if (may_prompt(s)) /* its input may have ended meanwhile */
            emit_held(s, false);
        s->changed_ns = 0;
        *at = s->next_prompt;
    }
    if (prompts)
        pm_timer_set(t, PROMPT_MS, show_prompts);
}

/* The line may be a prompt: it is shown when it does not grow. */
static void watch_prompt(struct pm_stream *s)
{
    bool listed = s->changed_ns;

    s->changed_ns = os_time_ns();
    if (listed)
        return;
    s->next_prompt = prompts;
    prompts = s;
    if (!pm_timer_is_set(&prompt_timer))
        pm_timer_set(&prompt_timer, PROMPT_MS, show_prompts);
}

static void unwatch_prompt(struct pm_stream *s)
{
    struct pm_stream **at = &prompts;

    while (*at && *at != s)
        at = &(*at)->next_prompt;
    if (*at)
        *at = s->next_prompt;
    s->changed_ns = 0;
}

/* Makes room for more of the held line; false: no memory. */
static bool stream_grow(struct pm_stream *s, size_t len)
{
    if (s->len + len <= s->capacity)
        return true;
    size_t capacity = (s->len + len) * 2;
    char *more = realloc(s->held, capacity);
    if (!more)
        return false;
    s->held = more;
    s->capacity = capacity;
    return true;
}

static void stream_hold(struct pm_stream *s, const char *text, size_t len)
{
    if (!stream_grow(s, len)) { /* no memory: a line in two parts is better than a lost one */
        emit_held(s, false);
        stream_emit(s, text, len, false);
        return;
    }
    if (len)
        memcpy(s->held + s->len, text, len);
    s->len += len;
    if (s->len > LINE_MAX_HELD)
        s->lane->long_line = s;
    if (s->lane->long_line == s)
        emit_held(s, true);
    if (s->len && may_prompt(s))
        watch_prompt(s);
}

/* Passes on the held line as a whole: behind a part of it might come output of another node.
 * Returns how much of the text it needed. */
static size_t end_held_line(struct pm_stream *s, const char *text, size_t len)
{
    const char *end = memchr(text, '\n', len);
    size_t first = end ? (size_t) (end + 1 - text) : len;

    if (!stream_grow(s, first)) { /* as above */
        emit_held(s, false);
        return 0;
    }
    memcpy(s->held + s->len, text, first);
    s->len += first;
    emit_held(s, false);
    return first;
}

static void stream_split(struct pm_stream *s, const char *text, size_t len)
{
    const char *last = s->hold == PM_HOLD_NOTHING ? text + len - 1 : memrchr(text, '\n', len);

    if (!last) {
        stream_hold(s, text, len);
        return;
    }
    size_t whole = (size_t) (last + 1 - text);
    size_t first = s->len ? end_held_line(s, text, whole) : 0;
    stream_emit(s, text + first, whole - first, false);
    pm_lane_end_long_line(s->lane, s);
    if (whole < len)
        stream_hold(s, text + whole, len - whole);
}

bool pm_stream_read(struct pm_stream *s)
{
    static char chunk[CHUNK];
    ssize_t n = s->fd < 0 ? 0 : read(s->fd, chunk, sizeof chunk);

    if (n > 0)
        stream_split(s, chunk, (size_t) n);
    else if (!n || (errno != EAGAIN && errno != EINTR))
        pm_stream_close(s);
    return n > 0;
}

static void stream_ready(struct pm_source *source)
{
    struct pm_stream *s = OS_OWNER(source, struct pm_stream, source);

    if (pm_lane_has_other_long_line(s->lane, s))
        pm_lane_pause(s->lane, s);
    else
        (void) pm_stream_read(s);
}

int pm_stream_open(struct pm_stream *s, int fd)
{
    int err = os_set_nonblocking(fd);

    s->source.ready = stream_ready;
    s->fd = fd;
    if (!err)
        err = pm_lane_add(s->lane, s);
    return err;
}

void pm_stream_close(struct pm_stream *s)
{
    const struct pm_node_events *e = &s->process->node->events;

    if (s->fd < 0)
        return;
    emit_held(s, false);
    if (s->changed_ns)
        unwatch_prompt(s);
    free(s->held);
    s->held = NULL;
    s->capacity = 0;
    pm_lane_remove(s->lane, s);
    (void) close(s->fd);
    s->fd = -1;
    e->output_ended(e->owner, s->process->number, s->number);
    pm_node_check_leaving(s->process->node);
}
