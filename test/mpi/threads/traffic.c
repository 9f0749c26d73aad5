/* traffic.c — X04, P03: threads that send and receive on one communicator at the same time, each
 * with a tag of its own; messages of one thread are not overtaken. Sizes go over all protocols. */
#include "threads.h"

enum { THREADS = 4, ROUNDS = 60, WINDOW = 8 };

static const int sizes[] = { 0, 1, 10, 300, 5000, 70000 }; /* ints */
enum { SIZES = sizeof sizes / sizeof *sizes };

static int rank, size;

static int value(int from, int thread, int round, int w, int i)
{
    return ((from * 31 + thread) * 1009 + round * WINDOW + w) * 7 + i;
}

static void fill(int *buf, int n, int thread, int round, int w)
{
    for (int i = 0; i < n; i++)
        buf[i] = value(rank, thread, round, w, i);
}

static void check(const int *buf, int n, int from, int thread, int round, int w)
{
    for (int i = 0; i < n; i++)
        if (buf[i] != value(from, thread, round, w, i))
            CHECK_INT(buf[i], value(from, thread, round, w, i));
}

static void *run(void *arg)
{
    int thread = (int) (intptr_t) arg, most = sizes[SIZES - 1];
    int *out = mpitest_memory(sizeof(int) * (size_t) most * WINDOW), *in[WINDOW];
    MPI_Request r[2 * WINDOW];
    MPI_Status s[2 * WINDOW];

    for (int w = 0; w < WINDOW; w++)
        in[w] = mpitest_memory(sizeof(int) * (size_t) most);
    for (int round = 0; round < ROUNDS; round++) {
        int to = (rank + 1 + round % size) % size,
            from = (rank + 2 * size - 1 - round % size) % size;
        for (int w = 0; w < WINDOW; w++)
            MPI_Irecv(in[w], most, MPI_INT, from, thread, MPI_COMM_WORLD, &r[w]);
        for (int w = 0; w < WINDOW; w++) {
            int n = sizes[(round + w) % SIZES];
            fill(out + (size_t) w * (size_t) most, n, thread, round, w);
            MPI_Isend(out + (size_t) w * (size_t) most, n, MPI_INT, to, thread, MPI_COMM_WORLD,
                      &r[WINDOW + w]);
        }
        MPI_Waitall(2 * WINDOW, r, s);
        for (int w = 0; w < WINDOW; w++) {
            int count, n = sizes[(round + w) % SIZES];
            MPI_Get_count(&s[w], MPI_INT, &count);
            CHECK_INT(count, n);
            check(in[w], n, from, thread, round, w);
        }
    }
    for (int w = 0; w < WINDOW; w++)
        free(in[w]);
    free(out);
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    threads_run(THREADS, run);
    MPI_Finalize();
    return 0;
}
