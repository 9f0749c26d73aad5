/* threads.c — I01: several threads use one info object at the same time, each its own keys.
 * MPICH 4.0 fails: it crashes. */
#include "../threads/threads.h"
#include "info_test.h"

enum { THREADS = 4, KEYS = 200 };
static MPI_Info info;

static void *run(void *me)
{
    char key[32], value[32];

    for (int i = 0; i < KEYS; i++) {
        snprintf(key, sizeof key, "key %d of %d", i, (int) (intptr_t) me);
        snprintf(value, sizeof value, "%d", i);
        CHECK_INT(MPI_Info_set(info, key, value), MPI_SUCCESS);
        has(info, key, value);
        if (i % 2)
            CHECK_INT(MPI_Info_delete(info, key), MPI_SUCCESS);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Info_create(&info);
    threads_run(THREADS, run);
    CHECK_INT(nkeys(info), THREADS * KEYS / 2);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
