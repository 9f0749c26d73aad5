/* attributes.c — G11: attributes of windows: the functions of a key are called when an attribute is
 * deleted, set again, or when the window is freed; nothing ever copies. G13: what cannot be set. */
#include "../env/starling.h"
#include "rma.h"

static int deletes, last_key;
static void *last_value;
static MPI_Win last_win;
static char values[4];

static int copies(MPI_Win win, int key, void *extra, void *in, void *out, int *flag)
{
    (void) win, (void) key, (void) extra, (void) in, (void) out, (void) flag;
    CHECK(!"windows are never copied");
    return MPI_SUCCESS;
}

/* extra points to the code to return. */
static int deleted(MPI_Win win, int key, void *value, void *extra)
{
    deletes++;
    last_key = key;
    last_value = value;
    last_win = win;
    return *(int *) extra;
}

static int times(void)
{
    int n = deletes;

    deletes = 0;
    return n;
}

static void *get(MPI_Win win, int key)
{
    void *value = &values[3];
    int flag = -1;

    CHECK(MPI_Win_get_attr(win, key, &value, &flag) == MPI_SUCCESS);
    CHECK(flag == 0 || flag == 1);
    return flag ? value : NULL;
}

static void set_and_delete(void)
{
    int key = MPI_KEYVAL_INVALID, other = MPI_KEYVAL_INVALID, code = MPI_SUCCESS;
    struct window w = window_make(ALLOCATED, 16, 1);
    MPI_Win win = w.win;

    CHECK(MPI_Win_create_keyval(copies, deleted, &key, &code) == MPI_SUCCESS);
    CHECK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &other, NULL)
          == MPI_SUCCESS);
    CHECK(key != MPI_KEYVAL_INVALID && key != other);
    CHECK(get(win, key) == NULL);
    CHECK(MPI_Win_set_attr(win, key, &values[0]) == MPI_SUCCESS);
    CHECK(MPI_Win_set_attr(win, other, &values[1]) == MPI_SUCCESS);
    CHECK(get(win, key) == &values[0] && get(win, other) == &values[1]);
    CHECK_INT(times(), 0);
    MPI_Win_set_attr(win, key, &values[2]); /* deletes the first value */
    CHECK(times() == 1 && last_value == &values[0] && last_win == win && last_key == key);
    CHECK(MPI_Win_delete_attr(win, key) == MPI_SUCCESS);
    CHECK(times() == 1 && last_value == &values[2]);
    CHECK(get(win, key) == NULL);
    MPI_Win_set_attr(win, key, &values[1]);
    last_key = key;
    CHECK(MPI_Win_free_keyval(&key) == MPI_SUCCESS);
    CHECK_INT(key, MPI_KEYVAL_INVALID);
    CHECK_INT(times(), 0);
    window_free(&w); /* R14 */
    CHECK(times() == 1 && last_value == &values[1] && last_win == win);
    MPI_Win_free_keyval(&other);
}

/* An error of the delete function makes the call fail, also MPI_Win_free: the window stays. */
static void failing(void)
{
    int key, code = MPI_ERR_OTHER;
    struct window w = window_make(CREATED, 16, 1);

    MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, deleted, &key, &code);
    MPI_Win_set_attr(w.win, key, values);
    CHECK(MPI_Win_delete_attr(w.win, key) != MPI_SUCCESS);
    CHECK(MPI_Win_set_attr(w.win, key, values) != MPI_SUCCESS);
    CHECK(times() == 2);
    CHECK(get(w.win, key) == values);
    if (starling()) { /* MPICH 4.0 sets the handle to MPI_WIN_NULL */
        CHECK(MPI_Win_free(&w.win) != MPI_SUCCESS);
        CHECK(w.win != MPI_WIN_NULL && get(w.win, key) == values);
        CHECK_INT(times(), 1);
        MPI_Win_fence(0, w.win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win);
    }
    code = MPI_SUCCESS;
    MPI_Win_delete_attr(w.win, key);
    CHECK_INT(times(), 1);
    MPI_Win_free_keyval(&key);
    window_free(&w);
}

/* Several windows and keys. */
static void many(void)
{
    int key[10], code = MPI_SUCCESS;
    struct window w[3];

    for (int i = 0; i < 10; i++)
        MPI_Win_create_keyval(MPI_WIN_DUP_FN, deleted, &key[i], &code);
    for (int k = 0; k < 3; k++) {
        w[k] = window_make(ALLOCATED, 8, 1);
        for (int i = k; i < 10; i++)
            MPI_Win_set_attr(w[k].win, key[i], (void *) (intptr_t) (10 * k + i + 1));
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 10; i++)
            CHECK_INT((intptr_t) get(w[k].win, key[i]), i < k ? 0 : 10 * k + i + 1);
    for (int k = 0; k < 3; k++) {
        window_free(&w[k]);
        CHECK_INT(times(), 10 - k);
    }
    for (int i = 0; i < 10; i++)
        MPI_Win_free_keyval(&key[i]);
}

/* G13 */
static void predefined(void)
{
    const int keys[] = { MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR,
                         MPI_WIN_MODEL };
    struct window w = window_make(ALLOCATED, 16, 4);

    MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN);
    for (int i = 0; i < 5; i++) {
        int key = keys[i];
        CHECK(MPI_Win_set_attr(w.win, key, values) != MPI_SUCCESS);
        CHECK(MPI_Win_delete_attr(w.win, key) != MPI_SUCCESS);
    }
    CHECK(get(w.win, MPI_WIN_BASE) == w.base);
    CHECK(get(w.win, MPI_WIN_SIZE) == get(w.win, MPI_WIN_SIZE));
    CHECK_INT(*(MPI_Aint *) get(w.win, MPI_WIN_SIZE), 16);
    window_free(&w);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        set_and_delete();
        failing();
        many();
        predefined();
    }
    MPI_Finalize();
    return 0;
}
