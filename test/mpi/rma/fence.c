/* fence.c — R05: MPI_Win_fence with every assertion, without operations, many times, and in turn
 * with other synchronization. */
#include "rma.h"

static int next, previous;

/* Two phases: the neighbors' memory is written, then only read; the assertions say so. */
static void assertions(struct window *w)
{
    int *mine = (int *) w->base, value = 0, got = -1;

    for (int i = 0; i < 30; i++) {
        mine[1] = i - rank;
        value = 100 * i + rank;
        MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win);
        MPI_Put(&value, 1, MPI_INT, next, window_disp(w, next, 0), 1, MPI_INT, w->win);
        MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, w->win);
        CHECK_INT(mine[0], 100 * i + previous);
        MPI_Get(&got, 1, MPI_INT, previous, window_disp(w, previous, 4), 1, MPI_INT, w->win);
        MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, w->win);
        CHECK_INT(got, i - previous);
    }
}

static void empty(struct window *w)
{
    for (int i = 0; i < 20; i++)
        CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
    for (int i = 0; i < 20; i++) {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win);
        MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, w->win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win);
}

/* Each fence ends one epoch and begins the next; some ranks have nothing to do, or are late. */
static void rounds(struct window *w)
{
    int *mine = (int *) w->base, value[2], got;

    mine[0] = mine[1] = -1;
    MPI_Win_fence(0, w->win);
    for (int i = 0; i < 40; i++) {
        int writer = i % size, target = (writer + i / size) % size;

        value[i % 2] = i;
        if (rank == (i + 1) % size && i % 10 == 0)
            rma_pause(2000);
        if (rank == writer)
            MPI_Put(&value[i % 2], 1, MPI_INT, target, window_disp(w, target, 0), 1, MPI_INT,
                    w->win);
        MPI_Win_fence(0, w->win);
        if (rank == target)
            CHECK_INT(mine[0], i);
        MPI_Get(&got, 1, MPI_INT, target, window_disp(w, target, 0), 1, MPI_INT, w->win);
        MPI_Win_fence(0, w->win);
        CHECK_INT(got, i);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win);
}

/* Stores before a fence are seen by gets after it: a ring shift in memory alone. */
static void stores(struct window *w)
{
    int *mine = (int *) w->base, got = rank;

    for (int i = 1; i <= 20; i++) {
        mine[0] = got;
        MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT, w->win);
        MPI_Get(&got, 1, MPI_INT, previous, window_disp(w, previous, 0), 1, MPI_INT, w->win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win);
        CHECK_INT(got, (rank + 20 * size - i) % size);
    }
}

/* Epochs of other kinds on the same window, one after the other. */
static void in_turn(struct window *w)
{
    int *mine = (int *) w->base, value;

    for (int i = 0; i < 12; i++) {
        enum epoch kind = (enum epoch)(i % EPOCHS);

        value = 10 * rank + i;
        epoch_begin(w, kind);
        MPI_Put(&value, 1, MPI_INT, next, window_disp(w, next, 0), 1, MPI_INT, w->win);
        epoch_end(w, kind);
        CHECK_INT(mine[0], 10 * previous + i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Fences of several windows are independent, also when their epochs overlap. */
static void two_windows(struct window *a)
{
    struct window b = window_make(ALLOCATED, 64, 1);
    int *mine = (int *) a->base, x = rank, y = -rank;

    MPI_Win_fence(0, a->win);
    MPI_Put(&x, 1, MPI_INT, next, window_disp(a, next, 0), 1, MPI_INT, a->win);
    MPI_Win_fence(0, b.win);
    MPI_Put(&y, 1, MPI_INT, next, 0, 1, MPI_INT, b.win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, a->win);
    CHECK_INT(mine[0], previous);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, b.win);
    CHECK_INT(*(int *) b.base, -previous);
    window_free(&b);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        struct window w = window_make(f, 64, 4);
        empty(&w);
        assertions(&w);
        rounds(&w);
        stores(&w);
        in_turn(&w);
        two_windows(&w);
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
