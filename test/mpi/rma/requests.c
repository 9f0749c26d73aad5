/* requests.c — R11: MPI_Rput, MPI_Rget, MPI_Raccumulate and MPI_Rget_accumulate: what completion
 * means, together with messages, and requests that outlive the epoch. */
#include "rma.h"

enum { N = 30, BIG = 50000 };

static struct window w;
static int next, previous;

static MPI_Request put(const int *in, int count, int target, int index)
{
    MPI_Request r = MPI_REQUEST_NULL;

    CHECK(MPI_Rput(in, count, MPI_INT, target, window_disp(&w, target, 4 * index), count, MPI_INT,
                   w.win, &r)
          == MPI_SUCCESS);
    return r;
}

static MPI_Request get(int *out, int count, int target, int index)
{
    MPI_Request r = MPI_REQUEST_NULL;

    CHECK(MPI_Rget(out, count, MPI_INT, target, window_disp(&w, target, 4 * index), count, MPI_INT,
                   w.win, &r)
          == MPI_SUCCESS);
    return r;
}

/* The status of such a request has no defined value but its error; the request becomes null. */
static void wait(MPI_Request *r)
{
    CHECK(MPI_Wait(r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(*r == MPI_REQUEST_NULL);
}

/* After the wait the buffer of a put is free, and what was got is there. */
static void one_by_one(void)
{
    static int big[BIG];
    int value, got = -1;
    MPI_Request r;

    for (int i = 0; i < N; i++) {
        value = 100 * rank + i;
        r = put(&value, 1, next, i);
        wait(&r);
        value = -1;
    }
    MPI_Win_flush(next, w.win);
    for (int i = 0; i < N; i++) {
        r = get(&got, 1, next, i);
        wait(&r);
        CHECK_INT(got, 100 * rank + i);
    }
    for (int i = 0; i < BIG; i++)
        big[i] = i ^ rank;
    r = put(big, BIG, next, 0);
    wait(&r);
    memset(big, 0xff, sizeof big);
    MPI_Win_flush(next, w.win);
    r = get(big, BIG, next, 0);
    wait(&r);
    for (int i = 0; i < BIG; i++)
        CHECK_INT(big[i], i ^ rank);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void accumulates(void)
{
    int one = 1, got[N];
    MPI_Request r[N];

    for (int i = 0; i < N; i++) {
        MPI_Aint at = window_disp(&w, next, 0);

        got[i] = -1;
        if (i % 3)
            CHECK(MPI_Rget_accumulate(&one, 1, MPI_INT, &got[i], 1, MPI_INT, next, at, 1, MPI_INT,
                                      i % 3 == 1 ? MPI_SUM : MPI_NO_OP, w.win, &r[i])
                  == MPI_SUCCESS);
        else
            CHECK(MPI_Raccumulate(&one, 1, MPI_INT, next, at, 1, MPI_INT, MPI_SUM, w.win, &r[i])
                  == MPI_SUCCESS);
    }
    CHECK(MPI_Waitall(N, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    for (int i = 0; i < N; i++) {
        CHECK(r[i] == MPI_REQUEST_NULL);
        if (i % 3)
            CHECK_INT(got[i], i / 3 * 2 + i % 3); /* the sums of two of three are before it */
    }
    MPI_Win_flush(next, w.win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Messages and operations in one array: the last is a receive whose message is sent by a rank that
 * has the data of its get. */
static void with_messages(void)
{
    int in[4], out[4], from = -1;
    MPI_Request r[9];

    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 4; i++) {
            in[i] = 1000 * rank + 10 * round + i;
            out[i] = -1;
            r[i] = put(&in[i], 1, next, 200 + i);
        }
        MPI_Irecv(&from, 1, MPI_INT, previous, round, MPI_COMM_WORLD, &r[4]);
        for (int i = 0; i < 4; i++)
            r[5 + i] = get(&out[i], 1, next, 300 + i);
        for (int done = 0; done < 8;) {
            int index = -1;
            if (done == 4)
                MPI_Send(&rank, 1, MPI_INT, next, round, MPI_COMM_WORLD);
            CHECK(MPI_Waitany(9, r, &index, MPI_STATUS_IGNORE) == MPI_SUCCESS);
            CHECK(index >= 0 && index < 9 && r[index] == MPI_REQUEST_NULL);
            if (index > 4)
                CHECK_INT(out[index - 5], 77 + index - 5);
            done++;
        }
        CHECK(MPI_Waitall(9, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        CHECK_INT(from, previous);
        MPI_Win_flush_all(w.win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Test, Testsome, Testall and Request_get_status; MPI_PROC_NULL; no elements. */
static void completions(void)
{
    int x = 3, flag = 0, n = 0, index[2], got[2] = { -1, -1 };
    MPI_Request r[2];

    r[0] = get(&got[0], 1, next, 300);
    while (!flag)
        MPI_Request_get_status(r[0], &flag, MPI_STATUS_IGNORE);
    CHECK_INT(got[0], 77);
    MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
    CHECK(flag && r[0] == MPI_REQUEST_NULL);
    r[0] = put(&x, 0, next, 0);
    r[1] = put(&x, 1, MPI_PROC_NULL, 0);
    for (flag = 0; !flag;)
        MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    r[0] = get(got, 2, next, 301);
    r[1] = get(&x, 1, MPI_PROC_NULL, 0);
    for (int done = 0; done < 2; done += n)
        MPI_Testsome(2, r, &n, index, MPI_STATUSES_IGNORE);
    CHECK_INT(got[0], 78);
    CHECK_INT(got[1], 79);
    CHECK_INT(x, 3);
}

/* The end of the epoch completes the operation, but the request is still to be waited for. */
static void after_the_epoch(void)
{
    int in[N], got[N];
    MPI_Request r[2 * N];

    for (int how = 0; how < 2; how++) {
        if (how)
            MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w.win);
        else
            MPI_Win_lock_all(0, w.win);
        for (int i = 0; i < N; i++) {
            in[i] = i + 10 * how;
            r[i] = put(&in[i], 1, next, 400 + i);
            r[N + i] = get(&got[i], 1, next, 300 + i);
        }
        if (how)
            MPI_Win_unlock(next, w.win);
        else
            MPI_Win_unlock_all(w.win);
        for (int i = 0; i < N; i++)
            CHECK_INT(got[i], 77 + i);
        for (int i = 0; i < 2 * N; i++) {
            int flag = 0;
            CHECK(r[i] != MPI_REQUEST_NULL);
            MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE);
            CHECK(flag && r[i] == MPI_REQUEST_NULL);
        }
        window_settle(&w);
        for (int i = 0; i < N; i++)
            CHECK_INT(((int *) w.base)[400 + i], i + 10 * how);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, BIG * 4, 4);
        MPI_Win_lock_all(0, w.win);
        one_by_one();
        MPI_Win_unlock_all(w.win);
        window_fill(&w, 0);
        MPI_Win_lock_all(0, w.win);
        accumulates();
        MPI_Win_unlock_all(w.win);
        window_own(&w);
        for (int i = 0; i < N; i++)
            ((int *) w.base)[300 + i] = 77 + i;
        window_done(&w);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock_all(0, w.win);
        with_messages();
        completions();
        MPI_Win_unlock_all(w.win);
        after_the_epoch();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
