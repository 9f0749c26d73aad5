/* gate.c — memory that all ranks share, whichever library they use, and what they do with it.
 *
 * Rank 0 makes it without a name; the others open it through /proc. So all must be on one node. */
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "gate.h"
#include "perf.h"
#include "probe.h"

enum { RANKS = 4096, LET_WORK_NS = 20000000 };

struct shared {
    struct probe probe;
    _Alignas(128) _Atomic uint32_t generation; /* of the gate; its futex */
    _Atomic int arrived;
    double probed_ns;
    double value[2][RANKS]; /* in turns, so that one gate is enough */
};

static struct shared *shared;

void gate_open(void)
{
    char path[64] = "";
    int fd = -1;

    if (perf.rank == 0 && (fd = memfd_create("perf", MFD_CLOEXEC)) >= 0
        && !ftruncate(fd, sizeof *shared))
        (void) snprintf(path, sizeof path, "/proc/%d/fd/%d", (int) getpid(), fd);
    (void) MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (perf.rank > 0)
        fd = open(path, O_RDWR | O_CLOEXEC);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || shared == MAP_FAILED || perf.size > RANKS)
        perf_fail("the ranks cannot share memory: all must be on one node");
    (void) MPI_Barrier(MPI_COMM_WORLD); /* all have opened it */
    (void) close(fd);
}

/* Sleeps until the other ranks are here. */
static void pass(bool let_work)
{
    const struct timespec patience = { .tv_nsec = LET_WORK_NS };
    uint32_t before = atomic_load(&shared->generation);
    int found;

    if (atomic_fetch_add(&shared->arrived, 1) + 1 == perf.size) {
        atomic_store(&shared->arrived, 0);
        atomic_store(&shared->generation, before + 1);
        (void) syscall(SYS_futex, &shared->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        return;
    }
    while (atomic_load(&shared->generation) == before) {
        (void) syscall(SYS_futex, &shared->generation, FUTEX_WAIT, before, &patience, NULL, 0);
        /* A library may still hold messages that it has to send, and send them only when it is
         * called. */
        if (let_work && atomic_load(&shared->generation) == before)
            (void) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found,
                              MPI_STATUS_IGNORE);
    }
}

void perf_gate(void) { pass(true); }
void perf_quiet_gate(void) { pass(false); }

double perf_max(double mine)
{
    static int turn;
    double *v = shared->value[turn ^= 1], max = mine;

    v[perf.rank] = mine;
    perf_gate();
    for (int i = 0; i < perf.size; i++)
        max = v[i] > max ? v[i] : max;
    return max;
}

double gate_probe(void)
{
    cpu_set_t all, mine;
    int side = perf.rank;

    if (probe_cores(&all) < 2 || perf.size < 2)
        return -1;
    atomic_store(&shared->probe.turn, 0);
    perf_gate();
    if (side < 2) {
        (void) sched_getaffinity(0, sizeof mine, &mine);
        (void) probe_pin(side);
        double ns = probe_play(&shared->probe, side);
        if (side == 0)
            shared->probed_ns = ns;
        (void) sched_setaffinity(0, sizeof mine, &mine);
    }
    perf_gate(); /* the others sleep meanwhile */
    return shared->probed_ns;
}
