/* stream.c — cuts the output of a rank into lines.
 *
 * A line is held until it is complete, so that output of other ranks cannot get into the middle
 * of it. Three kinds of lines are passed on earlier: a line that is too long to hold, during
 * which the other ranks wait; the last line, when its rank ends; and, on a terminal, a line that
 * does not grow for PROMPT_MS, because it may be a prompt. A job with a single rank holds no
 * lines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "os.h"
#include "output.h"

enum { CHUNK = 1 << 16, LINE_MAX_HELD = 1 << 16, PROMPT_MS = 100 };

static const char *prefix;
static bool direct;
static struct pm_stream *prompts; /* streams with an unfinished line for a terminal */
static struct pm_timer prompt_timer;

void pm_streams_mode(const char *pattern, bool no_holding)
{
    prefix = pattern;
    direct = no_holding && !pattern;
}

/* Passes a line, or a part of one, to the sink. */
static void emit(struct pm_stream *s, const char *text, size_t len)
{
    char start[512];

    if (!len)
        return;
    if (prefix && pm_sink_partial_line_of(s->sink) != s->rank)
        pm_sink_put(s->sink, s->rank, start, pm_pattern(prefix, s->rank, start, sizeof start));
    pm_sink_put(s->sink, s->rank, text, len);
}

static void emit_held(struct pm_stream *s)
{
    emit(s, s->held, s->len);
    s->len = 0;
}

static void show_prompts(struct pm_timer *t)
{
    uint64_t now = os_time_ns();

    for (struct pm_stream **at = &prompts; *at;) {
        struct pm_stream *s = *at;
        bool grows = now - s->changed_ns < (uint64_t) PROMPT_MS * 1000000;
        if (s->len && (grows || pm_sink_has_other_long_line(s->sink, s))) {
            at = &s->next_prompt;
            continue;
        }
        emit_held(s);
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

static void hold(struct pm_stream *s, const char *text, size_t len)
{
    if (s->len + len > s->capacity) {
        size_t capacity = (s->len + len) * 2;
        char *more = realloc(s->held, capacity);
        if (!more) { /* no memory: a line in two parts is better than a lost one */
            emit_held(s);
            emit(s, text, len);
            return;
        }
        s->held = more;
        s->capacity = capacity;
    }
    if (len)
        memcpy(s->held + s->len, text, len);
    s->len += len;
    if (s->len > LINE_MAX_HELD)
        pm_sink_begin_long_line(s->sink, s);
    if (pm_sink_has_long_line_of(s->sink, s))
        emit_held(s);
    if (s->len && pm_sink_is_tty(s->sink))
        watch_prompt(s);
}

static void split(struct pm_stream *s, const char *text, size_t len)
{
    const char *last = direct ? text + len - 1 : memrchr(text, '\n', len);

    if (!last) {
        hold(s, text, len);
        return;
    }
    size_t whole = (size_t) (last + 1 - text);
    for (size_t at = 0, n; at < whole; at += n) {
        const char *end = prefix ? memchr(text + at, '\n', whole - at) : last;
        n = (size_t) (end + 1 - text) - at;
        emit_held(s);
        emit(s, text + at, n);
    }
    pm_sink_end_long_line(s->sink, s);
    if (whole < len)
        hold(s, text + whole, len - whole);
}

bool pm_stream_read(struct pm_stream *s)
{
    static char chunk[CHUNK];
    ssize_t n = s->fd < 0 ? 0 : read(s->fd, chunk, sizeof chunk);

    if (n > 0)
        split(s, chunk, (size_t) n);
    else if (!n || (errno != EAGAIN && errno != EINTR))
        pm_stream_close(s);
    return n > 0;
}

static void ready(struct pm_source *source)
{
    struct pm_stream *s = OS_OWNER(source, struct pm_stream, source);

    if (pm_sink_has_other_long_line(s->sink, s))
        pm_sink_pause(s->sink, s);
    else
        (void) pm_stream_read(s);
}

int pm_stream_open(struct pm_stream *s, int fd, int rank, struct pm_sink *sink)
{
    int err = os_set_nonblocking(fd);

    s->source.ready = ready;
    s->fd = fd;
    s->rank = rank;
    s->sink = sink;
    return err ? err : pm_sink_add(sink, fd, &s->source);
}

void pm_stream_close(struct pm_stream *s)
{
    if (s->fd < 0)
        return;
    if (s->len) {
        emit_held(s);
        if (prefix) /* lines with a prefix always end in a newline */
            emit(s, "\n", 1);
    }
    if (s->changed_ns)
        unwatch_prompt(s);
    free(s->held);
    s->held = NULL;
    s->capacity = 0;
    pm_sink_remove(s->sink, s);
    (void) close(s->fd);
    s->fd = -1;
}
