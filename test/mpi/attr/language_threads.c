/* language_threads.c — threads set, read, copy and delete integers on one object: each sees a whole
 * value that was set by one of them, of the right kind. */
#include "../threads/threads.h"
#include "integers.h"

enum { THREADS = 4, ROUNDS = 400 };
static int common, key, own[THREADS];

static int copy_fn(MPI_Comm c, int k, void *extra, void *in, void *out, int *flag)
{
    (void) c, (void) k, (void) extra;
    *(void **) out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

/* INTEGERs are 1 to THREADS, negative; addresses have these in both halves. */
static int whole(MPI_Aint v)
{
    return (v < 0 && v >= -THREADS) || (v >> 32 > 0 && v >> 32 <= THREADS && v >> 32 == (int) v);
}

static void *run(void *me)
{
    MPI_Aint i = (MPI_Aint) me + 1;

    for (int round = 0; round < ROUNDS; round++) {
        int flag = 0, dup;
        if (round % 2)
            CHECK_INT(set_integer(MPIR_ON_TYPE, common, key, -(int) i), MPI_SUCCESS);
        else
            CHECK_INT(set_address(MPIR_ON_TYPE, common, key, i << 32 | i), MPI_SUCCESS);
        MPI_Aint v = get_address(MPIR_ON_TYPE, common, key, &flag);
        CHECK(!flag || whole(v));
        set_address(MPIR_ON_TYPE, common, own[i - 1], i * 1000 + round);
        CHECK_INT(address_of(MPIR_ON_TYPE, common, own[i - 1]), i * 1000 + round);
        CHECK_INT(MPI_Type_dup(common, &dup), MPI_SUCCESS);
        CHECK_INT(address_of(MPIR_ON_TYPE, dup, own[i - 1]), i * 1000 + round);
        v = get_address(MPIR_ON_TYPE, dup, key, &flag);
        CHECK(!flag || whole(v));
        CHECK_INT(MPI_Type_free(&dup), MPI_SUCCESS);
        if (round % 5 == 0)
            CHECK_INT(unset(MPIR_ON_TYPE, common, key), MPI_SUCCESS);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    common = make_object(MPIR_ON_TYPE);
    key = make_key(MPIR_ON_TYPE, MPI_TYPE_DUP_FN, NULL, NULL, NULL);
    for (int i = 0; i < THREADS; i++)
        own[i] = make_key(MPIR_ON_TYPE, copy_fn, NULL, NULL, NULL);
    threads_run(THREADS, run);
    MPI_Type_free(&common);
    free_key(MPIR_ON_TYPE, &key);
    for (int i = 0; i < THREADS; i++)
        free_key(MPIR_ON_TYPE, &own[i]);
    MPI_Finalize();
    return 0;
}
