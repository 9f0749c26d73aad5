/* probe.c — a PMI client without MPI, for tests of mpiexec and of other launchers.
 *
 * probe                     init, exchange of values of several sizes, barriers, finalize
 * probe settings            prints the settings of mpiexec -set
 * probe program             prints what mpiexec says about the program
 * probe RANK WHAT [ARG]     as the first, but before finalize rank RANK does WHAT: exit N,
 *                           signal N, abort N, nofinalize, close, hang, junk TEXT; the other ranks
 *                           wait in a barrier
 * probe late RANK N         RANK exits with N after finalize */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/pmi/pmi.h"

static struct pmi_job job;
static bool pmi_1; /* the launcher speaks it */

static void need(int err, const char *what)
{
    if (!err)
        return;
    fprintf(stderr, "probe: %s: %s (%s)\n", what, pmi_error_text(), strerror(-err));
    exit(9);
}

static void barrier(void)
{
    need(pmi_barrier_start(), "barrier");
    need(pmi_barrier_finish(), "barrier");
}

/* The value of a rank, whose length depends on the rank. */
static void value_of(int rank, char *text, size_t len)
{
    size_t n = (size_t) (rank * 700) % (len - 1);

    for (size_t i = 0; i < n; i++)
        text[i] = (char) ('a' + (i + (size_t) rank) % 26);
    text[n] = '\0';
}

static void exchange(void)
{
    static char mine[5000], theirs[5000], want[5000];
    char key[32];

    snprintf(key, sizeof key, "value-%d", job.rank);
    value_of(job.rank, mine, sizeof mine);
    need(pmi_put(key, mine), "put");
    barrier();
    for (int i = 0; i < 4; i++) {
        int peer = (job.rank + i) % job.size;
        snprintf(key, sizeof key, "value-%d", peer);
        value_of(peer, want, sizeof want);
        need(pmi_get(peer, key, theirs, sizeof theirs), "get");
        need(strcmp(theirs, want) ? -EBADMSG : 0, "value");
    }
    need(pmi_get(0, "no-such-key", theirs, sizeof theirs) == -ENOENT ? 0 : -EEXIST, "missing key");
    if (pmi_1)
        need(pmi_get(0, "PMI_process_mapping", theirs, sizeof theirs), "mapping");
}

static void misbehave(const char *what, int arg, const char *text)
{
    if (!strcmp(what, "exit"))
        exit(arg);
    if (!strcmp(what, "signal")) {
        (void) signal(arg, SIG_DFL); /* sanitizers have handlers */
        (void) raise(arg);
    }
    if (!strcmp(what, "abort"))
        pmi_abort(arg, text);
    if (!strcmp(what, "nofinalize"))
        _exit(0);
    if (!strcmp(what, "close"))
        (void) close(pmi_fd());
    if (!strcmp(what, "junk"))
        (void) !write(pmi_fd(), text, strlen(text));
    if (!strcmp(what, "hang") || !strcmp(what, "close"))
        (void) pause();
}

static void show(const char *what)
{
    char text[4096];

    need(pmi_settings(text, sizeof text), "settings");
    if (!strcmp(what, "program"))
        need(pmi_program(text, sizeof text), "program");
    printf("%s\n", text);
}

int main(int argc, char **argv)
{
    int appnum = -1, universe = -1;
    bool late = argc > 3 && !strcmp(argv[1], "late");

    pmi_1 = getenv("PMI_FD") || getenv("PMI_PORT");
    need(pmi_init(&job), "init");
    if (job.singleton) {
        printf("singleton\n");
        return 0;
    }
    exchange();
    (void) pmi_appnum(&appnum);
    (void) pmi_universe_size(&universe);
    if (argc == 2)
        show(argv[1]);
    if (argc > 2 && !late) {
        char text[4096];
        (void) pmi_settings(text, sizeof text);
        if (strtol(argv[1], NULL, 10) == job.rank)
            misbehave(argv[2], argc > 3 ? (int) strtol(argv[3], NULL, 10) : 0,
                      argc > 4 ? argv[4] : NULL);
        barrier();
    }
    need(pmi_finalize(), "finalize");
    printf("probe %d of %d, appnum %d, universe %d\n", job.rank, job.size, appnum, universe);
    return late && strtol(argv[2], NULL, 10) == job.rank ? (int) strtol(argv[3], NULL, 10) : 0;
}
