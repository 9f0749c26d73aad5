/* info_use.c — R15: the hints of windows of all flavors: what is asserted is used, MPI_Win_set_info
 * changes it, unknown keys are ignored and wrong values refused. A program that breaks a hint runs.
 *
 * MPICH 4.0 fails: it knows no wrong values. */
#include "errors.h"

static const char *const keys[][3] = {
    /* the default, another value */
    { "no_locks", "false", "true" },
    { "same_size", "false", "true" },
    { "same_disp_unit", "false", "true" },
    { "accumulate_ops", "same_op_no_op", "same_op" },
    { "accumulate_ordering", "rar,raw,war,waw", "none" },
};
enum { KEYS = sizeof keys / sizeof *keys };

static int make(enum flavor f, MPI_Info info, char **base, MPI_Win *win)
{
    static long memory[8];

    *base = (char *) memory;
    if (f == CREATED)
        return MPI_Win_create(memory, 64, 4, info, MPI_COMM_WORLD, win);
    if (f == ALLOCATED)
        return MPI_Win_allocate(64, 4, info, MPI_COMM_WORLD, base, win);
    if (f == SHARED)
        return MPI_Win_allocate_shared(64, 4, info, MPI_COMM_WORLD, base, win);
    return MPI_Win_create_dynamic(info, MPI_COMM_WORLD, win);
}

static void check(MPI_Win win, const char *key, const char *value)
{
    char text[64] = "";
    MPI_Info info;
    int flag;

    MPI_Win_get_info(win, &info);
    MPI_Info_get(info, key, sizeof text - 1, text, &flag);
    MPI_Info_free(&info);
    CHECK(flag);
    if (strcmp(text, value) != 0)
        fprintf(stderr, "%s: '%s', not '%s'\n", key, text, value);
    CHECK(strcmp(text, value) == 0);
}

static int set(MPI_Win win, const char *key, const char *value)
{
    MPI_Info info;
    int err;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    err = MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
    return err;
}

/* Every hint at creation and afterwards; no other one changes with it. */
static void each_hint(enum flavor f, int which)
{
    char *base;
    MPI_Info info;
    MPI_Win win;

    MPI_Info_create(&info);
    MPI_Info_set(info, keys[which][0], keys[which][2]);
    MPI_Info_set(info, "a_key_of_another_library", "7");
    CHECK_INT(make(f, info, &base, &win), MPI_SUCCESS);
    MPI_Info_free(&info);
    for (int k = 0; k < KEYS; k++)
        check(win, keys[k][0], keys[k][k == which ? 2 : 1]);
    CHECK_INT(set(win, keys[which][0], keys[which][1]), MPI_SUCCESS);
    CHECK_INT(set(win, "a_key_of_another_library", "7"), MPI_SUCCESS);
    for (int k = 0; k < KEYS; k++)
        check(win, keys[k][0], keys[k][1]);
    CHECK_INT(set(win, keys[which][0], keys[which][2]), MPI_SUCCESS);
    check(win, keys[which][0], keys[which][2]);
    MPI_Win_free(&win);
}

/* A wrong value makes no window and changes none. */
static void wrong_values(enum flavor f)
{
    static const char *const wrong[KEYS] = { "yes", "TRUE", "1", "same", "rar, raw" };
    char *base;
    MPI_Win win, none = MPI_WIN_NULL;
    MPI_Info info;

    CHECK_INT(make(f, MPI_INFO_NULL, &base, &win), MPI_SUCCESS);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    for (int k = 0; k < KEYS; k++) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "no_locks", "true");
        MPI_Info_set(info, keys[k][0], wrong[k]);
        EXPECT(MPI_ERR_INFO_VALUE, make(f, info, &base, &none));
        CHECK(none == MPI_WIN_NULL);
        EXPECT(MPI_ERR_INFO_VALUE, MPI_Win_set_info(win, info));
        MPI_Info_free(&info);
        for (int i = 0; i < KEYS; i++)
            check(win, keys[i][0], keys[i][1]);
    }
    MPI_Win_free(&win);
}

