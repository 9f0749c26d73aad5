/* pscw.c — R06: MPI_Win_start, complete, post, wait and test with groups that differ from rank to
 * rank, with the empty group, with MPI_MODE_NOCHECK, and while one rank is late. */
#include "../env/starling.h"
#include "rma.h"

static struct window w;
static MPI_Group world;

static MPI_Group group(int n, const int *ranks)
{
    MPI_Group g;

    MPI_Group_incl(world, n, ranks, &g);
    return g;
}

static void group_end(MPI_Group *g)
{
    if (*g != MPI_GROUP_EMPTY)
        MPI_Group_free(g);
}

static void put(const int *value, int target, int index)
{
    CHECK(MPI_Put(value, 1, MPI_INT, target, window_disp(&w, target, 4 * index), 1, MPI_INT, w.win)
          == MPI_SUCCESS);
}

/* Each rank writes to the next d - 1 ones, so d = 1 means empty groups. A rank may post for the
 * next round while another one has not yet started this one, in which it does not take part: MPICH
 * 4.0 counts that post, and hangs. */
static void ring(int d, int assert)
{
    int to[64], from[64], n = 0, value = 100 * rank + d;
    int *mine = (int *) w.base;

    for (int i = 1; i < d && i < size; i++, n++) {
        to[n] = (rank + i) % size;
        from[n] = (rank + size - i) % size;
    }
    MPI_Group targets = group(n, to), origins = group(n, from);

    if (!starling())
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Win_post(origins, assert, w.win) == MPI_SUCCESS);
    if (assert & MPI_MODE_NOCHECK)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Win_start(targets, assert, w.win) == MPI_SUCCESS);
    group_end(&targets); /* may be freed at once */
    group_end(&origins);
    for (int i = n - 1; i >= 0; i--)
        put(&value, to[i], rank);
    CHECK(MPI_Win_complete(w.win) == MPI_SUCCESS);
    CHECK(MPI_Win_wait(w.win) == MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK_INT(mine[from[i]], 100 * from[i] + d);
}

/* Rank 0 writes to all others, then all others write to rank 0; no rank does both at once. */
static void one_and_others(void)
{
    int others[64], zero = 0, value = rank + 1;
    int *mine = (int *) w.base;

    for (int r = 1; r < size; r++)
        others[r - 1] = r;
    MPI_Group root = group(1, &zero), rest = group(size - 1, others);

    for (int i = 0; i < 8; i++) {
        value = 1000 * i + rank;
        if (rank == 0) {
            MPI_Win_start(rest, 0, w.win);
            for (int r = 1; r < size; r++)
                put(&value, r, 0);
            MPI_Win_complete(w.win);
            MPI_Win_post(rest, 0, w.win);
            MPI_Win_wait(w.win);
            for (int r = 1; r < size; r++)
                CHECK_INT(mine[r], 1000 * i + r);
        } else {
            MPI_Win_post(root, 0, w.win);
            MPI_Win_wait(w.win);
            CHECK_INT(mine[0], 1000 * i);
            MPI_Win_start(root, 0, w.win);
            put(&value, 0, rank);
            MPI_Win_complete(w.win);
        }
    }
    group_end(&root);
    group_end(&rest);
}

