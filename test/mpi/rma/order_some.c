/* order_some.c — R10: of accumulates those orders are kept that the info key accumulate_ordering
 * lists, and each operation is still atomic. order.c: the default, which is all of them.
 *
 * MPICH 4.0 fails: with the value none additions are lost, with rar a counter goes back. */
#include "rma.h"

enum { TIMES = 40 };

static struct window w;
static int next, previous;

static void fetch(long *old, int index)
{
    MPI_Get_accumulate(NULL, 0, MPI_LONG, old, 1, MPI_LONG, next, index, 1, MPI_LONG, MPI_NO_OP,
                       w.win);
}

static void replace(const long *value, int index)
{
    MPI_Accumulate(value, 1, MPI_LONG, next, index, 1, MPI_LONG, MPI_REPLACE, w.win);
}

/* Of the words that the program wants ordered each is kept, whatever the others are. Each pair of
 * operations has a word of its own. rar: a counter that others increase never goes back. */
static void some_orders(const char *orders)
{
    bool raw = strstr(orders, "raw"), war = strstr(orders, "war"), waw = strstr(orders, "waw");
    long first = rank + 1, second = 100 + rank, one = 1, after[TIMES], before[TIMES], count[TIMES];
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", orders);
    MPI_Win_allocate(8L * (3 * TIMES + 1), 8, info, MPI_COMM_WORLD, &w.base, &w.win);
    MPI_Info_free(&info);
    w = (struct window) {
        .win = w.win, .flavor = ALLOCATED, .base = w.base, .len = 8L * (3 * TIMES + 1), .unit = 8
    };
    window_fill(&w, 0);
    epoch_begin(&w, LOCK_ALL);
    for (int i = 0; i < TIMES; i++) {
        replace(&first, i);
        fetch(&after[i], i);
        fetch(&before[i], TIMES + i);
        replace(&first, TIMES + i);
        replace(&first, 2 * TIMES + i);
        replace(&second, 2 * TIMES + i);
        MPI_Accumulate(&one, 1, MPI_LONG, 0, 3 * TIMES, 1, MPI_LONG, MPI_SUM, w.win);
        MPI_Fetch_and_op(NULL, &count[i], MPI_LONG, 0, 3 * TIMES, MPI_NO_OP, w.win);
    }
    epoch_end(&w, LOCK_ALL);
    for (int i = 0; i < TIMES; i++) {
        CHECK(!raw || after[i] == first);
        CHECK(!war || before[i] == 0);
        CHECK(!strstr(orders, "rar") || i == 0 || count[i] >= count[i - 1]);
        CHECK(!waw || ((long *) w.base)[2 * TIMES + i] == 100 + previous);
    }
    if (rank == 0)
        CHECK_INT(((long *) w.base)[3 * TIMES], (long) size * TIMES);
    window_free(&w);
}

int main(int argc, char **argv)
{
    static const char *const orders[] = {
        "none", "rar", "raw", "war", "waw", "rar,waw", "raw,war"
    };

    rma_init(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        some_orders(orders[i]);
    MPI_Finalize();
    return 0;
}
