/* reuse.c — R01, R02: windows in turn, of the same and of other lengths, over the same and over
 * other processes: the memory of one that is freed may become that of the next, but never that of
 * two at a time, and its locks and counters are new. */
#include "rma_test.h"

enum { ROUNDS = 40, COMMS = 4 };

struct one {
    MPI_Win w;
    long *at;
    int rank, size, words;
};

/* bytes: of all processes together, so that windows of other processes may be as long. */
static struct one make(MPI_Comm c, MPI_Aint bytes)
{
    struct one x;

    MPI_Comm_rank(c, &x.rank);
    MPI_Comm_size(c, &x.size);
    bytes = bytes / x.size / 8 * 8;
    x.words = (int) (bytes / 8);
    MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, c, &x.at, &x.w);
    return x;
}

/* Every word has the mark; then all add to the first word of each, and one takes all locks. */
static void use(const struct one *x, long mark)
{
    long one = 1;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, x->rank, 0, x->w);
    for (int i = 0; i < x->words; i++)
        x->at[i] = mark;
    MPI_Win_unlock(x->rank, x->w);
    MPI_Win_fence(0, x->w);
    for (int r = 0; r < x->size; r++)
        MPI_Accumulate(&one, 1, MPI_LONG, r, 0, 1, MPI_LONG, MPI_SUM, x->w);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, x->w);
    for (int r = 0; r < x->size; r++)
        MPI_Win_lock(MPI_LOCK_SHARED, r, 0, x->w);
    for (int r = 0; r < x->size; r++)
        MPI_Win_unlock(r, x->w);
}

static void check(const struct one *x, long mark)
{
    MPI_Win_lock(MPI_LOCK_SHARED, x->rank, 0, x->w);
    CHECK(x->at[0] == mark + x->size);
    for (int i = 1; i < x->words; i++)
        CHECK(x->at[i] == mark);
    MPI_Win_unlock(x->rank, x->w);
}

int main(int argc, char **argv)
{
    MPI_Comm comm[COMMS];
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    comm[0] = MPI_COMM_WORLD;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &comm[2]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm[3]);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Aint bytes = (MPI_Aint) 65536 << (i % 10 < 2 ? 4 : i % 5 / 3);
        struct one x = make(comm[i % COMMS], bytes), y;
        long mark = 1000L * i + 100 * rank;
        use(&x, mark);
        y = make(comm[(i / COMMS + 1) % COMMS], bytes);
        use(&y, -mark);
        MPI_Barrier(MPI_COMM_WORLD); /* also those of other communicators have used theirs */
        check(&x, mark);
        check(&y, -mark);
        MPI_Win_free(i % 3 ? &x.w : &y.w);
        MPI_Win_free(i % 3 ? &y.w : &x.w);
    }
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_free(&comm[i]);
    MPI_Finalize();
    return 0;
}