/* MPI_Win_test returns at once, false as often as it is called before the last MPI_Win_complete. */
static void test_early(void)
{
    int last = size - 1, zero = 0, flag = -1, value = 77, go = 0;
    MPI_Group first = group(1, &zero), end = group(1, &last);

    if (rank == last && size > 1) {
        ((int *) w.base)[0] = 0;
        MPI_Win_post(first, 0, w.win);
        for (int i = 0; i < 20; i++) {
            CHECK(MPI_Win_test(w.win, &flag) == MPI_SUCCESS);
            CHECK_INT(flag, 0);
        }
        MPI_Send(&go, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
        for (flag = 0; !flag;)
            CHECK(MPI_Win_test(w.win, &flag) == MPI_SUCCESS);
        CHECK_INT(((int *) w.base)[0], 77);
    } else if (rank == 0 && size > 1) {
        MPI_Win_start(end, 0, w.win);
        put(&value, last, 0);
        MPI_Recv(&go, 0, MPI_INT, last, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_complete(w.win);
    }
    MPI_Group_free(&first);
    MPI_Group_free(&end);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Nothing is to come: MPI_Win_test says so at once, and ends the epoch. */
static void test_empty(void)
{
    int flag = 0;

    for (int i = 0; i < 5; i++) {
        CHECK(MPI_Win_post(MPI_GROUP_EMPTY, i % 2 ? MPI_MODE_NOCHECK : 0, w.win) == MPI_SUCCESS);
        CHECK(MPI_Win_test(w.win, &flag) == MPI_SUCCESS && flag);
        flag = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The memory is read alone, and its owner has not stored: the assertions of MPI_Win_post say so. */
static void read_only(void)
{
    int all[64], got[64];
    const int *mine = (const int *) w.base;

    for (int r = 0; r < size; r++)
        all[r] = r;
    MPI_Group everyone = group(size, all);
    window_fill(&w, 3 + rank);
    for (int i = 0; i < 4; i++) {
        MPI_Win_post(everyone, i % 2 ? MPI_MODE_NOPUT : MPI_MODE_NOPUT | MPI_MODE_NOSTORE, w.win);
        MPI_Win_start(everyone, 0, w.win);
        for (int r = 0; r < size; r++)
            MPI_Get(&got[r], 1, MPI_INT, r, window_disp(&w, r, 4 * i), 1, MPI_INT, w.win);
        MPI_Win_complete(w.win);
        MPI_Win_wait(w.win);
        for (int r = 0; r < size; r++)
            CHECK_INT(got[r], 0x01010101 * (3 + r));
    }
    CHECK_INT(mine[0], 0x01010101 * (3 + rank));
    group_end(&everyone);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* An access epoch to the next rank within the exposure epoch to the previous one, the end of which
 * comes late: epochs of different ranks do not wait for one another. */
static void chain(void)
{
    int next = rank + 1, previous = rank - 1, value = rank, got = -1;
    int *mine = (int *) w.base;

    mine[0] = -1;
    mine[1] = rank * rank;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) {
        MPI_Group g = group(1, &previous);
        MPI_Win_post(g, 0, w.win);
        MPI_Group_free(&g);
    }
    if (rank == size / 2)
        rma_pause(3000);
    if (next < size) {
        MPI_Group g = group(1, &next);
        MPI_Win_start(g, 0, w.win);
        MPI_Group_free(&g);
        put(&value, next, 0);
        MPI_Get(&got, 1, MPI_INT, next, window_disp(&w, next, 4), 1, MPI_INT, w.win);
        MPI_Win_complete(w.win);
        CHECK_INT(got, next * next);
    }
    if (rank > 0)
        MPI_Win_wait(w.win);
    CHECK_INT(mine[0], rank - 1);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Only ranks that differ each time take part; the others go on. */
static void pairs(void)
{
    int *mine = (int *) w.base;

    for (int i = 0; i < 3 * size; i++) {
        int origin = i % size, target = (i * 5 + 1) % size, value = i;

        if (rank == target) {
            MPI_Group g = group(1, &origin);
            MPI_Win_post(g, 0, w.win);
            MPI_Group_free(&g);
        }
        if (rank == origin) {
            MPI_Group g = group(1, &target);
            MPI_Win_start(g, 0, w.win);
            MPI_Group_free(&g);
            put(&value, target, 1);
            MPI_Win_complete(w.win);
        }
        if (rank == target) {
            MPI_Win_wait(w.win);
            CHECK_INT(mine[1], i);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 256, 4);
        for (int d = 1; d <= size + 1; d++) {
            ring(d, 0);
            ring(d, MPI_MODE_NOCHECK);
        }
        one_and_others();
        test_early();
        test_empty();
        read_only();
        chain();
        pairs();
        window_free(&w);
    }
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
