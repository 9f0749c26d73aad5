/* serve.c — a window is served while its process computes, before and after a quiesce and the
 * opening of all devices anew; between them the thread that does it is gone.
 *
 * Only for Starling: it links the layers, and counts threads by /proc. */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include "adi3/adi3.h"
#include "adi3/adi3_checkpoint.h"
#include "mpitest.h"

enum { PATIENCE_S = 20 };

static int rank, size, before; /* threads before there is a window */
static long *memory;
static MPI_Win w;

static void *nothing(void *p) { return p; }

/* A sanitizer starts a thread of its own with the first one: it is not counted. */
static void first_thread(void)
{
    pthread_t t;

    CHECK(!pthread_create(&t, NULL, nothing, NULL) && !pthread_join(t, NULL));
}

static int threads(void)
{
    DIR *d = opendir("/proc/self/task");
    int n = 0;

    CHECK(d != NULL);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    (void) closedir(d);
    return n;
}

/* All others add one to the memory of rank 0, which only looks at it. */
static void use(long times)
{
    const long one = 1;
    time_t begin = time(NULL);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);
        MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, w);
        MPI_Win_unlock(0, w);
    }
    while (!rank && atomic_load((_Atomic long *) memory) != times * (size - 1))
        CHECK(time(NULL) - begin < PATIENCE_S);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* In a call, as a checkpoint would be. */
static void checkpoint(bool reopen)
{
    if (adi3_locks)
        adi3_lock();
    CHECK_INT(adi3_quiesce(), MPI_SUCCESS);
    CHECK_INT(threads(), before);
    if (reopen)
        CHECK_INT(adi3_reopen(), MPI_SUCCESS);
    else
        adi3_continue();
    CHECK_INT(threads(), before + adi3_locks);
    if (adi3_locks)
        adi3_unlock();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first_thread();
    before = threads();
    MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w);
    *memory = 0;
    CHECK(!adi3_locks == (size == 1));
    use(1);
    checkpoint(false);
    use(2);
    checkpoint(true);
    use(3);
    MPI_Win_free(&w);
    CHECK(!adi3_locks);
    MPI_Finalize();
    return 0;
}
