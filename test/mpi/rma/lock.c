/* lock.c — R07: locks: shared and exclusive, of several targets and of several windows at once, of
 * all targets. Exclusive locks exclude, and no rank waits for ever. */
#include "rma.h"

static struct window w;

static void lock(int type, int r) { CHECK(MPI_Win_lock(type, r, 0, w.win) == MPI_SUCCESS); }
static void unlock(int r) { CHECK(MPI_Win_unlock(r, w.win) == MPI_SUCCESS); }

static void get(long *to, int target, int index)
{
    MPI_Get(to, 1, MPI_LONG, target, window_disp(&w, target, 8 * index), 1, MPI_LONG, w.win);
}

static void put(const long *from, int target, int index)
{
    MPI_Put(from, 1, MPI_LONG, target, window_disp(&w, target, 8 * index), 1, MPI_LONG, w.win);
}

/* Get, add one, put: no update is lost. Two words tell whether another rank came in between. */
static void counter(int target, int rounds)
{
    long v[2], value;

    window_fill(&w, 0);
    for (int i = 0; i < rounds; i++) {
        lock(MPI_LOCK_EXCLUSIVE, target);
        get(&v[0], target, 0);
        get(&v[1], target, 1);
        MPI_Win_flush(target, w.win);
        CHECK_INT(v[0], v[1]);
        v[0]++;
        v[1]++;
        put(&v[0], target, 0);
        if (i % 8 == 0)
            MPI_Win_flush(target, w.win);
        put(&v[1], target, 1);
        unlock(target);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    lock(MPI_LOCK_SHARED, target);
    get(&value, target, 0);
    unlock(target);
    CHECK_INT(value, rounds * size);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Readers see the two words of a writer equal, and never half of an update; all writers have their
 * turn while readers come and go. */
static void readers_and_writers(bool all)
{
    long a = 0, b = 0;

    window_fill(&w, 0);
    for (int i = 0; i < 12; i++) {
        bool writes = (i + rank) % 4 == 0;

        if (writes) {
            long v = 1000 * rank + i;
            lock(MPI_LOCK_EXCLUSIVE, 0);
            put(&v, 0, 0);
            put(&v, 0, 1);
            unlock(0);
        } else if (all) {
            CHECK(MPI_Win_lock_all(0, w.win) == MPI_SUCCESS);
            get(&a, 0, 0);
            get(&b, 0, 1);
            CHECK(MPI_Win_unlock_all(w.win) == MPI_SUCCESS);
        } else {
            lock(MPI_LOCK_SHARED, 0);
            get(&a, 0, 0);
            get(&b, 0, 1);
            unlock(0);
        }
        CHECK_INT(a, b);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Readers that always hold the lock, one or the other, must not keep a writer out for ever. The
 * readers end when they see what it wrote, or by the time limit of the test. */
static void writer_gets_in(void)
{
    long one = 1, seen = 0;

    window_fill(&w, 0);
    if (rank == 0) {
        rma_pause(2000);
        lock(MPI_LOCK_EXCLUSIVE, 0);
        put(&one, 0, 0);
        unlock(0);
    }
    while (rank > 0 && !seen) {
        lock(MPI_LOCK_SHARED, 0);
        get(&seen, 0, 0);
        unlock(0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Several targets at once, in ascending order, unlocked in another one. */
static void several(void)
{
    long mark[RANKS];

    window_fill(&w, 0);
    for (int i = 0; i < 10; i++) {
        for (int r = 0; r < size; r++)
            lock((i + r) % 2 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, r);
        for (int r = 0; r < size; r++) {
            mark[r] = 100 * i + r;
            put(&mark[r], r, 2 + rank);
        }
        for (int r = 0; r < size; r++)
            unlock((r + i) % size);
    }
    window_settle(&w);
    for (int r = 0; r < size; r++)
        CHECK_INT(((long *) w.base)[2 + r], 900 + rank);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Locks of two windows cross; in one window an exclusive, in the other one a shared lock. */
static void two_windows(void)
{
    struct window other = window_make(ALLOCATED, 64, 8);
    long v, one = 1, got = 0;

    window_fill(&w, 0);
    window_fill(&other, 0);
    for (int i = 0; i < 20; i++) {
        int target = i % size;

        lock(MPI_LOCK_EXCLUSIVE, target);
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, other.win);
        get(&v, target, 0);
        MPI_Accumulate(&one, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, other.win);
        MPI_Win_flush(target, w.win);
        v++;
        put(&v, target, 0);
        unlock(target);
        MPI_Win_unlock(target, other.win);
    }
    window_settle(&w);
    window_settle(&other);
    CHECK_INT(*(long *) w.base, *(long *) other.base);
    MPI_Allreduce(w.base, &got, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(got, 20 * size);
    window_free(&other);
}

/* Locks without operations, of oneself, and of MPI_PROC_NULL. */
static void empty(void)
{
    for (int i = 0; i < 20; i++) {
        lock(i % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, (rank + i) % size);
        unlock((rank + i) % size);
        MPI_Win_lock_all(0, w.win);
        MPI_Win_unlock_all(w.win);
    }
    lock(MPI_LOCK_SHARED, MPI_PROC_NULL);
    unlock(MPI_PROC_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 1024, 8);
        counter(0, 12);
        counter(size - 1, 12);
        readers_and_writers(false);
        readers_and_writers(true);
        writer_gets_in();
        several();
        two_windows();
        empty();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
