/* coll_settings.c — the settings STARLING_<OPERATION>_ALGORITHM, for experts and tests. */
#include <string.h>
#include "mpi/coll/coll.h"

/* In the order of the settings below. */
static struct coll_operation *const operations[] = {
    &coll_barrier,    &coll_bcast,          &coll_reduce,
    &coll_allreduce,  &coll_gather,         &coll_gatherv,
    &coll_scatter,    &coll_scatterv,       &coll_allgather,
    &coll_allgatherv, &coll_alltoall,       &coll_alltoallv,
    &coll_alltoallw,  &coll_reduce_scatter, &coll_reduce_scatter_block,
    &coll_scan,       &coll_exscan,
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

#define ROW(NAME, function, operation, words)                                                      \
    {                                                                                              \
#NAME "_ALGORITHM", SETTING_STRING, &(operation).word, "auto",                             \
            "Algorithm of " #function ", used where it fits: auto, " words "."                     \
    }

/* The rows of operations come first, in the order above. */
const struct setting mpir_coll_settings[] = {
    ROW(BARRIER, MPI_Barrier, coll_barrier, "dissemination, doubling, tree, linear, nodes, shared"),
    ROW(BCAST, MPI_Bcast, coll_bcast,
        "binomial, knomial, scatter_ring, scatter_doubling, chain, tree, linear, nodes, shared, "
        "direct"),
    ROW(REDUCE, MPI_Reduce, coll_reduce,
        "binomial, knomial, halving, chain, linear, nodes, shared, direct"),
    ROW(ALLREDUCE, MPI_Allreduce, coll_allreduce,
        "doubling, multiplying, halving, circulant, ring, tree, linear, nodes, shared, direct"),
    ROW(GATHER, MPI_Gather, coll_gather, "binomial, linear, nodes, shared, direct"),
    ROW(GATHERV, MPI_Gatherv, coll_gatherv, "linear"),
    ROW(SCATTER, MPI_Scatter, coll_scatter, "binomial, linear, nodes, shared, direct"),
    ROW(SCATTERV, MPI_Scatterv, coll_scatterv, "linear"),
    ROW(ALLGATHER, MPI_Allgather, coll_allgather,
        "bruck, doubling, neighbor, ring, tree, linear, nodes, shared, direct"),
    ROW(ALLGATHERV, MPI_Allgatherv, coll_allgatherv, "bruck, doubling, neighbor, ring"),
    ROW(ALLTOALL, MPI_Alltoall, coll_alltoall,
        "bruck, spread, scattered, pairwise, swap, nodes, shared, direct"),
    ROW(ALLTOALLV, MPI_Alltoallv, coll_alltoallv, "spread, scattered, pairwise, swap, shared"),
    ROW(ALLTOALLW, MPI_Alltoallw, coll_alltoallw, "spread, scattered, pairwise, swap, shared"),
    ROW(REDUCE_SCATTER, MPI_Reduce_scatter, coll_reduce_scatter,
        "halving, circulant, pairwise, ring, linear, shared, direct"),
    ROW(REDUCE_SCATTER_BLOCK, MPI_Reduce_scatter_block, coll_reduce_scatter_block,
        "halving, circulant, pairwise, ring, linear, shared, direct"),
    ROW(SCAN, MPI_Scan, coll_scan, "doubling, linear"),
    ROW(EXSCAN, MPI_Exscan, coll_exscan, "doubling, linear"),
    { "REPRODUCIBLE", SETTING_BOOL, &coll_reproducible, "no",
      "The order of operands of a reduction depends on their number and size alone, not on which "
      "process is where." },
    { .name = NULL },
};

void coll_register(struct coll_operation *o, struct coll_registration *row)
{
    row->next = o->registered;
    o->registered = row;
}

static const struct coll_algorithm *forced_algorithm_find(const struct coll_operation *o)
{
    for (const struct coll_algorithm *a = o->table; o->word && a->name; a++)
        if (strcmp(a->name, o->word) == 0)
            return a;
    for (const struct coll_registration *f = o->registered; o->word && f; f = f->next)
        if (strcmp(f->row.name, o->word) == 0)
            return &f->row;
    return NULL;
}

void mpir_coll_init(void (*complain)(const char *line))
{
    coll_describe_init();
    for (int i = 0; i < OPERATIONS; i++) {
        struct coll_operation *o = operations[i];
        const struct setting *s = &mpir_coll_settings[i];

        o->forced = forced_algorithm_find(o);
        if (!o->forced && o->word && strcmp(o->word, "auto") != 0)
            complain(adi3_error_text(mpir_error(MPI_ERR_OTHER, "STARLING_%s=%s is not known. %s",
                                                s->name, o->word, s->doc)));
    }
}
