/* input.c — standard input for rank 0.
 *
 * Rank 0 gets the standard input of mpiexec itself, so that mpiexec reads no byte that the rank
 * does not: "while read x; do mpiexec ...; done" keeps its lines. A terminal is different. Rank
 * 0 is in a background process group of the terminal and may not read it, so mpiexec reads the
 * terminal and forwards the bytes through a pipe. It reads only while it is in the foreground
 * itself, because the kernel would stop it otherwise. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "job.h"
#include "os.h"

enum { RETRY_MS = 200 };

static struct pm_source terminal, writable;
static struct pm_timer retry;
static int read_end = -1, write_end = -1;
static char bytes[4096];
static size_t at, len; /* bytes[at, len) are not forwarded yet */

/* A system without /dev/null, such as a container, gets a pipe whose write end is closed. */
int pm_open_null(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC), end[2];

    if (fd >= 0)
        return fd;
    if (pipe2(end, O_CLOEXEC))
        return -errno;
    (void) close(end[1]);
    return end[0];
}

void pm_input_close(void)
{
    if (write_end < 0)
        return;
    pm_loop_drop(STDIN_FILENO);
    pm_loop_drop(write_end);
    (void) close(write_end);
    write_end = -1;
    pm_timer_clear(&retry);
}

static void watch_again(struct pm_timer *t)
{
    (void) t;
    (void) pm_loop_watch(STDIN_FILENO, true, false, &terminal);
}

/* Writes bytes to the pipe. Then watches the pipe when it is full, otherwise the terminal. */
static void forward(void)
{
    while (at < len) {
        ssize_t n = write(write_end, bytes + at, len - at);
        if (n > 0) {
            at += (size_t) n;
        } else if (errno == EAGAIN) {
            pm_loop_drop(STDIN_FILENO);
            (void) pm_loop_watch(write_end, false, true, &writable);
            return;
        } else if (errno != EINTR) {
            pm_input_close(); /* rank 0 has closed its input */
            return;
        }
    }
    at = len = 0;
    (void) pm_loop_watch(STDIN_FILENO, true, false, &terminal);
}

static void read_terminal(struct pm_source *s)
{
    (void) s;
    if (write_end < 0 || at < len)
        return;
    if (tcgetpgrp(STDIN_FILENO) != getpgrp()) {
        pm_loop_drop(STDIN_FILENO);
        pm_timer_set(&retry, RETRY_MS, watch_again);
        return;
    }
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n > 0) {
        len = (size_t) n;
        forward();
    } else if (!n || errno != EINTR) {
        pm_input_close();
    }
}

static void write_pipe(struct pm_source *s)
{
    (void) s;
    if (write_end < 0)
        return;
    pm_loop_drop(write_end);
    forward();
}

int pm_input_open(struct pm_job *j)
{
    int fd[2];

    j->rank0_stdin = STDIN_FILENO;
    if (!isatty(STDIN_FILENO))
        return 0;
    if (pipe2(fd, O_CLOEXEC))
        return -errno;
    j->rank0_stdin = read_end = fd[0];
    write_end = fd[1];
    terminal.ready = read_terminal;
    writable.ready = write_pipe;
    int err = os_set_nonblocking(write_end);
    return err ? err : pm_loop_watch(STDIN_FILENO, true, false, &terminal);
}

void pm_input_started(struct pm_job *j)
{
    if (read_end >= 0)
        (void) close(read_end);
    j->rank0_stdin = read_end = -1;
}
