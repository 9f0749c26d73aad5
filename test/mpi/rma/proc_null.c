/* proc_null.c — P11, R04, R11: every operation to MPI_PROC_NULL has no effect, in epochs of all
 * kinds and windows of all flavors: no buffer changes and its request is complete at once, while
 * operations to other ranks in the same epoch are done.
 *
 * Of the status of such a request only MPI_ERROR has a defined value (§11.3.5). */
#include "rma.h"

enum { N = 6, FAR = 1 << 30, IN = 11, COMPARED = 22, RESULT = 33, UNTOUCHED = -7 };
enum operation { PUT, GET, ACCUMULATE, GET_ACCUMULATE, OPERATIONS };

static int in[N], compared[N], result[N];
static MPI_Datatype twos;

static void set(int *at, int value)
{
    for (int i = 0; i < N; i++)
        at[i] = value;
}

static void set_all(void)
{
    set(in, IN);
    set(compared, COMPARED);
    set(result, RESULT);
}

static void check_all(void)
{
    for (int i = 0; i < N; i++) {
        CHECK_INT(in[i], IN);
        CHECK_INT(compared[i], COMPARED);
        CHECK_INT(result[i], RESULT);
    }
}

/* The displacement is in the memory of no process: it does not count. */
static void plain(MPI_Win w, MPI_Datatype type, int count, MPI_Op op)
{
    CHECK(MPI_Put(in, count, type, MPI_PROC_NULL, FAR, count, type, w) == MPI_SUCCESS);
    CHECK(MPI_Get(result, count, type, MPI_PROC_NULL, FAR, count, type, w) == MPI_SUCCESS);
    if (op != MPI_NO_OP)
        CHECK(MPI_Accumulate(in, count, type, MPI_PROC_NULL, FAR, count, type, op, w)
              == MPI_SUCCESS);
    CHECK(MPI_Get_accumulate(in, count, type, result, count, type, MPI_PROC_NULL, FAR, count, type,
                             op, w)
          == MPI_SUCCESS);
    CHECK(MPI_Fetch_and_op(in, result, MPI_INT, MPI_PROC_NULL, FAR, op, w) == MPI_SUCCESS);
    CHECK(MPI_Compare_and_swap(in, compared, result, MPI_INT, MPI_PROC_NULL, FAR, w)
          == MPI_SUCCESS);
}

static MPI_Request start(MPI_Win w, enum operation what, MPI_Datatype type, int count)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int err = MPI_ERR_OTHER;

    if (what == PUT)
        err = MPI_Rput(in, count, type, MPI_PROC_NULL, FAR, count, type, w, &r);
    else if (what == GET)
        err = MPI_Rget(result, count, type, MPI_PROC_NULL, FAR, count, type, w, &r);
    else if (what == ACCUMULATE)
        err = MPI_Raccumulate(in, count, type, MPI_PROC_NULL, FAR, count, type, MPI_SUM, w, &r);
    else
        err = MPI_Rget_accumulate(in, count, type, result, count, type, MPI_PROC_NULL, FAR, count,
                                  type, MPI_REPLACE, w, &r);
    CHECK(err == MPI_SUCCESS);
    CHECK(r != MPI_REQUEST_NULL);
    return r;
}

/* Calls that give one status do not set its error. */
static void one_status(MPI_Win w, enum operation what, MPI_Datatype type, int count)
{
    MPI_Request r = start(w, what, type, count);
    MPI_Status s = { .MPI_ERROR = UNTOUCHED };
    int flag = 0, index = -1;

    CHECK(MPI_Request_get_status(r, &flag, &s) == MPI_SUCCESS && flag);
    CHECK(MPI_Test(&r, &flag, &s) == MPI_SUCCESS && flag && r == MPI_REQUEST_NULL);
    r = start(w, what, type, count);
    CHECK(MPI_Wait(&r, &s) == MPI_SUCCESS && r == MPI_REQUEST_NULL);
    r = start(w, what, type, count);
    CHECK(MPI_Waitany(1, &r, &index, &s) == MPI_SUCCESS && index == 0 && r == MPI_REQUEST_NULL);
    r = start(w, what, type, count);
    CHECK(MPI_Testany(1, &r, &index, &flag, &s) == MPI_SUCCESS && flag && index == 0);
    CHECK(r == MPI_REQUEST_NULL);
    CHECK_INT(s.MPI_ERROR, UNTOUCHED);
}

