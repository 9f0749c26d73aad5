/* parent.c — a process that asks its launcher for others, for tests of launchers.
 *
 * parent          starts itself as two children, and prints their error codes
 * parent ARG...   is a child: prints what it got and its arguments */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "pm/pmi/pmi.h"

enum { TURN_MS = 100 };

static void need(int err, const char *what)
{
    if (!err)
        return;
    (void) fprintf(stderr, "%s: %s\n", what, pmi_error_text());
    exit(1);
}

static void start_children(void)
{
    char path[4096], *const args[] = { "a b", "-n", NULL };
    const struct pmi_pair preput = { "port", "x#1$y" };
    const struct pmi_spawn_program program = { .command = path, .argv = args, .count = 2 };
    const struct pmi_spawn_request request = { &program, 1, &preput, 1 };
    struct pmi_spawn *spawn;
    int codes[2];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    need(n < 0, "readlink");
    path[n] = '\0';
    need(pmi_spawn_start(&request, &spawn), "spawn");
    struct pollfd p = { .fd = pmi_fd(), .events = POLLIN };
    while (!pmi_spawn_over(spawn))
        (void) poll(&p, 1, TURN_MS);
    need(pmi_spawn_finish(spawn, codes), "spawn");
    printf("codes %d %d\n", codes[0], codes[1]);
}

int main(int argc, char **argv)
{
    struct pmi_job job;
    char text[1024];

    need(pmi_init(&job), "init");
    (void) pmi_settings(text, sizeof text);
    if (argc > 1) {
        need(pmi_preput("port", text, sizeof text), "preput");
        printf("child %d of %d: %s [%s] [%s]\n", job.rank, job.size, text, argv[1], argv[2]);
        need(pmi_barrier_start(), "barrier");
        need(pmi_barrier_finish(), "barrier");
    } else {
        start_children();
    }
    need(pmi_finalize(), "finalize");
    return 0;
}
