/* windows.c — R01, R02, R14, G13: windows of all flavors: their attributes, sizes, units, groups
 * and names; zero size, many windows, and other communicators. */
#include "rma.h"

static void *attribute(MPI_Win win, int keyval)
{
    void *value = NULL;
    int flag = 0;

    CHECK(MPI_Win_get_attr(win, keyval, &value, &flag) == MPI_SUCCESS);
    CHECK(flag);
    return value;
}

static void attributes(MPI_Win win, int flavor, void *base, MPI_Aint len, int unit)
{
    int model = *(int *) attribute(win, MPI_WIN_MODEL);

    CHECK_INT(*(int *) attribute(win, MPI_WIN_CREATE_FLAVOR), flavor);
    CHECK(model == MPI_WIN_UNIFIED || model == MPI_WIN_SEPARATE);
    CHECK(attribute(win, MPI_WIN_BASE) == base);
    CHECK_INT(*(MPI_Aint *) attribute(win, MPI_WIN_SIZE), len);
    CHECK_INT(*(int *) attribute(win, MPI_WIN_DISP_UNIT), unit);
}

static const int flavors[] = { [CREATED] = MPI_WIN_FLAVOR_CREATE,
                               [ALLOCATED] = MPI_WIN_FLAVOR_ALLOCATE,
                               [SHARED] = MPI_WIN_FLAVOR_SHARED,
                               [DYNAMIC] = MPI_WIN_FLAVOR_DYNAMIC,
                               [REGIONS] = MPI_WIN_FLAVOR_CREATE };

static void each_flavor(void)
{
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        struct window w = window_make(f, 96, 8);
        attributes(w.win, flavors[f], f == DYNAMIC ? MPI_BOTTOM : w.base, f == DYNAMIC ? 0 : 96,
                   w.unit);
        window_free(&w);
    }
}

