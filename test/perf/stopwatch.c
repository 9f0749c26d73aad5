/* stopwatch.c — the time of a command from start to end, between two probes of the cores. Not an
 * MPI program: it starts one.
 *
 * Usage: stopwatch NAME SIZE SAMPLES COMMAND...     prints lines as in perf.h, in ms */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "probe.h"

extern char **environ;

static struct probe *shared;

/* Plays ping-pong with a child; < 0 when there is one core only. */
static double probe_ns(void)
{
    cpu_set_t all, mine;

    if (probe_cores(&all) < 2)
        return -1;
    atomic_store(&shared->turn, 0);
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        (void) probe_pin(1);
        (void) probe_play(shared, 1);
        _exit(0);
    }
    (void) sched_getaffinity(0, sizeof mine, &mine);
    (void) probe_pin(0);
    double ns = probe_play(shared, 0);
    (void) sched_setaffinity(0, sizeof mine, &mine);
    (void) waitpid(child, NULL, 0);
    return ns;
}

/* Seconds, < 0 when the command fails. */
static double run(char **command)
{
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int status;

    (void) posix_spawn_file_actions_init(&quiet);
    (void) posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
    (void) posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    double start = probe_now();
    errno = posix_spawnp(&child, command[0], &quiet, NULL, command, environ);
    if (errno || waitpid(child, &status, 0) < 0 || status) {
        (void) fprintf(stderr, "stopwatch: %s failed%s%s\n", command[0], errno ? ": " : "",
                       errno ? strerror(errno) : "");
        return -1;
    }
    double took = probe_now() - start;
    (void) posix_spawn_file_actions_destroy(&quiet);
    return took;
}

int main(int argc, char **argv)
{
    int samples = argc > 4 ? (int) strtol(argv[3], NULL, 10) : 0;

    if (samples < 1) {
        (void) fprintf(stderr, "usage: stopwatch NAME SIZE SAMPLES COMMAND...\n");
        return 2;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    for (int i = 0; i < samples; i++) {
        double before = probe_ns(), seconds = run(argv + 4), after = probe_ns();
        if (seconds < 0)
            return 1;
        (void) printf("%s %s %.6g ms %s %.0f %.0f\n", argv[1], argv[2], seconds * 1e3,
                      probe_name(probe_class(before, after)), before, after);
        (void) fflush(stdout);
    }
    return 0;
}
