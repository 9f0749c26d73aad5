/* input.c — standard input for the ranks of the first job that -stdin names: one, the default is
 * rank 0, or all.
 *
 * A rank on this node gets the standard input of mpiexec itself, so that mpiexec reads no byte that
 * the rank does not: "while read x; do mpiexec ...; done" keeps its lines. Otherwise mpiexec reads
 * it and forwards the bytes: to a rank of another node, to several ranks, and from a terminal,
 * which is not that of a rank. mpiexec reads a terminal only while it is in the foreground.
 *
 * All ranks get the same bytes, and mpiexec reads more when the slowest has taken them. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "pm/mpiexec/job/job_impl.h"

enum { RETRY_MS = 200, AT_ONCE = 1 << 20, LEAST = 4096 };

static struct pm_source input;
static struct pm_timer retry;
static int readers, behind; /* ranks that input is forwarded to; of these, with bytes not taken */
static bool begun;
static int input_fd = STDIN_FILENO;
static struct pm_job *job;

static void stdin_read_on_timer(struct pm_timer *t)
{
    (void) t;
    input.ready(&input);
}

/* A file can always be read, and the loop does not watch it. */
static void stdin_watch(void)
{
    if (begun && readers && !behind && pm_loop_watch(input_fd, true, false, &input))
        pm_timer_set(&retry, 0, stdin_read_on_timer);
}

static void watch_again(struct pm_timer *t)
{
    (void) t;
    stdin_watch();
}

void pm_input_taken(struct pm_rank *r)
{
    if (!r->behind)
        return;
    r->behind = false;
    behind--;
    stdin_watch();
}

void pm_input_close(struct pm_rank *r)
{
    if (!r->reads)
        return;
    r->reads = false;
    readers--;
    pm_input_taken(r);
    if (readers)
        return;
    pm_loop_drop(input_fd);
    pm_timer_clear(&retry);
}

/* Without bytes, the input has ended. */
static void stdin_forward(const char *bytes, size_t len)
{
    for (int i = 0; i < job->size; i++) {
        job->rank[i].behind = job->rank[i].reads;
        behind += job->rank[i].reads;
    }
    for (int i = 0; i < job->size; i++)
        if (job->rank[i].reads)
            pm_host_input(job->rank[i].host, job->rank[i].process, bytes, len);
}

/* The bytes under way to all ranks are limited. */
static size_t stdin_read_max(void)
{
    size_t share = AT_ONCE / (size_t) readers;

    return share > PM_INPUT_MAX ? PM_INPUT_MAX : share < LEAST ? LEAST : share;
}

/* Bytes are read when those before them have been taken. */
static void read_input(struct pm_source *s)
{
    char bytes[PM_INPUT_MAX];

    (void) s;
    if (!readers)
        return;
    if (isatty(STDIN_FILENO) && !pm_is_in_foreground()) {
        pm_loop_drop(input_fd);
        pm_timer_set(&retry, RETRY_MS, watch_again);
        return;
    }
    ssize_t n = read(input_fd, bytes, stdin_read_max());
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    pm_loop_drop(input_fd);
    stdin_forward(bytes, n > 0 ? (size_t) n : 0);
}

static enum pm_input_kind rank_input_kind(const struct pm_rank *r)
{
    int wanted = r->job->run->spec->input_rank;

    if (r->job->number)
        return PM_INPUT_NONE;
    if (wanted != PM_INPUT_TO_ALL && r->number != wanted) /* PM_INPUT_TO_NONE is no rank */
        return PM_INPUT_NONE;
    if (r->host->remote || (wanted == PM_INPUT_TO_ALL && r->job->size > 1) || isatty(STDIN_FILENO))
        return PM_INPUT_FORWARDED;
    return PM_INPUT_INHERITED;
}

enum pm_input_kind pm_input_add(struct pm_rank *r)
{
    enum pm_input_kind k = rank_input_kind(r);

    r->reads = k == PM_INPUT_FORWARDED;
    readers += r->reads;
    return k;
}

/* A line that the loop has found in a terminal may be taken by another process before mpiexec reads
 * it: by the shell, when the line is "fg". A read that waited for the next line would stop the
 * loop. So the terminal is opened anew: O_NONBLOCK on standard input would change it for the shell,
 * too. */
static void terminal_open(void)
{
    int fd = -1;

    if (isatty(STDIN_FILENO))
        fd = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0)
        input_fd = fd;
}

void pm_input_begin(struct pm_job *j)
{
    job = j;
    terminal_open();
    input.ready = read_input;
    begun = true;
    stdin_watch();
}
