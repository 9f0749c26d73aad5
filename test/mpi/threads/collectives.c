/* collectives.c — X04: collective operations of several threads at once, each on a communicator of
 * its own, with a user's operation that calls MPI itself; and communicators made by threads. */
#include "threads.h"

enum { THREADS = 4, ROUNDS = 100, LARGE = 100000 };

static MPI_Comm comm[THREADS];
static MPI_Op op;
static int rank, size;

/* The operation may call MPI: the library holds no lock meanwhile. */
static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int bytes, flag;

    MPI_Type_size(*type, &bytes);
    CHECK_INT(bytes, sizeof(int));
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    for (int i = 0; i < *len; i++)
        ((int *) inout)[i] += ((int *) in)[i];
}

static void small_ones(int thread, MPI_Comm c)
{
    for (int i = 0; i < ROUNDS; i++) {
        int mine = rank + i + thread, sum = -1, word = rank == i % size ? mine : -1;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, i % 2 ? MPI_SUM : op, c);
        CHECK_INT(sum, size * (size - 1) / 2 + size * (i + thread));
        MPI_Bcast(&word, 1, MPI_INT, i % size, c);
        CHECK_INT(word, i % size + i + thread);
        MPI_Barrier(c);
    }
}

static void large_ones(int thread, MPI_Comm c)
{
    int *mine = mpitest_memory(LARGE * sizeof(int)), *sum = mpitest_memory(LARGE * sizeof(int));

    for (int i = 0; i < LARGE; i++)
        mine[i] = i + thread;
    MPI_Allreduce(mine, sum, LARGE, MPI_INT, op, c);
    for (int i = 0; i < LARGE; i++)
        if (sum[i] != size * (i + thread))
            CHECK_INT(sum[i], size * (i + thread));
    free(mine);
    free(sum);
}

static void *run(void *arg)
{
    int thread = (int) (intptr_t) arg;
    MPI_Comm c;

    small_ones(thread, comm[thread]);
    for (int i = 0; i < 20; i++) {
        MPI_Comm_dup(comm[thread], &c);
        MPI_Barrier(c);
        MPI_Comm_free(&c);
    }
    large_ones(thread, comm[thread]);
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    threads_run(THREADS, run);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comm[i]);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
