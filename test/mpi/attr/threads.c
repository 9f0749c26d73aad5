/* threads.c — several threads copy one datatype and set attributes of their own at the same time;
 * the user's functions run without the lock, and call MPI. */
#include "../threads/threads.h"

enum { THREADS = 4, ROUNDS = 300 };
static int key, own_key;
static MPI_Datatype common;
static char value;

static int copy_fn(MPI_Datatype t, int keyval, void *extra, void *in, void *out, int *flag)
{
    void *got = NULL;
    int there = 0;

    (void) extra;
    MPI_Type_get_attr(t, keyval, &got, &there);
    CHECK(there && got == in);
    *(void **) out = in;
    return *flag = 1, MPI_SUCCESS;
}

static int delete_fn(MPI_Datatype t, int keyval, void *in, void *extra)
{
    int size;

    (void) keyval, (void) extra;
    MPI_Type_size(t, &size);
    return in ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void *run(void *me)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Datatype dup;
        void *got = NULL;
        int flag = 0;

        CHECK_INT(MPI_Type_dup(common, &dup), MPI_SUCCESS);
        MPI_Type_get_attr(dup, key, &got, &flag);
        CHECK(flag && got == &value);
        CHECK_INT(MPI_Type_set_attr(dup, own_key, (char *) &value + (intptr_t) me), MPI_SUCCESS);
        CHECK_INT(MPI_Type_free(&dup), MPI_SUCCESS);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Type_create_keyval(copy_fn, delete_fn, &key, NULL);
    MPI_Type_create_keyval(copy_fn, delete_fn, &own_key, NULL);
    MPI_Type_contiguous(2, MPI_INT, &common);
    MPI_Type_set_attr(common, key, &value);
    threads_run(THREADS, run);
    MPI_Type_free(&common);
    MPI_Type_free_keyval(&key);
    MPI_Type_free_keyval(&own_key);
    MPI_Finalize();
    return 0;
}
