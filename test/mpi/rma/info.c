/* info.c — R15: the hints of a window: those of its creation and of MPI_Win_set_info come back, and
 * windows with them work. */
#include "rma.h"

/* Whether the window has a value for the key; it must be this one. */
static bool has(MPI_Win win, const char *key, const char *value)
{
    char text[64] = "";
    MPI_Info info = MPI_INFO_NULL;
    int flag = 0;

    CHECK(MPI_Win_get_info(win, &info) == MPI_SUCCESS);
    CHECK(info != MPI_INFO_NULL);
    MPI_Info_get(info, key, sizeof text - 1, text, &flag);
    MPI_Info_free(&info);
    if (flag && value && strcmp(text, value) != 0) {
        fprintf(stderr, "%s: '%s', not '%s'\n", key, text, value);
        CHECK(!"another value");
    }
    return flag;
}

static MPI_Info one(const char *key, const char *value)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

/* The default values, and then a window with the hint and a sum in it. */
static void hint(const char *key, const char *usual, const char *value)
{
    int *base, next = (rank + 1) % size, x = rank;
    MPI_Info info = one(key, value);
    MPI_Win win;

    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    CHECK(has(win, key, usual));
    MPI_Win_free(&win);
    MPI_Info_set(info, "nobody_knows_this", "one");
    MPI_Win_allocate(64, 4, info, MPI_COMM_WORLD, &base, &win);
    MPI_Info_free(&info);
    CHECK(has(win, key, value));
    base[0] = 100;
    MPI_Win_fence(0, win);
    MPI_Accumulate(&x, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK_INT(base[0], 100 + (rank + size - 1) % size);
    MPI_Win_free(&win);
}

/* All hints at once, also of MPI_Win_create; other hints stay when one is set. */
static void later(void)
{
    static int memory[16];
    MPI_Info info;
    MPI_Win win;

    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_set(info, "same_size", "true");
    MPI_Win_create(memory, sizeof memory, 4, info, MPI_COMM_WORLD, &win);
    MPI_Info_free(&info);
    CHECK(has(win, "no_locks", "true"));
    CHECK(has(win, "same_size", "true"));
    info = one("accumulate_ordering", "raw,waw");
    CHECK(MPI_Win_set_info(win, info) == MPI_SUCCESS);
    MPI_Info_free(&info);
    CHECK(has(win, "accumulate_ordering", NULL)); /* may have been ignored */
    CHECK(has(win, "no_locks", "true"));
    CHECK(has(win, "same_size", "true"));
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win);
    CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    hint("no_locks", "false", "true");
    hint("accumulate_ordering", "rar,raw,war,waw", "none");
    hint("accumulate_ops", "same_op_no_op", "same_op");
    hint("same_size", "false", "true");
    hint("same_disp_unit", "false", "true");
    later();
    MPI_Finalize();
    return 0;
}
