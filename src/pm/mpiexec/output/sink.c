/* sink.c — output sinks: the standard output and error of mpiexec, and files.
 *
 * A slow reader must not block mpiexec, which handles signals and PMI requests meanwhile. The
 * parent of mpiexec shares its standard descriptors, so they must not become non-blocking: pipes
 * and terminals are opened a second time instead. Bytes that cannot be written stay in a queue.
 * While the queue is full the nodes do not read the pipes of the ranks, until the ranks block in
 * their writes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "pm/node/loop.h"
#include "platform/os.h"
#include "pm/mpiexec/output/output_impl.h"
#include "pm/node/pm_node.h"

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
    struct pm_source writable;
    struct pm_sink *next;
    const char *file; /* NULL: standard output or error of mpiexec */
    int number, fd;
    enum kind kind;
    bool watched; /* the loop waits until fd is writable; never a regular file */
    bool tty, live, full, failed;
    int partial_line_of; /* the rank whose line is unfinished, as its streams; -1: none */
    struct text queue;
    int long_line;              /* the stream whose long line is written in part; -1: none */
    int long_line_node;         /* where that is */
    struct text own_lines;      /* log lines that wait for its end */
    struct pm_timer wait_timer; /* limits the wait; set while a log line waits */
};

static struct pm_sink *sinks;
static uint64_t written;
static struct pm_sink_events events;

int pm_sink_number(const struct pm_sink *k) { return k->number; }
int pm_sink_partial_line_of(const struct pm_sink *k) { return k->partial_line_of; }
bool pm_sink_is_tty(const struct pm_sink *k) { return k->tty; }
bool pm_sink_is_live(const struct pm_sink *k) { return k->live; }

bool pm_is_live(int fd)
{
    struct stat s;

    return isatty(fd) || (!fstat(fd, &s) && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode)));
}

/* Nothing to do: pm_sinks_flush() writes after each turn of the loop. */
static void sink_writable(struct pm_source *s) { (void) s; }

static struct pm_sink *sink_create(int fd, const char *file)
{
    struct pm_sink *k = malloc(sizeof *k);

    if (!k)
        return NULL;
    *k = (struct pm_sink) { .writable.ready = sink_writable,
                            .next = sinks,
                            .file = file,
                            .number = sinks ? sinks->number + 1 : 0,
                            .fd = fd,
                            .tty = isatty(fd),
                            .live = pm_is_live(fd),
                            .partial_line_of = -1,
                            .long_line = -1 };
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
    struct pm_sink *k = sink_create(fd, NULL);
    if (k)
        k->kind = kind;
    return k;
}

int pm_sinks_open(struct pm_output *o, const struct pm_sink_events *e)
{
    struct stat out, err;

    events = *e;
    o->out = o->err = open_own(STDOUT_FILENO);
    if (fstat(STDOUT_FILENO, &out) || fstat(STDERR_FILENO, &err))
        return -errno;
    if (out.st_dev != err.st_dev || out.st_ino != err.st_ino)
        o->err = open_own(STDERR_FILENO);
    return o->out && o->err ? 0 : -ENOMEM;
}

/* Files may be many: uses all that the process may open. A pipe without a reader is an error. */
static int open_file(const char *file)
{
    enum { FLAGS = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };
    int fd = open(file, FLAGS, 0666);
    struct rlimit r;

    if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur == r.rlim_max)
        return fd;
    r.rlim_cur = r.rlim_max;
    (void) setrlimit(RLIMIT_NOFILE, &r);
    return open(file, FLAGS, 0666);
}

