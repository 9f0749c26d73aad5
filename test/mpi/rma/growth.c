/* growth.c — what making a window takes of memory for a while grows by 48 bytes for each process at
 * most: a job may have a million. Memory that the window keeps is not counted. */
#include <malloc.h>
#include "rma_test.h"

enum { FEW = 2, RECORD = 48, ROUNDING = 32 };

static size_t used, peak;

extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *at, size_t len);
extern void __libc_free(void *at);

static void *counted(void *at)
{
    used += malloc_usable_size(at);
    if (used > peak)
        peak = used;
    return at;
}

/* In place of those of libc, for the library as well. */
void *malloc(size_t len) { return counted(__libc_malloc(len)); }
void *calloc(size_t count, size_t len) { return counted(__libc_calloc(count, len)); }

void free(void *at)
{
    used -= malloc_usable_size(at);
    __libc_free(at);
}

void *realloc(void *at, size_t len)
{
    size_t before = malloc_usable_size(at);
    void *made = __libc_realloc(at, len);

    used -= made || !len ? before : 0;
    return made ? counted(made) : NULL;
}

static MPI_Win make(MPI_Comm c, int allocated)
{
    static char memory[64];
    void *at;
    MPI_Win win;

    if (allocated)
        MPI_Win_allocate(sizeof memory, 1, MPI_INFO_NULL, c, &at, &win);
    else
        MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, c, &win);
    return win;
}

/* Bytes that are there when the window is being made, and not afterwards. The third time nothing is
 * made that stays. */
static size_t for_a_while(MPI_Comm c, int allocated)
{
    size_t most = 0;

    for (int i = 0; i < 3; i++) {
        peak = used;
        MPI_Win win = make(c, allocated);
        most = peak - used;
        MPI_Win_free(&win);
    }
    return most;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm few;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < FEW ? 0 : MPI_UNDEFINED, 0, &few);
    for (int allocated = 0; allocated < 2; allocated++) {
        size_t in_few = few == MPI_COMM_NULL ? 0 : for_a_while(few, allocated);
        size_t in_all = for_a_while(MPI_COMM_WORLD, allocated);
        if (few != MPI_COMM_NULL)
            CHECK(in_all <= in_few + (size_t) (size - FEW) * RECORD + ROUNDING);
    }
    if (few != MPI_COMM_NULL)
        MPI_Comm_free(&few);
    MPI_Finalize();
    return 0;
}
