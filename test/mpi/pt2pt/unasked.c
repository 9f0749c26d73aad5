/* unasked.c — a message without a posted receive costs the receiver one envelope, no more, so that
 * a sender that starts many of them needs the memory itself (a promise of Starling, not of the
 * standard). And all of them arrive in their order. */
#include "../env/starling.h"
#include "memory.h"
#include "pattern.h"

enum { LEN = 16384, TAG = 1, LAST = 2 };
enum { ENVELOPE = 512, COUNT = 128, EAGER = 1 << 20 }; /* bytes */

static void send_all(int n)
{
    MPI_Request *request = mpitest_memory((size_t) (n + 1) * sizeof *request);
    int *out = mpitest_memory(LEN);

    out[0] = n;
    for (int i = 0; i < n; i++)
        MPI_Isend(out, LEN, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request[i]);
    MPI_Isend(out, 1, MPI_INT, 0, LAST, MPI_COMM_WORLD, &request[n]);
    MPI_Waitall(n + 1, request, MPI_STATUSES_IGNORE);
    free(out);
    free(request);
}

static void receive_all(int n, int senders)
{
    int *in = mpitest_memory(LEN);
    long before = private_memory();

    for (int source = 1; source <= senders;
         source++) /* messages arrive in their order: all are here */
        MPI_Probe(source, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    long more = private_memory() - before;
    long bound = (long) n * senders * (ENVELOPE + counted(COUNT)) + 2L * EAGER * senders
                 + device_memory(4L << 20);
    if (starling() && !__asan_init)
        CHECK_INT(more > bound ? more : 0, 0);
    for (int i = 0; i < n * senders; i++) {
        MPI_Recv(in, LEN, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_INT(in[0], n);
    }
    for (int source = 1; source <= senders; source++)
        MPI_Recv(in, 1, MPI_INT, source, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(in);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = test_size(20000, 60000) / (size > 1 ? size - 1 : 1);
    if (rank)
        send_all(n);
    else
        receive_all(n, size - 1);
    MPI_Finalize();
    return 0;
}
