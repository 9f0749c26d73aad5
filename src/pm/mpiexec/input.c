/* input.c — standard input for rank 0.
 *
 * On another node it is read here and forwarded.
 *
 * Rank 0 gets the standard input of mpiexec itself, so that mpiexec reads no byte that the rank
 * does not: "while read x; do mpiexec ...; done" keeps its lines. A terminal is different. Rank
 * 0 is in a background process group of the terminal and may not read it, so mpiexec reads the
 * terminal and forwards the bytes. It reads only while it is in the foreground itself, because the
 * kernel would stop it otherwise. */
#include <errno.h>
#include <unistd.h>
#include "job.h"

enum { RETRY_MS = 200 };

static struct pm_source terminal;
static struct pm_timer retry;
static const struct pm_rank *reader; /* NULL: none */

static void read_now(struct pm_timer *t)
{
    (void) t;
    terminal.ready(&terminal);
}

/* A file can always be read, and the loop does not watch it. */
static void watch(void)
{
    if (pm_loop_watch(STDIN_FILENO, true, false, &terminal))
        pm_timer_set(&retry, 0, read_now);
}

static void watch_again(struct pm_timer *t)
{
    (void) t;
    watch();
}

void pm_input_close(void)
{
    if (!reader)
        return;
    pm_loop_drop(STDIN_FILENO);
    pm_timer_clear(&retry);
    reader = NULL;
}

void pm_input_taken(void)
{
    if (reader)
        watch();
}

/* Bytes are read when those before them have been taken. */
static void read_terminal(struct pm_source *s)
{
    char bytes[PM_INPUT_MAX];

    (void) s;
    if (!reader)
        return;
    if (isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) != getpgrp()) {
        pm_loop_drop(STDIN_FILENO);
        pm_timer_set(&retry, RETRY_MS, watch_again);
        return;
    }
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return;
    pm_loop_drop(STDIN_FILENO);
    pm_host_input(reader->host, reader->process, bytes, n > 0 ? (size_t) n : 0);
}

enum pm_input_kind pm_input_kind(const struct pm_host *h)
{
    return h->remote || isatty(STDIN_FILENO) ? PM_INPUT_FORWARDED : PM_INPUT_INHERITED;
}

void pm_input_start(const struct pm_rank *r)
{
    reader = r;
    terminal.ready = read_terminal;
    watch();
}