struct pm_sink *pm_sink_file(const char *file)
{
    for (struct pm_sink *k = sinks; k; k = k->next)
        if (k->file && !strcmp(k->file, file))
            return k;
    int fd = open_file(file);
    char *name = fd < 0 ? NULL : strdup(file);
    return name ? sink_create(fd, name) : NULL;
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

static void sink_append(struct pm_sink *k, struct text *t, const char *text, size_t len)
{
    if (!make_room(t, len)) {
        k->failed = true;
        events.failed(ENOMEM, k->file);
        return;
    }
    memcpy(t->bytes + t->head + t->len, text, len);
    t->len += len;
}

static void check_full(struct pm_sink *k)
{
    bool full = k->queue.len >= FULL;

    if (full == k->full)
        return;
    k->full = full;
    events.full(k->number, full);
}

static void sink_put(struct pm_sink *k, int rank, const char *text, size_t len)
{
    if (!len || k->failed)
        return;
    if (k->partial_line_of >= 0 && k->partial_line_of != rank)
        sink_append(k, &k->queue, "\n", 1);
    sink_append(k, &k->queue, text, len);
    k->partial_line_of = text[len - 1] == '\n' ? -1 : rank;
    check_full(k);
}

static void end_long_line(struct pm_sink *k)
{
    struct text own = k->own_lines;

    k->long_line = -1;
    pm_timer_clear(&k->wait_timer);
    k->own_lines = (struct text) { 0 };
    sink_put(k, -1, own.bytes, own.len);
    free(own.bytes);
    events.line_ended(k->number, k->full);
}

/* Ends the wait, unless the queue is full: then all wait for the reader, and the line may still
 * end. */
static void wait_expired(struct pm_timer *t)
{
    struct pm_sink *k = OS_OWNER(t, struct pm_sink, wait_timer);

    if (k->full)
        pm_timer_set(t, LONG_LINE_MS, wait_expired);
    else
        end_long_line(k);
}

static void sink_wait(struct pm_sink *k)
{
    if (!pm_timer_is_set(&k->wait_timer))
        pm_timer_set(&k->wait_timer, LONG_LINE_MS, wait_expired);
}

bool pm_sink_waits(struct pm_sink *k, int node)
{
    bool waits = k->long_line >= 0 && k->long_line_node != node;

    if (waits)
        sink_wait(k);
    return waits;
}

void pm_sink_put(struct pm_sink *k, int stream, const struct pm_text *t)
{
    if (k->long_line >= 0 && k->long_line != stream)
        end_long_line(k); /* the node has ended the wait */
    sink_put(k, stream / PM_STREAMS, t->bytes, t->len);
    k->long_line_node = t->node;
    if (t->more)
        k->long_line = stream;
    else
        pm_sink_end(k, stream);
}

void pm_sink_end(struct pm_sink *k, int stream)
{
    if (k->long_line == stream)
        end_long_line(k);
}

void pm_sink_log(struct pm_sink *k, const char *line, size_t len)
{
    if (k->failed)
        return;
    if (k->long_line < 0) {
        sink_put(k, -1, line, len);
        return;
    }
    sink_append(k, &k->own_lines, line, len);
    sink_wait(k);
}

/* ---- writing --------------------------------------------------------------------------------- */

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

static void sink_flush(struct pm_sink *k)
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
            events.failed(errno, k->file);
        }
    }
    if (!t->len || k->failed)
        t->head = t->len = 0;
}

/* Watches fd while the queue has bytes. */
static void update_watch(struct pm_sink *k)
{
    bool waits = k->queue.len > 0;

    if (waits != k->watched && waits)
        (void) pm_loop_watch(k->fd, false, true, &k->writable);
    else if (waits != k->watched)
        pm_loop_drop(k->fd);
    k->watched = waits;
}

void pm_sinks_flush(void)
{
    for (struct pm_sink *k = sinks; k; k = k->next) {
        if (k->queue.len)
            sink_flush(k);
        check_full(k);
        update_watch(k);
    }
}

bool pm_sinks_empty(void)
{
    for (const struct pm_sink *k = sinks; k; k = k->next)
        if (k->queue.len)
            return false;
    return true;
}

uint64_t pm_sinks_written(void) { return written; }
