/* exchange.c — each rank exchanges small and large messages with all others and checks them. The
 * fault tests run this program.
 *
 * Usage: exchange [ROUNDS [LARGE_BYTES]]      ROUNDS 0: without end */
#include <fcntl.h>
#include "mpitest.h"

static int rank, size;

static char byte_of(int from, int to, int round, size_t at)
{
    return (char) (from * 31 + to * 17 + round * 7 + (int) (at % 251));
}

static void fill(char *buf, size_t len, int to, int round)
{
    for (size_t i = 0; i < len; i++)
        buf[i] = byte_of(rank, to, round, i);
}

static void check(const char *buf, size_t len, int from, int round)
{
    for (size_t i = 0; i < len; i++)
        if (buf[i] != byte_of(from, rank, round, i))
            mpitest_fail(__FILE__, __LINE__, "a wrong byte");
}

static void all_to_all(int round, int each)
{
    char *out = mpitest_memory((size_t) (size * each)),
         *in = mpitest_memory((size_t) (size * each));

    for (int i = 0; i < size; i++)
        fill(out + i * each, (size_t) each, i, round);
    MPI_Alltoall(out, each, MPI_BYTE, in, each, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        check(in + i * each, (size_t) each, i, round);
    free(out);
    free(in);
}

static void neighbors(int round, int len)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    char *out = mpitest_memory((size_t) len), *in = mpitest_memory((size_t) len);

    fill(out, (size_t) len, next, round);
    MPI_Sendrecv(out, len, MPI_BYTE, next, 1, in, len, MPI_BYTE, last, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check(in, (size_t) len, last, round);
    free(out);
    free(in);
}

/* The standard descriptors that are closed. */
static int closed(void)
{
    int set = 0;

    for (int fd = 0; fd < 3; fd++)
        set |= (fcntl(fd, F_GETFD) < 0) << fd;
    return set;
}

int main(int argc, char **argv)
{
    int before = closed();

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 3, large = argc > 2 ? atoi(argv[2]) : 1 << 20;
    for (int i = 0; rounds == 0 || i < rounds; i++) {
        all_to_all(i, 8);
        all_to_all(i, 20000);
        neighbors(i, large);
        if (rounds && fputs("round\n", stdout) >= 0)
            (void) fflush(stdout);
    }
    if (closed() != before) /* the program's writes would go to the file with that number */
        mpitest_fail(__FILE__, __LINE__, "MPI has taken the number of a standard descriptor");
    MPI_Finalize();
    return 0;
}
