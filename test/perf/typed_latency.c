/* typed_latency.c — half a round trip of one message of a derived type: pp_column and so on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "layouts.h"
#include "perf.h"

enum { SIZES = sizeof perf.sizes / sizeof perf.sizes[0] };

static struct layout *layouts[SIZES]; /* of the kind at the moment, for each of perf.sizes */
static char *memory;

static const struct layout *layout_of(size_t size)
{
    for (int i = 0; i < perf.nsizes; i++)
        if (perf.sizes[i] == size)
            return layouts[i];
    return NULL;
}

static void pingpong(size_t size, int iters)
{
    const struct layout *l = layout_of(size);

    for (int i = 0; i < iters; i++) {
        if (perf.rank == 0) {
            MPI_Send(memory, l->count, l->type, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(memory, l->count, l->type, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (perf.rank == 1) {
            MPI_Recv(memory, l->count, l->type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(memory, l->count, l->type, 0, 1, MPI_COMM_WORLD);
        }
    }
}

/* Those of the sizes that the kind supports. */
static void measure(enum layout_kind kind, const size_t *sizes, int nsizes)
{
    char name[64];
    const struct perf_case pp = { name, "us", pingpong, perf_us_half };
    size_t span = 1;

    (void) snprintf(name, sizeof name, "pp_%s", layout_names[kind]);
    if (!perf_wanted(name))
        return;
    perf.nsizes = 0;
    for (int i = 0; i < nsizes; i++) {
        struct layout *l = layout_new(kind, sizes[i]);
        if (!l)
            continue;
        span = l->span > span ? l->span : span;
        perf.sizes[perf.nsizes] = sizes[i];
        layouts[perf.nsizes++] = l;
    }
    memory = perf_buffer(span);
    perf_run(&pp);
    free(memory);
    for (int i = 0; i < perf.nsizes; i++)
        layout_free(layouts[i]);
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "1024,4096,16384,65536,262144,1048576,4194304", NULL,
                                      NULL };
    size_t sizes[SIZES];

    perf_begin(argc, argv, &start);
    int nsizes = perf.nsizes;
    memcpy(sizes, perf.sizes, sizeof sizes);
    for (enum layout_kind k = 0; k < LAYOUTS; k++)
        measure(k, sizes, nsizes);
    return perf_end();
}