/* Sizes, also zero, and units differ from rank to rank; each rank writes the last unit of all. */
static void uneven(bool allocate)
{
    MPI_Aint len = rank % 3 * 16;
    int unit = 1 << rank % 4;
    char *base = NULL, value = (char) (rank + 1);
    MPI_Win win;

    if (allocate) {
        MPI_Win_allocate(len, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    } else {
        base = len ? mpitest_memory((size_t) len) : NULL;
        MPI_Win_create(base, len, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    }
    CHECK(len == 0 || base);
    if (len > 0 || !allocate) /* the base of no memory is whatever the library says */
        attributes(win, allocate ? MPI_WIN_FLAVOR_ALLOCATE : MPI_WIN_FLAVOR_CREATE, base, len,
                   unit);
    MPI_Win_fence(0, win);
    for (int r = 0; r < size; r++)
        if (r % 3 > 0 && rank == (r + 1) % size)
            MPI_Put(&value, 1, MPI_CHAR, r, r % 3 * 16 / (1 << r % 4) - 1, 1, MPI_CHAR, win);
    MPI_Win_fence(0, win);
    if (len > 0)
        CHECK_INT(base[len - unit], (rank + size - (size > 1 ? size - 1 : 0)) % size + 1);
    MPI_Win_free(&win);
    if (!allocate)
        free(base);
}

static void zero(void)
{
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        struct window w = window_make(f, 0, 1);
        for (enum epoch k = 0; k < EPOCHS; k++) {
            epoch_begin(&w, k);
            epoch_end(&w, k);
        }
        window_free(&w);
    }
}

/* Windows in turn, so that what is not freed runs out; and some at once. */
static void many(void)
{
    int *memory[20], value[20], next = (rank + 1) % size;
    MPI_Win win[20];

    for (int i = 0; i < 30; i++) {
        MPI_Win_create(memory, 80, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win);
        CHECK(MPI_Win_free(win) == MPI_SUCCESS);
    }
    for (int i = 0; i < 20; i++) {
        MPI_Win_allocate(4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory[i], &win[i]);
        *memory[i] = -1;
        value[i] = i;
    }
    for (int i = 0; i < 20; i++)
        MPI_Win_fence(0, win[i]);
    for (int i = 0; i < 20; i++)
        MPI_Put(&value[i], 1, MPI_INT, next, 0, 1, MPI_INT, win[i]);
    for (int i = 19; i >= 0; i--)
        MPI_Win_fence(0, win[i]);
    for (int i = 0; i < 20; i++)
        CHECK_INT(*memory[i], i);
    for (int i = 0; i < 20; i++)
        MPI_Win_free(&win[19 - i]);
}

/* A target is a rank of the window's group; the communicator may be freed. */
static void groups(int color, int key)
{
    int r, n, result, *value, got = -1;
    MPI_Group of_comm, of_win;
    MPI_Comm comm;
    MPI_Win win;

    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    MPI_Comm_rank(comm, &r);
    MPI_Comm_size(comm, &n);
    MPI_Win_allocate(4096, 1, MPI_INFO_NULL, comm, &value, &win);
    *value = rank;
    MPI_Comm_group(comm, &of_comm);
    CHECK(MPI_Win_get_group(win, &of_win) == MPI_SUCCESS);
    MPI_Group_compare(of_comm, of_win, &result);
    CHECK_INT(result, MPI_IDENT);
    MPI_Comm_free(&comm);
    MPI_Win_fence(0, win);
    MPI_Get(&got, 1, MPI_INT, (r + 1) % n, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Group_translate_ranks(of_win, 1, (int[]) { (r + 1) % n }, of_comm, &result);
    CHECK_INT(result, (r + 1) % n);
    MPI_Group_free(&of_comm);
    MPI_Comm_group(MPI_COMM_WORLD, &of_comm);
    MPI_Group_translate_ranks(of_win, 1, (int[]) { (r + 1) % n }, of_comm, &result);
    CHECK_INT(got, result);
    MPI_Group_free(&of_comm);
    MPI_Group_free(&of_win);
    MPI_Win_free(&win);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME], longest[MPI_MAX_OBJECT_NAME];
    struct window w = window_make(ALLOCATED, 8, 1), other = window_make(CREATED, 8, 1);
    int len = -1;

    CHECK(MPI_Win_get_name(w.win, name, &len) == MPI_SUCCESS);
    CHECK(len == 0 && name[0] == '\0');
    CHECK(MPI_Win_set_name(w.win, "grid") == MPI_SUCCESS);
    CHECK(MPI_Win_set_name(other.win, "halo of it") == MPI_SUCCESS);
    MPI_Win_get_name(w.win, name, &len);
    CHECK(len == 4 && strcmp(name, "grid") == 0);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    MPI_Win_set_name(w.win, longest);
    MPI_Win_get_name(w.win, name, &len);
    CHECK(len == MPI_MAX_OBJECT_NAME - 1 && strcmp(name, longest) == 0);
    MPI_Win_get_name(other.win, name, &len);
    CHECK(strcmp(name, "halo of it") == 0);
    window_free(&other);
    window_free(&w);
}

/* R14: no process returns from MPI_Win_free before all have called it. */
static void free_waits(void)
{
    struct window w = window_make(ALLOCATED, 4, 1), late = window_make(ALLOCATED, 4, 4);
    int one = 1, got = -1;

    window_fill(&late, 0);
    MPI_Win_lock_all(0, late.win);
    if (rank == size - 1) {
        rma_pause(20000);
        for (int r = 0; r < size; r++)
            MPI_Accumulate(&one, 1, MPI_INT, r, 0, 1, MPI_INT, MPI_REPLACE, late.win);
        MPI_Win_flush_all(late.win);
    }
    window_free(&w);
    MPI_Fetch_and_op(NULL, &got, MPI_INT, rank, 0, MPI_NO_OP, late.win);
    MPI_Win_unlock_all(late.win);
    CHECK_INT(got, 1);
    window_free(&late);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    each_flavor();
    uneven(false);
    uneven(true);
    zero();
    many();
    groups(0, 0);
    groups(0, -rank);
    groups(rank % 2, rank);
    groups(rank, 0);
    names();
    for (int i = 0; i < 5; i++)
        free_waits();
    MPI_Finalize();
    return 0;
}
