/* comms.c — the time to make a communicator, and to free it: one after the other, as in a program
 * that calls libraries. All ranks take part in one call per iteration. */
#include "perf.h"

static MPI_Comm inter = MPI_COMM_NULL;

static void dup(size_t size, int iters)
{
    MPI_Comm c;

    (void) size;
    for (int i = 0; i < iters; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        MPI_Comm_free(&c);
    }
}

static void idup(size_t size, int iters)
{
    MPI_Request r;
    MPI_Comm c;

    (void) size;
    for (int i = 0; i < iters; i++) {
        MPI_Comm_idup(MPI_COMM_WORLD, &c, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Comm_free(&c);
    }
}

/* Rows and halves; the order is reversed, so that no library finds the old one. */
static void split_by(int color, int iters)
{
    MPI_Comm c;

    for (int i = 0; i < iters; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, color, -perf.rank, &c);
        MPI_Comm_free(&c);
    }
}

static void split(size_t size, int iters)
{
    (void) size;
    split_by(perf.rank % 2, iters);
}

static void split_one(size_t size, int iters)
{
    (void) size;
    split_by(0, iters);
}

static void split_type(size_t size, int iters)
{
    MPI_Comm c;

    (void) size;
    for (int i = 0; i < iters; i++) {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c);
        MPI_Comm_free(&c);
    }
}

static void create(size_t size, int iters)
{
    MPI_Group g;
    MPI_Comm c;

    (void) size;
    MPI_Comm_group(MPI_COMM_WORLD, &g);
    for (int i = 0; i < iters; i++) {
        MPI_Comm_create(MPI_COMM_WORLD, g, &c);
        MPI_Comm_free(&c);
    }
    MPI_Group_free(&g);
}

static void create_group(size_t size, int iters)
{
    MPI_Group g;
    MPI_Comm c;

    (void) size;
    MPI_Comm_group(MPI_COMM_WORLD, &g);
    for (int i = 0; i < iters; i++) {
        MPI_Comm_create_group(MPI_COMM_WORLD, g, i % 100, &c);
        MPI_Comm_free(&c);
    }
    MPI_Group_free(&g);
}

static void merge(size_t size, int iters)
{
    MPI_Comm c;

    (void) size;
    for (int i = 0; i < iters; i++) {
        MPI_Intercomm_merge(inter, perf.rank % 2, &c);
        MPI_Comm_free(&c);
    }
}

static const struct perf_case cases[] = {
    { "comm_dup", "us", dup, perf_us_each },
    { "comm_split", "us", split, perf_us_each },
    { "comm_split_one", "us", split_one, perf_us_each },
    { "comm_idup", "us", idup, perf_us_each },
    { "comm_create", "us", create, perf_us_each },
    { "comm_create_group", "us", create_group, perf_us_each },
    { "comm_split_type", "us", split_type, perf_us_each },
    { "comm_merge", "us", merge, perf_us_each },
};

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "0", NULL, NULL };
    MPI_Comm half;

    perf_begin(argc, argv, &start);
    MPI_Comm_split(MPI_COMM_WORLD, perf.rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - perf.rank % 2, 1, &inter);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        perf_run(&cases[i]);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return perf_end();
}
