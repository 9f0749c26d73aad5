/* area.c — R01, R02: windows of MPI_Win_create in memory of MPI_Alloc_mem that the library may
 * share on a node (info key alloc_shm, which others ignore): two in one piece of memory, memory
 * that is freed before its window, and that of some processes only.
 *
 * silent: the target calls nothing while it waits for what others put, accumulate and swap; this is
 * for one node. plain: without the info key. */
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "rma_test.h"

enum { WORDS = 1024, ROUNDS = 200, SILENT_MOST = 8 };

static int rank, size, plain;

/* Zeros. */
static long *get(int words, int shared)
{
    MPI_Info info;
    long *at;

    MPI_Info_create(&info);
    if (!plain)
        MPI_Info_set(info, "alloc_shm", shared ? "true" : "false");
    MPI_Alloc_mem(words * (MPI_Aint) sizeof *at, info, &at);
    MPI_Info_free(&info);
    memset(at, 0, (size_t) words * sizeof *at);
    return at;
}

static MPI_Win window(long *at, int words)
{
    MPI_Win w;

    MPI_Win_create(at, words * (MPI_Aint) sizeof *at, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &w);
    return w;
}

/* All processes add to one word of each process, and each writes a word of its own there. */
static void use(MPI_Win w)
{
    long one = 1, mine = rank + 1, old, got;

    MPI_Win_lock_all(0, w);
    for (int i = 0; i < ROUNDS; i++)
        for (int r = 0; r < size; r++)
            if (i % 2)
                MPI_Accumulate(&one, 1, MPI_LONG, r, 0, 1, MPI_LONG, MPI_SUM, w);
            else
                MPI_Fetch_and_op(&one, &old, MPI_LONG, r, 0, MPI_SUM, w);
    for (int r = 0; r < size; r++)
        MPI_Put(&mine, 1, MPI_LONG, r, 1 + rank, 1, MPI_LONG, w);
    MPI_Win_unlock_all(w);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w);
    for (int r = 0; r < size; r++)
        for (int k = 0; k <= size; k++) {
            MPI_Get(&got, 1, MPI_LONG, r, k, 1, MPI_LONG, w);
            MPI_Win_flush(r, w);
            CHECK_INT(got, k ? k : (long) size * ROUNDS);
        }
    MPI_Win_unlock_all(w);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Each in a part of its own. */
static void two_windows(void)
{
    long *at = get(WORDS, 1);
    MPI_Win whole, first = window(at, WORDS / 2), second = window(at + WORDS / 2, WORDS / 2);

    use(first);
    use(second);
    MPI_Win_free(&first);
    CHECK(at[WORDS / 2] == (long) size * ROUNDS && at[1] == 1);
    memset(at, 0, WORDS * sizeof *at);
    MPI_Barrier(MPI_COMM_WORLD);
    use(second);
    whole = window(at, WORDS);
    memset(at, 0, WORDS * sizeof *at);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&second);
    use(whole);
    MPI_Win_free(&whole);
    MPI_Free_mem(at);
}

/* The memory of the processes that are in `shared` may be shared. */
static void mixed(unsigned shared)
{
    long *at = get(WORDS, shared >> rank % 4 & 1);
    MPI_Win w = window(at + rank, WORDS / 2);

    use(w);
    MPI_Win_free(&w);
    MPI_Free_mem(at);
}

/* Some have none, or memory that is in no region as a whole. */
static void outside(void)
{
    static long other[WORDS];
    long *at = get(WORDS, 1);
    MPI_Win w = window(rank % 2 ? at : other, WORDS);

    memset(other, 0, sizeof other);
    MPI_Barrier(MPI_COMM_WORLD);
    use(w);
    MPI_Win_free(&w);
    w = window(at, rank ? 0 : WORDS);
    MPI_Win_free(&w);
    MPI_Free_mem(at);
}

/* Many programs do that. New memory, which may come to the same place, is not the window's. */
static void freed_before(void)
{
    long *at = get(WORDS, 1), *next, old = -1, got;
    MPI_Win w = window(at, WORDS);

    use(w);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Free_mem(at);
    next = get(WORDS, 1);
    next[0] = old;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&w);
    w = window(next, WORDS);
    MPI_Win_fence(0, w);
    MPI_Get(&got, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, w);
    MPI_Win_fence(0, w);
    CHECK_INT(got, old);
    MPI_Win_free(&w);
    MPI_Free_mem(next);
}

/* Nothing is left of windows in one piece of memory, or in many. */
static void in_turn(void)
{
    for (int i = 0; i < 300; i++) {
        long *at = get(16, 1);
        MPI_Win w = window(at, 16);
        MPI_Win_free(&w);
        MPI_Free_mem(at);
    }
}

static void sizes(void)
{
    long *none = get(0, 1), *at;
    MPI_Info info;

    MPI_Free_mem(none);
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shm", "true");
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "2097152");
    MPI_Alloc_mem(3 << 20, info, &at);
    memset(at, 1, 3 << 20);
    MPI_Free_mem(at);
    MPI_Info_free(&info);
}

/* ---- silent targets -------------------------------------------------------------------------- */

static void wait_for(const volatile long *at, long value)
{
    time_t end = time(NULL) + 4;

    while (*at != value)
        CHECK(time(NULL) < end);
}

/* Rank 0 waits for the others in turn. Each begins at its signal: rank 0 is in no call then, where
 * it would move messages. */
static void silent(void)
{
    long *at = get(WORDS, 1), old, value = rank, zero = 0;
    MPI_Win w = window(at + 1, WORDS - 1);
    int pid = getpid(), pids[SILENT_MOST], begins;
    sigset_t begin;

    CHECK(size <= SILENT_MOST);
    sigemptyset(&begin);
    sigaddset(&begin, SIGUSR1);
    sigprocmask(SIG_BLOCK, &begin, NULL);
    MPI_Gather(&pid, 1, MPI_INT, pids, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 1; r < size; r++) {
        if (rank == 0)
            CHECK(!kill(pids[r], SIGUSR1));
        if (rank == r) {
            CHECK(!sigwait(&begin, &begins));
            MPI_Accumulate(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_SUM, w);
            MPI_Compare_and_swap(&value, &zero, &old, MPI_LONG, 0, 2 + r, w);
            MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w);
            MPI_Win_flush(0, w);
        }
        if (rank == 0) {
            wait_for(at + 1, r);
            wait_for(at + 2, (long) r * (r + 1) / 2);
            wait_for(at + 3 + r, r);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(w);
    MPI_Win_free(&w);
    MPI_Free_mem(at);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    plain = argc > 2 && !strcmp(argv[2], "plain");
    if (argc > 1) {
        silent();
    } else {
        two_windows();
        for (unsigned shared = 0; shared < 16; shared += 5)
            mixed(shared);
        mixed(14);
        outside();
        freed_before();
        in_turn();
        sizes();
    }
    MPI_Finalize();
    return 0;
}
