/* workers.c — counts prime numbers by a pool of workers, which one process starts.
 *
 * The master spawns the workers and hands out ranges of numbers. A worker asks for the next range
 * when it has counted one, so a slow worker gets fewer. Both sides leave by MPI_Comm_disconnect:
 * the workers end, and the master could go on and start others.
 *
 * usage: mpiexec -n 1 workers [workers] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { END = 1000000, RANGE = 10000, NO_RANGE = -1 };

static int is_prime(int n)
{
    if (n < 2)
        return 0;
    for (int i = 2; i * i <= n; i++)
        if (n % i == 0)
            return 0;
    return 1;
}

/* The first message of a worker asks for a range with the count 0. */
static void work(MPI_Comm master)
{
    int count = 0, first;

    for (;;) {
        MPI_Sendrecv(&count, 1, MPI_INT, 0, 0, &first, 1, MPI_INT, 0, 0, master, MPI_STATUS_IGNORE);
        if (first == NO_RANGE)
            return;
        count = 0;
        for (int n = first; n < first + RANGE; n++)
            count += is_prime(n);
    }
}

/* Returns the number of primes. A worker that asks when nothing is left is told so, and ends. */
static int hand_out(MPI_Comm workers, int working)
{
    int next = 0, primes = 0, count, first;
    MPI_Status status;

    while (working > 0) {
        MPI_Recv(&count, 1, MPI_INT, MPI_ANY_SOURCE, 0, workers, &status);
        primes += count;
        first = next < END ? next : NO_RANGE;
        next += RANGE;
        working -= first == NO_RANGE;
        MPI_Send(&first, 1, MPI_INT, status.MPI_SOURCE, 0, workers);
    }
    return primes;
}

/* As many as there are slots beside the one of the master. */
static int default_workers(void)
{
    int *universe, is_set;

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &is_set);
    return is_set && *universe > 1 ? *universe - 1 : 1;
}

int main(int argc, char **argv)
{
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        work(other);
    } else {
        int n = argc > 1 ? atoi(argv[1]) : default_workers();

        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, n, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                       MPI_ERRCODES_IGNORE);
        printf("%d workers found %d primes below %d\n", n, hand_out(other, n), END);
    }
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
