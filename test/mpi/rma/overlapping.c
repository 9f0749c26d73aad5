/* overlapping.c — R01, R12: windows on the same memory, or on parts of it, and puts that overlap.
 *
 * MPICH 4.0 fails: with UCX a window on a part of the memory of another one begins where the other
 * one begins. */
#include "rma.h"

/* Two windows on the same memory, and one on a part of it. */
static void overlapping(void)
{
    static int memory[16];
    int value = 100 + rank, next = (rank + 1) % size, got = -1;
    MPI_Win whole, again, part;

    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &whole);
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &again);
    MPI_Win_create(memory + 8, 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &part);
    MPI_Win_fence(0, part);
    MPI_Put(&value, 1, MPI_INT, next, 4, 1, MPI_INT, part);
    MPI_Win_fence(0, part);
    CHECK_INT(memory[9], 100 + (rank + size - 1) % size);
    MPI_Win_fence(0, again);
    MPI_Get(&got, 1, MPI_INT, next, 9, 1, MPI_INT, again);
    MPI_Win_fence(0, again);
    CHECK_INT(got, value);
    MPI_Win_free(&again);
    MPI_Win_fence(0, whole);
    got = -1;
    MPI_Get(&got, 1, MPI_INT, rank, 9, 1, MPI_INT, whole);
    MPI_Win_fence(0, whole);
    CHECK_INT(got, memory[9]);
    MPI_Win_free(&part);
    MPI_Win_free(&whole);
}

/* Each element of an array is a window. */
static void adjacent(void)
{
    static int memory[20];
    int value[20], next = (rank + 1) % size;
    MPI_Win win[20];

    for (int i = 0; i < 20; i++) {
        MPI_Win_create(&memory[i], sizeof memory[i], 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win[i]);
        value[i] = 20 * rank + i;
    }
    for (int i = 0; i < 20; i++) {
        MPI_Win_fence(0, win[i]);
        MPI_Put(&value[i], 1, MPI_INT, next, 0, 1, MPI_INT, win[i]);
        MPI_Win_fence(0, win[i]);
    }
    for (int i = 0; i < 20; i++) {
        CHECK_INT(memory[i], 20 * ((rank + size - 1) % size) + i);
        MPI_Win_free(&win[i]);
    }
}

/* Puts of all ranks to the same place are no error; each byte is that of one of them (R12). */
static void same_place(void)
{
    struct window w = window_make(ALLOCATED, 4096, 1);
    char *in = mpitest_memory(4096);

    memset(in, rank + 1, 4096);
    for (enum epoch k = 0; k < EPOCHS; k++) {
        window_fill(&w, 0);
        epoch_begin(&w, k);
        for (int r = 0; r < size; r++)
            CHECK(MPI_Put(in, 4096, MPI_CHAR, r, 0, 4096, MPI_CHAR, w.win) == MPI_SUCCESS);
        epoch_end(&w, k);
        for (int i = 0; i < 4096; i++)
            CHECK(w.base[i] >= 1 && w.base[i] <= size);
    }
    free(in);
    window_free(&w);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    overlapping();
    adjacent();
    same_place();
    MPI_Finalize();
    return 0;
}
