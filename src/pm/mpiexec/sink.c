/* sink.c — where output goes: mpiexec's standard output and error, and files.
 *
 * A slow reader must not block mpiexec, which has signals and ranks to attend to. The
 * descriptors of mpiexec are shared with whoever started it and so may not be made non-blocking:
 * pipes and terminals are opened once more instead. What cannot be written waits in a queue, and
 * when that is full the ranks' pipes are not read, which in the end stops the ranks. */
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

enum { FULL = 256 << 10, POLLED_WRITE = 4096 };

enum kind {
    NEVER_BLOCKS, /* a file, or a description of our own that is non-blocking */
    SOCKET,       /* MSG_DONTWAIT */
    POLLED,       /* a pipe of somebody else's: has room for POLLED_WRITE bytes when poll says so */
};

struct pm_sink {
    struct pm_source writable, readable;
    struct pm_sink *next;
    const char *file; /* NULL: an output of mpiexec's own */
    int fd;
    int streams; /* epoll of the ranks' pipes that lead here */
    enum kind kind;
    bool waits; /* for fd to be writable; never a regular file */
    bool tty, paused, lost;
    int line_of; /* rank whose line is unfinished, -1: none */
    char *queue;
    size_t head, len, capacity; /* queue[head, head + len) */
};

static struct pm_sink *sinks;
static void (*tell)(int err, const char *file);

int pm_sink_line_of(const struct pm_sink *k) { return k->line_of; }
bool pm_sink_is_tty(const struct pm_sink *k) { return k->tty; }
bool pm_sink_is_full(const struct pm_sink *k) { return k->len >= FULL; }
void pm_sink_forget(struct pm_sink *k, int fd) { os_epoll_drop(k->streams, fd); }

int pm_sink_read_into(struct pm_sink *k, int fd, struct pm_source *s)
{
    return os_epoll_set(k->streams, fd, true, false, s);
}

static void writable(struct pm_source *s) { (void) s; } /* the loop ends in pm_sinks_flush() */

static void readable(struct pm_source *source)
{
    struct pm_sink *k = OS_OWNER(source, struct pm_sink, readable);
    void *ready[64];
    int n = os_epoll_wait(k->streams, ready, 64, 0);

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
                            .streams = os_epoll(),
                            .tty = isatty(fd),
                            .line_of = -1 };
    if (k->streams < 0 || pm_loop_watch(k->streams, true, false, &k->readable)) {
        free(k);
        return NULL;
    }
    return sinks = k;
}

/* An output of mpiexec's own, in a way that does not block. */
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

    tell = failed;
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

static bool make_room(struct pm_sink *k, size_t len)
{
    if (k->head + k->len + len <= k->capacity)
        return true;
    if (k->head) {
        memmove(k->queue, k->queue + k->head, k->len);
        k->head = 0;
    }
    if (k->len + len <= k->capacity)
        return true;
    size_t capacity = (k->len + len) * 2;
    char *more = realloc(k->queue, capacity);
    if (more) {
        k->queue = more;
        k->capacity = capacity;
    }
    return more != NULL;
}

static void append(struct pm_sink *k, const char *text, size_t len)
{
    if (!make_room(k, len)) {
        k->lost = true;
        tell(ENOMEM, k->file);
        return;
    }
    memcpy(k->queue + k->head + k->len, text, len);
    k->len += len;
}

void pm_sink_put(struct pm_sink *k, int rank, const char *text, size_t len)
{
    if (!len || k->lost)
        return;
    if (k->line_of >= 0 && k->line_of != rank)
        append(k, "\n", 1);
    append(k, text, len);
    k->line_of = text[len - 1] == '\n' ? -1 : rank;
}

/* As write(), but never waits. */
static ssize_t write_some(const struct pm_sink *k)
{
    const char *from = k->queue + k->head;
    struct pollfd p = { .fd = k->fd, .events = POLLOUT };

    switch (k->kind) {
    case NEVER_BLOCKS:
        return write(k->fd, from, k->len);
    case SOCKET:
        return send(k->fd, from, k->len, MSG_DONTWAIT | MSG_NOSIGNAL);
    case POLLED:
        break;
    }
    if (poll(&p, 1, 0) > 0)
        return write(k->fd, from, k->len < POLLED_WRITE ? k->len : POLLED_WRITE);
    errno = EAGAIN;
    return -1;
}

static void flush(struct pm_sink *k)
{
    while (k->len && !k->lost) {
        ssize_t n = write_some(k);
        if (n >= 0) {
            k->head += (size_t) n;
            k->len -= (size_t) n;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            k->lost = true;
            tell(errno, k->file);
        }
    }
    if (!k->len || k->lost)
        k->head = k->len = 0;
}

/* Watches what the state of the queue asks for. */
static void arrange(struct pm_sink *k)
{
    bool waits = k->len > 0, paused = pm_sink_is_full(k);

    if (waits != k->waits && waits)
        (void) pm_loop_watch(k->fd, false, true, &k->writable);
    else if (waits != k->waits)
        pm_loop_drop(k->fd);
    k->waits = waits;
    if (paused != k->paused && paused)
        pm_loop_drop(k->streams);
    else if (paused != k->paused)
        (void) pm_loop_watch(k->streams, true, false, &k->readable);
    k->paused = paused;
}

void pm_sinks_flush(void)
{
    for (struct pm_sink *k = sinks; k; k = k->next) {
        if (k->len)
            flush(k);
        arrange(k);
    }
}

bool pm_sinks_empty(void)
{
    for (const struct pm_sink *k = sinks; k; k = k->next)
        if (k->len)
            return false;
    return true;
}
