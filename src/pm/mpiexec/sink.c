/* sink.c — output sinks: the standard output and error of mpiexec, and files.
 *
 * A slow reader must not block mpiexec, which handles signals and PMI requests meanwhile. The
 * parent of mpiexec shares its standard descriptors, so they must not become non-blocking: pipes
 * and terminals are opened a second time instead. Bytes that cannot be written stay in a queue.
 * When the queue is full the pipes of the ranks are not read, until the ranks block in their
 * writes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "os.h"
#include "output.h"

enum { FULL = 256 << 10, POLLED_WRITE = 4096, LONG_LINE_MS = 1000 };

enum kind {
    NEVER_BLOCKS, /* a file, or a non-blocking description opened here */
    SOCKET,       /* written with MSG_DONTWAIT */
    POLLED, /* a pipe that could not be opened again: takes POLLED_WRITE bytes when poll says so */
};

struct text {
    char *bytes;
    size_t head, len, capacity; /* bytes[head, head + len) */
};

struct pm_sink {
    struct pm_source writable, readable;
    struct pm_sink *next;
    const char *file; /* NULL: standard output or error of mpiexec */
    int fd;
    int stream_epoll; /* epoll of the pipes of ranks whose sink this is */
    enum kind kind;
    bool watched; /* the loop waits until fd is writable; never a regular file */
    bool tty, paused, failed;
    int partial_line_of; /* the rank whose line is unfinished; -1: none */
    struct text queue;
    struct pm_stream *long_line;      /* its long line is written in part; NULL: none */
    struct pm_stream *paused_streams; /* list of those that wait for the end of the long line */
    struct text own_lines;            /* log lines that wait, too */
    struct pm_timer pause_timer;      /* limits the wait; set while a stream or a log line waits */
};

static struct pm_sink *sinks;
static uint64_t written;
static bool reading_stopped; /* pm_sinks_stop_reading() */
static void (*on_failure)(int err, const char *file);

int pm_sink_partial_line_of(const struct pm_sink *k) { return k->partial_line_of; }
bool pm_sink_is_tty(const struct pm_sink *k) { return k->tty; }
bool pm_sink_is_full(const struct pm_sink *k) { return k->queue.len >= FULL; }

int pm_sink_add(struct pm_sink *k, int fd, struct pm_source *s)
{
    return os_epoll_set(k->stream_epoll, fd, true, false, s);
}

/* Nothing to do: pm_sinks_flush() writes after each turn of the loop. */
static void writable(struct pm_source *s) { (void) s; }

static void readable(struct pm_source *source)
{
    struct pm_sink *k = OS_OWNER(source, struct pm_sink, readable);
    void *ready[64];
    int n = os_epoll_wait(k->stream_epoll, ready, 64, 0);

    for (int i = 0; i < n && !pm_sink_is_full(k); i++) {
        struct pm_source *s = ready[i];
        s->ready(s);
    }
}

static struct pm_sink *create(int fd, const char *file)
{
    struct pm_sink *k = calloc(1, sizeof *k);

    if (!k)
        return NULL;
    *k = (struct pm_sink) { .writable.ready = writable,
                            .readable.ready = readable,
                            .next = sinks,
                            .file = file,
                            .fd = fd,
                            .stream_epoll = os_epoll(),
                            .tty = isatty(fd),
                            .partial_line_of = -1 };
    if (k->stream_epoll < 0 || pm_loop_watch(k->stream_epoll, true, false, &k->readable)) {
        free(k);
        return NULL;
    }
    return sinks = k;
}

/* Makes a sink of a standard descriptor, in a way that does not block. */
static struct pm_sink *open_own(int fd)
{
    char path[32] = "/proc/self/fd/0";
    struct stat s;
    enum kind kind = NEVER_BLOCKS;

    if (fstat(fd, &s))
        return NULL;
    if (S_ISFIFO(s.st_mode) || S_ISCHR(s.st_mode)) {
        path[strlen(path) - 1] = (char) ('0' + fd);
        int again = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (again < 0)
            kind = POLLED;
        else
            fd = again;
    } else if (S_ISSOCK(s.st_mode)) {
        kind = SOCKET;
    }
    struct pm_sink *k = create(fd, NULL);
    if (k)
        k->kind = kind;
    return k;
}

int pm_sinks_open(struct pm_output *o, void (*failed)(int err, const char *file))
{
    struct stat out, err;

    on_failure = failed;
    o->out = o->err = open_own(STDOUT_FILENO);
    if (fstat(STDOUT_FILENO, &out) || fstat(STDERR_FILENO, &err))
        return -errno;
    if (out.st_dev != err.st_dev || out.st_ino != err.st_ino)
        o->err = open_own(STDERR_FILENO);
    return o->out && o->err ? 0 : -ENOMEM;
}

struct pm_sink *pm_sink_file(const char *file)
{
    for (struct pm_sink *k = sinks; k; k = k->next)
        if (k->file && !strcmp(k->file, file))
            return k;
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    char *name = fd < 0 ? NULL : strdup(file);
    return name ? create(fd, name) : NULL;
}

static bool make_room(struct text *t, size_t len)
{
    if (t->head + t->len + len <= t->capacity)
        return true;
    if (t->head) {
        memmove(t->bytes, t->bytes + t->head, t->len);
        t->head = 0;
    }
    if (t->len + len <= t->capacity)
        return true;
    size_t capacity = (t->len + len) * 2;
    char *more = realloc(t->bytes, capacity);
    if (more) {
        t->bytes = more;
        t->capacity = capacity;
    }
    return more != NULL;
}

