/* memory.c — E09: memory of MPI_Alloc_mem is aligned and can be sent, also memory of 0 bytes. */
#include <stdint.h>
#include "mpitest.h"

static void exchange(char *buf, int len)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(buf, rank, (size_t) len);
    MPI_Sendrecv_replace(buf, len, MPI_CHAR, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < len; i += len / 7 + 1)
        CHECK_INT(buf[i], (rank + size - 1) % size);
}

int main(int argc, char **argv)
{
    static const int length[] = { 0, 1, 63, 4096, 70000, 3 << 20 };
    enum { N = sizeof length / sizeof *length };
    char *memory[N];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < N; i++) {
        memory[i] = NULL;
        CHECK_INT(MPI_Alloc_mem(length[i], MPI_INFO_NULL, &memory[i]), MPI_SUCCESS);
        CHECK(length[i] == 0 || memory[i]);
        CHECK((uintptr_t) memory[i] % sizeof(long) == 0);
    }
    for (int i = 1; i < N; i++)
        exchange(memory[i], length[i]);
    for (int i = 0; i < N; i++)
        CHECK_INT(MPI_Free_mem(memory[(i * 5 + 3) % N]), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