/* All of them in one array, with a message and an operation to this rank. */
static void many_statuses(const struct window *w, int value)
{
    enum { ALL = OPERATIONS + 3 };
    MPI_Request r[ALL];
    int from = -1, n = 0, done = 0, flag = 0, index[ALL];

    for (int round = 0; round < 3; round++) {
        for (enum operation what = 0; what < OPERATIONS; what++)
            r[what] = start(w->win, what, MPI_INT, N);
        MPI_Rput(&value, 1, MPI_INT, rank, window_disp(w, rank, 0), 1, MPI_INT, w->win,
                 &r[OPERATIONS]);
        MPI_Irecv(&from, 1, MPI_INT, rank, round, MPI_COMM_WORLD, &r[OPERATIONS + 1]);
        MPI_Isend(&value, 1, MPI_INT, rank, round, MPI_COMM_WORLD, &r[OPERATIONS + 2]);
        if (round == 0)
            CHECK(MPI_Waitall(ALL, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        while (round == 1 && !flag)
            CHECK(MPI_Testall(ALL, r, &flag, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        for (; round == 2 && done < ALL; done += n)
            CHECK(MPI_Waitsome(ALL, r, &n, index, MPI_STATUSES_IGNORE) == MPI_SUCCESS && n > 0);
        for (int i = 0; i < ALL; i++)
            CHECK(r[i] == MPI_REQUEST_NULL);
        CHECK_INT(from, value);
    }
    MPI_Win_flush(rank, w->win);
}

static void requests(const struct window *w, int value)
{
    for (enum operation what = 0; what < OPERATIONS; what++) {
        one_status(w->win, what, MPI_INT, N);
        one_status(w->win, what, twos, 1);
        one_status(w->win, what, MPI_INT, 0);
    }
    many_statuses(w, value);
    CHECK(MPI_Win_flush(MPI_PROC_NULL, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush_local(MPI_PROC_NULL, w->win) == MPI_SUCCESS);
}

static void in_epoch(struct window *w, enum epoch kind)
{
    static const MPI_Op ops[] = { MPI_SUM, MPI_REPLACE, MPI_NO_OP, MPI_MAX };
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, value = 100 * rank + kind;
    const int *mine = (const int *) w->base;

    window_fill(w, 0x55);
    set_all();
    epoch_begin(w, kind);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        plain(w->win, MPI_INT, N, ops[i]);
        plain(w->win, twos, 1, ops[i]);
        plain(w->win, MPI_INT, 0, ops[i]);
    }
    MPI_Put(&value, 1, MPI_INT, next, window_disp(w, next, 4), 1, MPI_INT, w->win);
    if (kind == LOCKS || kind == LOCK_ALL)
        requests(w, value);
    plain(w->win, MPI_INT, N, MPI_SUM);
    check_all();
    epoch_end(w, kind);
    check_all();
    CHECK_INT(mine[0], kind == LOCKS || kind == LOCK_ALL ? value : 0x55555555);
    CHECK_INT(mine[1], 100 * previous + (int) kind);
    for (int i = 2; i < w->len / 4; i++)
        CHECK_INT(mine[i], 0x55555555);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Epochs of nothing else, which end as others do. */
static void alone(struct window *w, enum epoch kind)
{
    MPI_Request r;

    set_all();
    epoch_begin(w, kind);
    plain(w->win, MPI_INT, N, MPI_SUM);
    epoch_end(w, kind);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, w->win);
    plain(w->win, MPI_INT, N, MPI_SUM);
    for (enum operation what = 0; what < OPERATIONS; what++) {
        r = start(w->win, what, MPI_INT, N);
        CHECK(MPI_Wait(&r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    }
    MPI_Win_unlock(MPI_PROC_NULL, w->win);
    MPI_Win_lock_all(0, w->win);
    r = start(w->win, GET, MPI_INT, N);
    MPI_Win_unlock_all(w->win);
    CHECK(MPI_Wait(&r, MPI_STATUS_IGNORE) == MPI_SUCCESS && r == MPI_REQUEST_NULL);
    check_all();
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    MPI_Type_vector(N / 2, 1, 2, MPI_INT, &twos);
    MPI_Type_commit(&twos);
    window_each(in_epoch, 64, 4);
    window_each(alone, 64, 4);
    MPI_Type_free(&twos);
    MPI_Finalize();
    return 0;
}
