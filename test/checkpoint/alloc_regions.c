/* alloc_regions.c — memory of MPI_Alloc_mem that the node shares lives on through a quiesce and the
 * opening of all devices anew: with windows in it, before its first window, and freed before its
 * window. Windows can be made in it afterwards, and nothing is left when all are free.
 *
 * Only for Starling: it links the layers. */
#include "adi3/adi3.h"
#include "adi3/adi3_checkpoint.h"
#include "held.h"
#include "rma.h"

enum { HALF = 512, WORDS = 2 * HALF, FIRST = 2, ROUNDS = 6, FEW = 4 }; /* FEW: see many.c */
enum { SUM, OWN }; /* words of a window: what all add to, and one for each rank */

/* All ranks have regions, or the even ones. */
static bool all_have;

static long *region_alloc(void)
{
    MPI_Info info;
    long *at;

    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shm", all_have || rank % 2 == 0 ? "true" : "false");
    MPI_Alloc_mem(WORDS * (MPI_Aint) sizeof *at, info, &at);
    MPI_Info_free(&info);
    memset(at, 0, WORDS * sizeof *at);
    return at;
}

static MPI_Win window_of(MPI_Comm comm, long *at)
{
    MPI_Win w;

    MPI_Win_create(at, HALF * (MPI_Aint) sizeof *at, sizeof *at, MPI_INFO_NULL, comm, &w);
    return w;
}

static MPI_Win window_in(long *at) { return window_of(MPI_COMM_WORLD, at); }

/* Each rank adds to a word of all ranks and writes its own there; the sum is times * size then. */
static void use(MPI_Win w, long times)
{
    long one = 1, mine = 100 * times + rank, got;

    MPI_Win_lock_all(0, w);
    for (int r = 0; r < size; r++) {
        MPI_Accumulate(&one, 1, MPI_LONG, r, SUM, 1, MPI_LONG, MPI_SUM, w);
        MPI_Put(&mine, 1, MPI_LONG, r, OWN + rank, 1, MPI_LONG, w);
    }
    MPI_Win_flush_all(w);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        for (int k = 0; k <= size; k++) {
            MPI_Get(&got, 1, MPI_LONG, r, k, 1, MPI_LONG, w);
            MPI_Win_flush(r, w);
            CHECK_INT(got, k ? 100 * times + k - OWN : times * size);
        }
    MPI_Win_unlock_all(w);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* No operation is under way. */
static void checkpoint(bool reopen)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (adi3_locks)
        adi3_lock();
    CHECK_INT(adi3_quiesce(), MPI_SUCCESS);
    if (reopen)
        CHECK_INT(adi3_reopen(), MPI_SUCCESS);
    else
        adi3_continue();
    if (adi3_locks)
        adi3_unlock();
}

/* Rank 0 alone maps a region later than the others. */
static MPI_Win without_rank_0(long *at)
{
    MPI_Comm some;

    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &some);
    MPI_Win w = window_of(some, at);
    MPI_Comm_free(&some);
    return w;
}

static void one_round(bool reopen)
{
    long *first = region_alloc(), *second = region_alloc(), *freed = region_alloc();
    MPI_Win early = window_in(first), gone = window_in(freed), late, other;
    MPI_Win some = without_rank_0(second);

    MPI_Barrier(MPI_COMM_WORLD);
    use(early, 1);
    use(gone, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Free_mem(freed); /* no process uses it any more */
    second[HALF - 1] = 7000 + rank;
    checkpoint(reopen);
    CHECK_INT(second[HALF - 1], 7000 + rank);
    CHECK_INT(first[SUM], size);
    MPI_Barrier(MPI_COMM_WORLD);
    use(early, 2);
    late = window_in(first + HALF);
    other = window_in(second);
    use(late, 1);
    use(other, 1);
    MPI_Win_free(&early);
    checkpoint(reopen);
    use(late, 2);
    use(other, 2);
    CHECK_INT(first[SUM], 2L * size);
    MPI_Win_free(&gone);
    MPI_Win_free(&late);
    MPI_Win_free(&other);
    MPI_Win_free(&some);
    MPI_Free_mem(first);
    MPI_Free_mem(second);
}

int main(int argc, char **argv)
{
    int fds, maps;

    rma_init(&argc, &argv);
    CHECK(size <= 8 && rma_one_node());
    for (int i = 0; i < FIRST; i++)
        one_round(true);
    fds = held_fds();
    maps = held_maps("starling-share");
    for (int i = 0; i < ROUNDS; i++) {
        all_have = i % 3 > 0;
        one_round(i % 2);
    }
    CHECK(held_fds() <= fds + FEW);
    CHECK_INT(held_maps("starling-share"), maps);
    MPI_Finalize();
    return 0;
}