/* A lock of each kind, with a put that needs it. */
static void lock_all_kinds(MPI_Win win, enum flavor f)
{
    const int next = (rank + 1) % size;
    int x = 1;

    CHECK_INT(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win), MPI_SUCCESS);
    if (f < DYNAMIC)
        CHECK_INT(MPI_Put(&x, 1, MPI_INT, next, 0, 1, MPI_INT, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_unlock(next, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_lock(MPI_LOCK_SHARED, size - 1, 0, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_unlock(size - 1, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_lock_all(MPI_MODE_NOCHECK, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_unlock_all(win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_lock_all(0, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_unlock_all(win), MPI_SUCCESS);
}

/* Programs lock windows that they have said they do not lock, as PRK's MPISHM. */
static void no_locks(enum flavor f)
{
    char *base;
    MPI_Info info;
    MPI_Win win;
    MPI_Group all;

    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    CHECK_INT(make(f, info, &base, &win), MPI_SUCCESS);
    MPI_Info_free(&info);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    lock_all_kinds(win, f);
    check(win, "no_locks", "true");
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock(rank, win));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_get_group(win, &all);
    CHECK_INT(MPI_Win_post(all, 0, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_start(all, 0, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_complete(win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_wait(win), MPI_SUCCESS);
    MPI_Group_free(&all);
    CHECK_INT(MPI_Win_fence(MPI_MODE_NOPRECEDE, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_fence(MPI_MODE_NOSUCCEED, win), MPI_SUCCESS);
    CHECK_INT(set(win, "no_locks", "false"), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    lock_all_kinds(win, f);
    MPI_Win_free(&win);
}

/* Sizes and units that are not the same as the program says: the hints are dropped, and what is
 * behind the memory of this process is reached in that of another. */
static void not_the_same(void)
{
    static long memory[16];
    const int next = (rank + 1) % size, last = size - 1;
    int x = 100 + rank;
    MPI_Info info;
    MPI_Win win;

    MPI_Info_create(&info);
    MPI_Info_set(info, "same_size", "true");
    MPI_Info_set(info, "same_disp_unit", "true");
    CHECK_INT(MPI_Win_create(memory, rank == last ? 128 : 8, rank == last ? 8 : 4, info,
                             MPI_COMM_WORLD, &win),
              MPI_SUCCESS);
    check(win, "same_size", size == 1 ? "true" : "false");
    check(win, "same_disp_unit", size == 1 ? "true" : "false");
    CHECK_INT(MPI_Win_set_info(win, info), MPI_SUCCESS);
    check(win, "same_size", size == 1 ? "true" : "false");
    MPI_Info_free(&info);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    if (next == last)
        CHECK_INT(MPI_Put(&x, 1, MPI_INT, last, 15, 1, MPI_INT, win), MPI_SUCCESS);
    CHECK_INT(MPI_Win_fence(MPI_MODE_NOSUCCEED, win), MPI_SUCCESS);
    if (rank == last)
        CHECK_INT((int) memory[15], 100 + (rank + size - 1) % size);
    MPI_Win_free(&win);
}

/* What one process asserts alone does not hold; an order that one wants is kept. */
static void some(enum flavor f)
{
    char *base;
    MPI_Info info;
    MPI_Win win;

    MPI_Info_create(&info);
    for (int k = 0; k < KEYS; k++)
        MPI_Info_set(info, keys[k][0], keys[k][rank == size - 1 ? 2 : 1]);
    CHECK_INT(make(f, info, &base, &win), MPI_SUCCESS);
    MPI_Info_free(&info);
    for (int k = 0; k < KEYS; k++)
        check(win, keys[k][0], keys[k][size == 1 ? 2 : 1]);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        for (int k = 0; k < KEYS; k++)
            each_hint(f, k);
        wrong_values(f);
        no_locks(f);
        some(f);
    }
    not_the_same();
    MPI_Finalize();
    return 0;
}
