/* flush.c — R08, R12: MPI_Win_flush completes operations at the target; MPI_Win_sync; a load in the
 * unified model sees a put after a while. */
#include "rma.h"

enum { N = 20 };

static struct window w;
static int next, previous;

static int put(const int *value, int target, int index)
{
    return MPI_Put(value, 1, MPI_INT, target, window_disp(&w, target, 4 * index), 1, MPI_INT,
                   w.win);
}

static int get(int *value, int target, int index)
{
    return MPI_Get(value, 1, MPI_INT, target, window_disp(&w, target, 4 * index), 1, MPI_INT,
                   w.win);
}

static int flush(int how, int target)
{
    return how ? MPI_Win_flush_all(w.win) : MPI_Win_flush(target, w.win);
}

static int flush_local(int how, int target)
{
    return how ? MPI_Win_flush_local_all(w.win) : MPI_Win_flush_local(target, w.win);
}

/* After a flush another rank, told by a message, gets what was put. */
static void completes_at_target(int how)
{
    for (int i = 0; i < N; i++) {
        int target = i % size, value = 1000 * rank + i, got = -1, told = -1;

        CHECK(put(&value, target, rank) == MPI_SUCCESS);
        CHECK(flush(how, target) == MPI_SUCCESS);
        MPI_Sendrecv(&value, 1, MPI_INT, next, 3, &told, 1, MPI_INT, previous, 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        CHECK(get(&got, target, previous) == MPI_SUCCESS);
        CHECK(flush(how, target) == MPI_SUCCESS);
        CHECK_INT(got, told);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Flushes without operations, of several targets, and several in turn. */
static void empty(void)
{
    for (int i = 0; i < N; i++) {
        CHECK(flush(i % 2, i % size) == MPI_SUCCESS);
        CHECK(flush_local(i % 2, i % size) == MPI_SUCCESS);
        CHECK(MPI_Win_sync(w.win) == MPI_SUCCESS);
    }
    CHECK(MPI_Win_flush(MPI_PROC_NULL, w.win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush_local(MPI_PROC_NULL, w.win) == MPI_SUCCESS);
}

static bool unified(void)
{
    int *model, flag;

    MPI_Win_get_attr(w.win, MPI_WIN_MODEL, &model, &flag);
    return *model == MPI_WIN_UNIFIED;
}

/* R12: loads of a loop that calls MPI_Win_sync see a put of another rank (a token, around the
 * ring). The probe lets the library work where it needs that. */
static void polling(bool flushes)
{
    volatile int *mine = (volatile int *) w.base;
    int token, flag;

    for (int i = 1; unified() && i <= 10; i++) {
        if (rank > 0 || size == 1)
            CHECK(size > 1 || put(&i, 0, 0) == MPI_SUCCESS);
        else
            put((token = i, &token), next, 0), flush(0, next);
        if (size == 1)
            flush(0, 0);
        while (mine[0] != i) {
            MPI_Win_sync(w.win);
            if (flushes)
                MPI_Win_flush_all(w.win);
            else
                MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        if (rank > 0)
            put((token = i, &token), next, 0), flush(0, next);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    mine[0] = 0;
    MPI_Win_sync(w.win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A store, sync, a message; the receiver gets what was stored (U3). */
static void stored(void)
{
    volatile int *mine = (volatile int *) w.base;
    int got;

    for (int i = 0; unified() && i < 20; i++) {
        mine[1] = 100 * rank + i;
        MPI_Win_sync(w.win);
        MPI_Barrier(MPI_COMM_WORLD);
        get(&got, next, 1);
        MPI_Win_flush(next, w.win);
        CHECK_INT(got, 100 * next + i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* With locks of single targets a flush is for the one that is named. */
static void single_locks(void)
{
    int value = 4000 + rank, got = -1;

    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w.win);
    put(&value, next, rank);
    CHECK(MPI_Win_flush(next, w.win) == MPI_SUCCESS);
    get(&got, next, rank);
    CHECK(MPI_Win_flush_local(next, w.win) == MPI_SUCCESS);
    CHECK_INT(got, value);
    CHECK(MPI_Win_flush_all(w.win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush_local_all(w.win) == MPI_SUCCESS);
    CHECK(MPI_Win_sync(w.win) == MPI_SUCCESS);
    MPI_Win_unlock(next, w.win);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 1024, 4);
        window_fill(&w, 0);
        MPI_Win_lock_all(0, w.win);
        completes_at_target(0);
        completes_at_target(1);
        empty();
        MPI_Win_unlock_all(w.win);
        window_fill(&w, 0);
        MPI_Win_lock_all(0, w.win);
        polling(false);
        polling(true);
        stored();
        MPI_Win_unlock_all(w.win);
        single_locks();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