static void append(struct pm_sink *k, struct text *t, const char *text, size_t len)
{
    if (!make_room(t, len)) {
        k->failed = true;
        on_failure(ENOMEM, k->file);
        return;
    }
    memcpy(t->bytes + t->head + t->len, text, len);
    t->len += len;
}

/* ---- long lines ------------------------------------------------------------------------------ */

bool pm_sink_has_long_line_of(const struct pm_sink *k, const struct pm_stream *s)
{
    return k->long_line == s;
}

bool pm_sink_has_other_long_line(const struct pm_sink *k, const struct pm_stream *s)
{
    return k->long_line && k->long_line != s;
}

static void finish_long_line(struct pm_sink *k)
{
    k->long_line = NULL;
    pm_timer_clear(&k->pause_timer);
    for (struct pm_stream *s; (s = k->paused_streams);) {
        k->paused_streams = s->next_paused;
        (void) pm_sink_add(k, s->fd, &s->source);
    }
    struct text own = k->own_lines;
    k->own_lines = (struct text) { 0 };
    pm_sink_put(k, -1, own.bytes, own.len);
    free(own.bytes);
}

/* Ends the wait, unless the queue is full: then all wait for the reader, and the line may still
 * end. */
static void pause_expired(struct pm_timer *t)
{
    struct pm_sink *k = OS_OWNER(t, struct pm_sink, pause_timer);

    if (pm_sink_is_full(k))
        pm_timer_set(t, LONG_LINE_MS, pause_expired);
    else
        finish_long_line(k);
}

static void start_pause_timer(struct pm_sink *k)
{
    if (!pm_timer_is_set(&k->pause_timer))
        pm_timer_set(&k->pause_timer, LONG_LINE_MS, pause_expired);
}

void pm_sink_pause(struct pm_sink *k, struct pm_stream *s)
{
    os_epoll_drop(k->stream_epoll, s->fd);
    s->next_paused = k->paused_streams;
    k->paused_streams = s;
    start_pause_timer(k);
}

void pm_sink_begin_long_line(struct pm_sink *k, struct pm_stream *s) { k->long_line = s; }

void pm_sink_end_long_line(struct pm_sink *k, const struct pm_stream *s)
{
    if (k->long_line == s)
        finish_long_line(k);
}

void pm_sink_remove(struct pm_sink *k, struct pm_stream *s)
{
    struct pm_stream **at = &k->paused_streams;

    pm_sink_end_long_line(k, s);
    while (*at && *at != s)
        at = &(*at)->next_paused;
    if (*at)
        *at = s->next_paused;
    else
        os_epoll_drop(k->stream_epoll, s->fd);
}

/* ---- writing --------------------------------------------------------------------------------- */

void pm_sink_put(struct pm_sink *k, int rank, const char *text, size_t len)
{
    if (!len || k->failed)
        return;
    if (rank < 0 && k->long_line) {
        append(k, &k->own_lines, text, len);
        start_pause_timer(k);
        return;
    }
    if (k->partial_line_of >= 0 && k->partial_line_of != rank)
        append(k, &k->queue, "\n", 1);
    append(k, &k->queue, text, len);
    k->partial_line_of = text[len - 1] == '\n' ? -1 : rank;
}

/* As write(), but never blocks. */
static ssize_t write_some(const struct pm_sink *k)
{
    const char *from = k->queue.bytes + k->queue.head;
    struct pollfd p = { .fd = k->fd, .events = POLLOUT };

    switch (k->kind) {
    case NEVER_BLOCKS:
        return write(k->fd, from, k->queue.len);
    case SOCKET:
        return send(k->fd, from, k->queue.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    case POLLED:
        break;
    }
    if (poll(&p, 1, 0) > 0)
        return write(k->fd, from, k->queue.len < POLLED_WRITE ? k->queue.len : POLLED_WRITE);
    errno = EAGAIN;
    return -1;
}

static void flush(struct pm_sink *k)
{
    struct text *t = &k->queue;

    while (t->len && !k->failed) {
        ssize_t n = write_some(k);
        if (n >= 0) {
            t->head += (size_t) n;
            t->len -= (size_t) n;
            written += (uint64_t) n;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            k->failed = true;
            on_failure(errno, k->file);
        }
    }
    if (!t->len || k->failed)
        t->head = t->len = 0;
}

/* Watches fd while the queue has bytes, and the streams while the queue is not full. */
static void update_watches(struct pm_sink *k)
{
    bool waits = k->queue.len > 0, paused = reading_stopped || pm_sink_is_full(k);

    if (waits != k->watched && waits)
        (void) pm_loop_watch(k->fd, false, true, &k->writable);
    else if (waits != k->watched)
        pm_loop_drop(k->fd);
    k->watched = waits;
    if (paused != k->paused && paused)
        pm_loop_drop(k->stream_epoll);
    else if (paused != k->paused)
        (void) pm_loop_watch(k->stream_epoll, true, false, &k->readable);
    k->paused = paused;
}

void pm_sinks_flush(void)
{
    for (struct pm_sink *k = sinks; k; k = k->next) {
        if (k->queue.len)
            flush(k);
        update_watches(k);
    }
}

bool pm_sinks_empty(void)
{
    for (const struct pm_sink *k = sinks; k; k = k->next)
        if (k->queue.len)
            return false;
    return true;
}

void pm_sinks_stop_reading(void) { reading_stopped = true; }
uint64_t pm_sinks_written(void) { return written; }
