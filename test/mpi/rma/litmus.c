/* litmus.c — R07 to R10: order and atomicity between ranks: data, flush, flag; tickets; locks and
 * lists made of swaps. Usage: litmus [ROUNDS], 15 if not given.
 *
 * Processes with different values of STARLING_RMA reach the same memory on different paths. */
#include <sched.h>
#include "rma.h"

enum { NODES = 12, DATA = 1024, FLAG = 0, WORDS = DATA / 8 + 1024 };

static struct window w;
static int rounds = 15;

static MPI_Aint word(int target, int index) { return window_disp(&w, target, 8L * index); }

static long fetch(int target, int index, long value, MPI_Op op)
{
    long old = -1;

    MPI_Fetch_and_op(&value, &old, MPI_LONG, target, word(target, index), op, w.win);
    MPI_Win_flush(target, w.win);
    return old;
}

static long swap(int target, int index, long from, long to)
{
    long old = -1;

    MPI_Compare_and_swap(&to, &from, &old, MPI_LONG, target, word(target, index), w.win);
    MPI_Win_flush(target, w.win);
    return old;
}

/* Rank 0 writes data of some sizes to one rank, flushes, and sets a flag on another one; who sees
 * the flag gets the data. */
static void message_passing(int len)
{
    int data_at = size - 1, flag_at = size / 2, reader = (size + 1) / 2 % size;
    char *buf = mpitest_memory((size_t) len);
    MPI_Aint at = window_disp(&w, data_at, DATA);

    window_fill(&w, 0);
    MPI_Win_lock_all(0, w.win);
    for (int i = 1; i <= rounds; i++) {
        if (rank == 0) {
            memset(buf, i, (size_t) len);
            MPI_Put(buf, len, MPI_CHAR, data_at, at, len, MPI_CHAR, w.win);
            MPI_Win_flush(data_at, w.win);
            fetch(flag_at, FLAG, i, MPI_REPLACE);
        }
        if (rank == reader) {
            while (fetch(flag_at, FLAG, 0, MPI_NO_OP) != i)
                sched_yield();
            MPI_Get(buf, len, MPI_CHAR, data_at, at, len, MPI_CHAR, w.win);
            MPI_Win_flush(data_at, w.win);
            for (int k = 0; k < len; k++)
                CHECK_INT(buf[k], (char) i);
            fetch(0, FLAG + 1, i, MPI_REPLACE);
        }
        while (rank == 0 && fetch(0, FLAG + 1, 0, MPI_NO_OP) != i)
            sched_yield();
    }
    MPI_Win_unlock_all(w.win);
    free(buf);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Each number is drawn once. */
static void tickets(int target)
{
    int n = rounds + 25;
    long *mine = mpitest_memory((size_t) n * sizeof(long));
    long *all = mpitest_memory((size_t) size * n * sizeof(long));
    char *drawn = calloc((size_t) size * n, 1);

    window_fill(&w, 0);
    MPI_Win_lock_all(0, w.win);
    for (int i = 0; i < n; i++) {
        mine[i] = fetch(target, 3, 1, MPI_SUM);
        CHECK(i == 0 || mine[i] > mine[i - 1]);
    }
    MPI_Win_unlock_all(w.win);
    MPI_Allgather(mine, n, MPI_LONG, all, n, MPI_LONG, MPI_COMM_WORLD);
    for (int i = 0; i < size * n; i++) {
        CHECK(all[i] >= 0 && all[i] < (long) size * n);
        CHECK_INT(drawn[all[i]]++, 0);
    }
    free(mine);
    free(all);
    free(drawn);
}

/* A lock that is a word: its holder changes two other words by get and put. */
static void spin_lock(int target)
{
    long v[2];

    window_fill(&w, 0);
    MPI_Win_lock_all(0, w.win);
    for (int i = 0; i < rounds; i++) {
        while (swap(target, 0, 0, rank + 1) != 0)
            sched_yield();
        MPI_Get(v, 2, MPI_LONG, target, word(target, 1), 2, MPI_LONG, w.win);
        MPI_Win_flush(target, w.win);
        CHECK_INT(v[0], -v[1]);
        v[0]++;
        v[1]--;
        MPI_Put(v, 2, MPI_LONG, target, word(target, 1), 2, MPI_LONG, w.win);
        MPI_Win_flush(target, w.win);
        CHECK_INT(swap(target, 0, rank + 1, 0), rank + 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(v, 2, MPI_LONG, target, word(target, 1), 2, MPI_LONG, w.win);
    MPI_Win_unlock_all(w.win);
    CHECK_INT(v[0], (long) rounds * size);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A list whose head is at rank 0 and whose nodes are words of all ranks: node n of rank r is
 * r * NODES + n + 1, its word the next node, 0 the end. */
static void list(void)
{
    int seen = 0, of[RANKS] = { 0 };

    window_fill(&w, 0);
    MPI_Win_lock_all(0, w.win);
    for (int n = 0; n < NODES; n++) {
        long head = fetch(0, 0, 0, MPI_NO_OP), node = rank * NODES + n + 1, found;
        for (;; head = found) {
            fetch(rank, 10 + n, head, MPI_REPLACE);
            found = swap(0, 0, head, node);
            if (found == head)
                break;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (long node = fetch(0, 0, 0, MPI_NO_OP); node != 0; seen++) {
        int r = (int) (node - 1) / NODES, n = (int) (node - 1) % NODES;
        CHECK(seen < size * NODES && r < size);
        CHECK_INT(n, NODES - 1 - of[r]++); /* each rank's own nodes are in their order */
        node = fetch(r, 10 + n, 0, MPI_NO_OP);
    }
    CHECK_INT(seen, size * NODES);
    MPI_Win_unlock_all(w.win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Two ranks each write their word and then read the other's: one at least sees the other. */
static void store_buffering(void)
{
    long saw[RANKS], got;
    int other = 1 - rank;

    window_fill(&w, 0);
    MPI_Win_lock_all(0, w.win);
    for (int i = 1; size > 1 && i <= rounds; i++) {
        got = i;
        if (rank < 2) {
            fetch(rank, 5, i, MPI_REPLACE);
            got = fetch(other, 5, 0, MPI_NO_OP);
        }
        got = got == i;
        MPI_Allgather(&got, 1, MPI_LONG, saw, 1, MPI_LONG, MPI_COMM_WORLD);
        CHECK(saw[0] || saw[1]);
    }
    MPI_Win_unlock_all(w.win);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    rounds = argc > 1 ? (int) strtol(argv[1], NULL, 10) : rounds;
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, WORDS * 8L, 1);
        for (int i = 0; i < 4; i++)
            message_passing((const int[]) { 1, 8, 100, 5000 }[i]);
        tickets(0);
        tickets(size - 1);
        spin_lock(size / 2);
        for (int i = 0; i <= rounds / 100; i++)
            list();
        store_buffering();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
