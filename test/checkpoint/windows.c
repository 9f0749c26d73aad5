/* windows.c — windows of all flavors live on through a quiesce and the opening of all devices anew:
 * they keep their contents, and every call works in them between all pairs of processes.
 *
 * Only for Starling: it links the layers. */
#include "adi3/adi3.h"
#include "adi3/adi3_checkpoint.h"
#include "rma.h"

/* The memory of each rank: a word for each origin and operation, which that origin alone
 * changes, and two words that all change. */
enum { PUT, SUM, SWAPPED, RPUT, OPERATIONS };
enum { ALL = 8 * OPERATIONS, TICKET, WORDS };

static struct window windows[FLAVORS];
/* Epochs until now, of each window; and those of them with locks. */
static int epochs, locked;

static MPI_Aint at(const struct window *w, int target, int index)
{
    return window_disp(w, target, 8L * index);
}

static int word(int origin, int operation) { return origin * OPERATIONS + operation; }

/* What fetches, and requests. */
static void fetch(const struct window *w, int r)
{
    long was = locked, now = locked + 1, value = locked + 1, one = 1, got[4] = { -1, -1, -1, -1 };
    MPI_Request request[2];

    MPI_Compare_and_swap(&now, &was, &got[0], MPI_LONG, r, at(w, r, word(rank, SWAPPED)), w->win);
    MPI_Get_accumulate(NULL, 0, MPI_LONG, &got[1], 1, MPI_LONG, r, at(w, r, word(rank, SUM)), 1,
                       MPI_LONG, MPI_NO_OP, w->win);
    MPI_Fetch_and_op(&one, &got[2], MPI_LONG, r, at(w, r, TICKET), MPI_SUM, w->win);
    MPI_Rput(&value, 1, MPI_LONG, r, at(w, r, word(rank, RPUT)), 1, MPI_LONG, w->win, &request[0]);
    MPI_Rget(&got[3], 1, MPI_LONG, r, at(w, r, word(rank, PUT)), 1, MPI_LONG, w->win, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Win_flush(r, w->win);
    CHECK_INT(got[0], was);
    CHECK_INT(got[1], epochs);
    CHECK(got[2] >= 0 && got[2] < (long) now * size);
    CHECK_INT(got[3], epochs);
}

/* All operations on all ranks. */
static void operate(const struct window *w, enum epoch kind)
{
    const long value = epochs + 1, one = 1;

    epoch_begin(w, kind);
    for (int r = 0; r < size; r++) {
        if (kind == LOCKS || kind == LOCK_ALL)
            fetch(w, r);
        MPI_Put(&value, 1, MPI_LONG, r, at(w, r, word(rank, PUT)), 1, MPI_LONG, w->win);
        MPI_Accumulate(&one, 1, MPI_LONG, r, at(w, r, word(rank, SUM)), 1, MPI_LONG, MPI_SUM,
                       w->win);
        MPI_Accumulate(&one, 1, MPI_LONG, r, at(w, r, ALL), 1, MPI_LONG, MPI_SUM, w->win);
    }
    epoch_end(w, kind);
}

static void check(const struct window *w)
{
    const long *v = (const long *) w->base;

    window_settle(w);
    for (int r = 0; r < size; r++) {
        CHECK_INT(v[word(r, PUT)], epochs);
        CHECK_INT(v[word(r, SUM)], epochs);
        CHECK_INT(v[word(r, SWAPPED)], locked);
        CHECK_INT(v[word(r, RPUT)], locked);
    }
    CHECK_INT(v[ALL], (long) size * epochs);
    CHECK_INT(v[TICKET], (long) size * locked);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void use_all(void)
{
    for (enum epoch k = 0; k < EPOCHS; k++) {
        for (enum flavor f = 0; f < FLAVORS; f++)
            operate(&windows[f], k);
        epochs++;
        locked += k == LOCKS || k == LOCK_ALL;
        for (enum flavor f = 0; f < FLAVORS; f++)
            check(&windows[f]);
    }
}

/* In a call, as a checkpoint would be. The last epoch ended in the call before. */
static void checkpoint(bool reopen)
{
    MPI_Win_lock_all(0, windows[ALLOCATED].win);
    MPI_Win_unlock_all(windows[ALLOCATED].win);
    if (adi3_locks)
        adi3_lock();
    CHECK_INT(adi3_quiesce(), MPI_SUCCESS);
    if (reopen)
        CHECK_INT(adi3_reopen(), MPI_SUCCESS);
    else
        adi3_continue();
    if (adi3_locks)
        adi3_unlock();
}

/* Memory that is attached after the devices were opened again. */
static void attach(void)
{
    struct window w = window_make(DYNAMIC, 8, 1);
    int next = (rank + 1) % size;
    long more = -1, value = rank;
    MPI_Aint where, theirs[8];

    checkpoint(true);
    MPI_Win_attach(w.win, &more, sizeof more);
    MPI_Get_address(&more, &where);
    MPI_Allgather(&where, 1, MPI_AINT, theirs, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, w.win);
    MPI_Put(&value, 1, MPI_LONG, next, theirs[next], 1, MPI_LONG, w.win);
    MPI_Win_unlock(next, w.win);
    window_settle(&w);
    CHECK_INT(more, (rank + size - 1) % size);
    MPI_Win_detach(w.win, &more);
    window_free(&w);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    CHECK(size <= 8 && rma_one_node());
    for (enum flavor f = 0; f < FLAVORS; f++) {
        windows[f] = window_make(f, WORDS * 8, 8);
        window_fill(&windows[f], 0);
    }
    checkpoint(true); /* of windows that no process has touched in its peers */
    use_all();
    checkpoint(false);
    use_all();
    checkpoint(true);
    use_all();
    checkpoint(true);
    for (enum flavor f = 0; f < FLAVORS; f++)
        check(&windows[f]);
    attach();
    use_all();
    for (enum flavor f = 0; f < FLAVORS; f++)
        window_free(&windows[f]);
    MPI_Finalize();
    return 0;
}
