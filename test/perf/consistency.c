/* consistency.c — is an operation ever slower than others that do the same? Each measurement is the
 * time of one divided by that of its replacement, in alternation; more than 1 means that the
 * library has chosen badly. Sizes are the bytes of all blocks together. */
#include "perf.h"
#include "turns.h"

static char *out, *in;
static size_t bytes; /* at the moment */

static int all(void) { return (int) bytes; }
static int doubles(void) { return (int) (bytes / sizeof(double)); }

static int block(void)
{
    size_t each = bytes / (size_t) perf.size;

    return each > 0 ? (int) each : 1;
}

/* ---- the ways -------------------------------------------------------------------------------- */

static void allreduce(int i)
{
    (void) i;
    MPI_Allreduce(out, in, doubles(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce(int root)
{
    MPI_Reduce(out, in, doubles(), MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
}

static void bcast(int root) { MPI_Bcast(in, all(), MPI_BYTE, root, MPI_COMM_WORLD); }

static void scatter(int root)
{
    MPI_Scatter(out, block(), MPI_BYTE, in, block(), MPI_BYTE, root, MPI_COMM_WORLD);
}

static void gather(int root)
{
    MPI_Gather(out, block(), MPI_BYTE, in, block(), MPI_BYTE, root, MPI_COMM_WORLD);
}

static void allgather(int i)
{
    (void) i;
    MPI_Allgather(out, block(), MPI_BYTE, in, block(), MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(int i)
{
    (void) i;
    MPI_Alltoall(out, block(), MPI_BYTE, in, block(), MPI_BYTE, MPI_COMM_WORLD);
}

static void barrier(int i)
{
    (void) i;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void reduce_scatter_block(int i)
{
    (void) i;
    MPI_Reduce_scatter_block(out, in, block(), MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
}

/* As many bytes as reduce_scatter_block(). */
static void reduce_blocks(int root)
{
    MPI_Reduce(out, in, block() * perf.size, MPI_BYTE, MPI_BXOR, root, MPI_COMM_WORLD);
}

/* ---- in turns -------------------------------------------------------------------------------- */

static const struct claim {
    const char *name;
    void (*one)(int root);
    void (*others[2])(int root); /* one after the other */
    bool smallest_only;          /* the size has no meaning */
} claims[] = {
    { "allreduce_over_reduce_bcast", allreduce, { reduce, bcast }, false },
    { "bcast_over_scatter_allgather", bcast, { scatter, allgather }, false },
    { "allgather_over_gather_bcast", allgather, { gather, bcast }, false },
    { "allgather_over_alltoall", allgather, { alltoall }, false },
    { "reduce_over_allreduce", reduce, { allreduce }, false },
    { "scatter_over_bcast", scatter, { bcast }, false },
    { "gather_over_allgather", gather, { allgather }, false },
    { "barrier_over_allreduce", barrier, { allreduce }, true },
    { "reduce_scatter_block_over_two", reduce_scatter_block, { reduce_blocks, scatter }, false },
};

static const struct claim *claim; /* at the moment */

static void one(int n)
{
    for (int i = 0; i < n; i++)
        claim->one(i % perf.size);
}

static void others(int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2 && claim->others[k]; k++)
            claim->others[k](i % perf.size);
}

static void both(size_t size, int iters)
{
    bytes = size;
    turns_take((void (*const[])(int)) { one, others }, iters);
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "8,1024,65536,1048576", NULL, NULL };

    perf_begin(argc, argv, &start);
    int nsizes = perf.nsizes;
    out = perf_buffer(perf.max_size + (size_t) perf.size);
    in = perf_buffer(perf.max_size + (size_t) perf.size);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        const struct perf_case c = { claims[i].name, "ratio", both, turns_ratio };
        claim = &claims[i];
        perf.nsizes = claim->smallest_only ? 1 : nsizes;
        perf_run(&c);
    }
    return perf_end();
}
