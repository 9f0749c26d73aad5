/* dynamic.c — R03: memory that is attached to a window and detached from it: displacements are
 * addresses of the target, which may be negative numbers. */
#include "rma.h"

enum { N = 200, INTS = 25 };

static MPI_Win win;

static MPI_Aint address(const void *p)
{
    MPI_Aint a;

    MPI_Get_address(p, &a);
    return a;
}

static MPI_Aint of_rank(int r, MPI_Aint mine)
{
    MPI_Aint all[RANKS];

    MPI_Allgather(&mine, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    return all[r];
}

/* Many regions, attached and detached in different orders; all can be reached. */
static void many(void)
{
    int *region[N], next = (rank + 1) % size, previous = (rank + size - 1) % size, got = -1;
    MPI_Aint mine[N], theirs[N];
    int value[N];

    for (int i = 0; i < N; i++) {
        region[i] = mpitest_memory(INTS * sizeof(int));
        CHECK(MPI_Win_attach(win, region[i], INTS * sizeof(int)) == MPI_SUCCESS);
        mine[i] = address(region[i]);
    }
    MPI_Sendrecv(mine, N, MPI_AINT, previous, 0, theirs, N, MPI_AINT, next, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; i++) {
        value[i] = 1000 * rank + i;
        MPI_Aint at = MPI_Aint_add(theirs[i], i % INTS * (MPI_Aint) sizeof(int));
        CHECK_INT(MPI_Aint_diff(at, theirs[i]), i % INTS * sizeof(int));
        MPI_Accumulate(&value[i], 1, MPI_INT, next, at, 1, MPI_INT, MPI_REPLACE, win);
        if (i % 50 == 0)
            MPI_Win_fence(0, win);
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; i++)
        CHECK_INT(region[i][i % INTS], 1000 * previous + i);
    MPI_Get(&got, 1, MPI_INT, next, theirs[7] + 7 * (MPI_Aint) sizeof(int), 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK_INT(got, 1000 * rank + 7);
    for (int i = 0; i < N; i++) {
        int k = i * 77 % N;
        CHECK(MPI_Win_detach(win, region[k]) == MPI_SUCCESS);
        free(region[k]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A type of absolute addresses at displacement 0; displacements below 0, and in the middle, with
 * types that compensate. */
static void displacements(void)
{
    static int memory[8];
    int in[2] = { rank + 1, rank + 2 }, target = (rank + 1) % size, from;
    MPI_Aint at;
    MPI_Datatype type;

    memset(memory, 0, sizeof memory);
    MPI_Win_attach(win, memory, sizeof memory);
    at = of_rank(target, address(memory));
    MPI_Win_fence(0, win);
    MPI_Type_create_hindexed(2, (int[]) { 1, 1 }, (MPI_Aint[]) { at + 8, at }, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Put(in, 2, MPI_INT, target, 0, 1, type, win);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed(2, (int[]) { 1, 1 }, (MPI_Aint[]) { at + 1000 + 12, at + 1000 + 16 },
                             MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Put(in, 2, MPI_INT, target, -1000, 1, type, win);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed(1, (int[]) { 2 }, (MPI_Aint[]) { -40 }, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Put(in, 2, MPI_INT, target, at + 60, 1, type, win);
    MPI_Type_free(&type);
    MPI_Win_fence(0, win);
    from = (rank + size - 1) % size;
    CHECK_INT(memory[0], from + 2);
    CHECK_INT(memory[1], 0);
    CHECK_INT(memory[2], from + 1);
    CHECK_INT(memory[3], from + 1);
    CHECK_INT(memory[4], from + 2);
    CHECK_INT(memory[5], from + 1);
    CHECK_INT(memory[6], from + 2);
    CHECK_INT(memory[7], 0);
    MPI_Win_detach(win, memory);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Operations over several regions: those that touch, and pieces with a gap between them, of which
 * each is attached. Regions have odd lengths, so that elements cross from one to the next. */
static void several_regions(void)
{
    enum { INTS_ALL = 1000, SPLIT = 1998, GAP = 3000, BYTES = 4 * INTS_ALL };
    static _Alignas(8) char memory[2 * BYTES];
    const int next = (rank + 1) % size, from = (rank + size - 1) % size;
    int in[INTS_ALL], out[INTS_ALL];
    MPI_Datatype pieces;
    const char *regions[] = { memory, memory + 1, memory + SPLIT, memory + BYTES + GAP };
    const MPI_Aint len[] = { 1, SPLIT - 1, BYTES - SPLIT, 1000 };
    const MPI_Aint at = of_rank(next, address(memory));

    memset(memory, 0, sizeof memory);
    for (int i = 0; i < INTS_ALL; i++)
        in[i] = rank + i;
    for (int i = 3; i >= 0; i--)
        CHECK(MPI_Win_attach(win, (void *) regions[i], len[i]) == MPI_SUCCESS);
    MPI_Type_create_hindexed(2, (int[]) { 500, 250 }, (MPI_Aint[]) { 2000, BYTES + GAP }, MPI_INT,
                             &pieces);
    MPI_Type_commit(&pieces);
    MPI_Win_fence(0, win);
    MPI_Put(in, INTS_ALL, MPI_INT, next, at, INTS_ALL, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(in, 750, MPI_INT, next, at, 1, pieces, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(out, 750, MPI_INT, next, at, 1, pieces, win);
    MPI_Win_fence(0, win);
    const int *all = (const int *) (const void *) memory, *far = all + INTS_ALL + GAP / 4;
    for (int i = 0; i < INTS_ALL; i++)
        CHECK_INT(all[i], from + i + (i >= 500 ? from + i - 500 : 0));
    for (int i = 0; i < 750; i++)
        CHECK_INT(out[i], i < 500 ? rank + 500 + i + rank + i : rank + i);
    for (int i = 0; i < 250; i++)
        CHECK_INT(far[i], from + 500 + i);
    for (int i = 0; i < 4; i++)
        CHECK(MPI_Win_detach(win, regions[i]) == MPI_SUCCESS);
    MPI_Type_free(&pieces);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Memory that is attached while other ranks are in an epoch; detached; attached again. */
static void again(void)
{
    long *memory = mpitest_memory(2 * sizeof(long)), value = rank, got;
    int next = (rank + 1) % size;

    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 50; i++) {
        MPI_Win_attach(win, memory + i % 2, sizeof(long));
        MPI_Aint at = of_rank(next, address(memory + i % 2));
        value = 100 * rank + i;
        MPI_Accumulate(&value, 1, MPI_LONG, next, at, 1, MPI_LONG, MPI_REPLACE, win);
        MPI_Win_flush(next, win);
        MPI_Fetch_and_op(NULL, &got, MPI_LONG, next, at, MPI_NO_OP, win);
        MPI_Win_flush(next, win);
        CHECK_INT(got, value);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(MPI_Win_detach(win, memory + i % 2) == MPI_SUCCESS);
    }
    MPI_Win_unlock_all(win);
    free(memory);
}

static void attach(long *at) { MPI_Win_attach(win, at, sizeof *at); }

static void detach(long *at) { MPI_Win_detach(win, at); }

/* A region is used all the while its process attaches and detaches others, which move it in the
 * list. */
static void changing(void)
{
    enum { ADDS = 1000, OTHERS = 100 };
    long *memory = mpitest_memory((OTHERS + 1) * sizeof(long)), one = 1, got;
    MPI_Aint at = of_rank(0, address(memory + OTHERS));
    bool attached[OTHERS] = { false };
    MPI_Request all;
    int done = 0;

    memory[OTHERS] = 0;
    MPI_Win_attach(win, memory + OTHERS, sizeof(long));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ADDS && rank; i++) {
        MPI_Fetch_and_op(&one, &got, MPI_LONG, 0, at, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    for (int i = 0; !done; i = (i + 1) % OTHERS) {
        (attached[i] ? detach : attach)(memory + i);
        attached[i] = !attached[i];
        MPI_Test(&all, &done, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < OTHERS; i++)
        if (attached[i])
            detach(memory + i);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(NULL, &got, MPI_LONG, 0, at, MPI_NO_OP, win);
    MPI_Win_unlock(0, win);
    CHECK_INT(got, (long) ADDS * (size - 1));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, memory + OTHERS);
    free(memory);
}

/* No memory; the same memory in two windows; adjacent regions are one for a transfer. */
static void regions(void)
{
    static char memory[64];
    char in[32];
    int next = (rank + 1) % size;
    MPI_Aint at = of_rank(next, address(memory));
    MPI_Win other;

    memset(in, 'a' + rank, sizeof in);
    CHECK(MPI_Win_attach(win, memory, 0) == MPI_SUCCESS);
    CHECK(MPI_Win_detach(win, memory) == MPI_SUCCESS);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Win_attach(other, memory, 32);
    MPI_Win_fence(0, other);
    MPI_Put(in, 10, MPI_CHAR, next, at, 10, MPI_CHAR, other);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, other);
    MPI_Win_detach(other, memory);
    MPI_Win_fence(0, win);
    MPI_Put(in, 32, MPI_CHAR, next, at + 32, 32, MPI_CHAR, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < 64; i++)
        CHECK_INT(memory[i], i < 10 || i >= 32 ? 'a' + (rank + size - 1) % size : 0);
    MPI_Win_free(&other); /* with no memory; the first one keeps its own until it is freed */
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    CHECK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_SUCCESS);
    many();
    displacements();
    several_regions();
    again();
    changing();
    regions();
    CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
