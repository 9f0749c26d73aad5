/* many.c — G03, G08: communicators made and freed without end, and very many alive at once: context
 * ids and memory are reused, and messages match in their own communicator. */
#include <stdbool.h>
#include "../env/starling.h"

/* Other libraries have fewer ids. */
enum { ROUNDS = 100000, FEW_ROUNDS = 2000, ALIVE = 10000, FEW_ALIVE = 500, TALKERS = 97 };

#ifdef __SANITIZE_ADDRESS__ /* AddressSanitizer does not reuse freed memory */
static const bool memory_comes_back = false;
#else
static const bool memory_comes_back = true;
#endif

static int me, size;

static void talk(MPI_Comm comm, int word)
{
    int got = -1;

    MPI_Sendrecv(&word, 1, MPI_INT, (me + 1) % size, 0, &got, 1, MPI_INT, (me + size - 1) % size, 0,
                 comm, MPI_STATUS_IGNORE);
    CHECK_INT(got, word);
}

/* KiB of memory in use; 0 when that is not known. */
static long in_use(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long all, resident = 0;

    if (f && fscanf(f, "%ld %ld", &all, &resident) != 2)
        resident = 0;
    if (f)
        (void) fclose(f);
    return resident * 4;
}

static void one_after_another(int rounds)
{
    long before = 0;

    for (int i = 0; i < rounds; i++) {
        MPI_Comm made;

        if (i == rounds / 4)
            before = in_use();
        if (i % 100 < 98)
            MPI_Comm_dup(MPI_COMM_WORLD, &made);
        else
            MPI_Comm_split(MPI_COMM_WORLD, 0, i % 100 == 98 ? me : -me, &made);
        if (i % TALKERS == 0)
            MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
    if (starling() && memory_comes_back)
        CHECK(in_use() - before < 2048);
}

/* Freed in another order than they were made, with messages in some all the time. */
static void at_once(int alive)
{
    MPI_Comm *made = mpitest_memory((size_t) alive * sizeof *made);

    for (int i = 0; i < alive; i++) {
        MPI_Comm_dup(i % 10 ? MPI_COMM_WORLD : MPI_COMM_SELF, &made[i]);
        if (i % 10 && i % TALKERS == 0)
            talk(made[i], i);
        if (i % 10 && i > TALKERS && i % TALKERS == 1)
            talk(made[i / 2 - i / 2 % 10 + 1], i);
    }
    for (int n = 0; n < alive; n++) {
        int i = (int) ((long long) n * 7919 % alive);

        if (i % 10 && n % TALKERS == 0)
            talk(made[i], n);
        MPI_Comm_free(&made[i]);
    }
    free(made);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    one_after_another(starling() ? ROUNDS : FEW_ROUNDS);
    at_once(starling() ? ALIVE : FEW_ALIVE);
    MPI_Finalize();
    return 0;
}
