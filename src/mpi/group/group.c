/* group.c — arguments of group functions, and the groups they return. */
#include <stdlib.h>
#include "mpi/group/group.h"

int mpir_group_n_arg(int n)
{
    return mpir_checking() && n < 0 ? mpir_error(MPI_ERR_ARG, "n is negative: %d", n) : MPI_SUCCESS;
}

static bool is_rank(const struct adi3_group *g, int64_t rank)
{
    return rank >= 0 && rank < g->size;
}

static int all_ranks(const struct adi3_group *g, int n, const int *ranks)
{
    for (int i = 0; i < n; i++)
        if (!is_rank(g, ranks[i]))
            return mpir_error(MPI_ERR_RANK, "ranks[%d] is %d, which is no rank of a group of %d", i,
                              ranks[i], g->size);
    return MPI_SUCCESS;
}

static int ranks_check_distinct(int n, const int *ranks, bool *seen)
{
    for (int i = 0; i < n; i++) {
        if (seen[ranks[i]])
            return mpir_error(MPI_ERR_RANK, "ranks[%d] is %d, as one before it", i, ranks[i]);
        seen[ranks[i]] = true;
    }
    return MPI_SUCCESS;
}

int mpir_ranks_arg(const struct adi3_group *g, int n, const int *ranks)
{
    int err = mpir_array_arg(ranks, n, "ranks");

    if (err || !mpir_checking() || n == 0)
        return err;
    err = all_ranks(g, n, ranks);
    if (err)
        return err;
    bool *seen = calloc((size_t) g->size, sizeof *seen);
    if (!seen)
        return adi3_no_memory("to check ranks of a group of %d", g->size);
    err = ranks_check_distinct(n, ranks, seen);
    free(seen);
    return err;
}

/* The number of steps in a range; its numbers are not checked yet, but the stride is not 0. */
static int64_t steps_of(const int *range) { return ((int64_t) range[1] - range[0]) / range[2]; }

static int range_arg(const struct adi3_group *g, int i, const int *range)
{
    int first = range[0], last = range[1], stride = range[2];

    if (stride == 0)
        return mpir_error(MPI_ERR_ARG, "the stride of ranges[%d] is 0", i);
    if (!is_rank(g, first))
        return mpir_error(MPI_ERR_RANK, "ranges[%d] begins at %d, no rank of a group of %d", i,
                          first, g->size);
    if (first != last && (first < last) != (stride > 0))
        return mpir_error(MPI_ERR_ARG, "ranges[%d] goes from %d by %d: away from %d", i, first,
                          stride, last);
    int64_t end = first + steps_of(range) * stride;
    if (!is_rank(g, end))
        return mpir_error(MPI_ERR_RANK, "ranges[%d] ends at %lld, no rank of a group of %d", i,
                          (long long) end, g->size);
    return MPI_SUCCESS;
}

static int distinct_in(int i, const int *range, bool *seen)
{
    for (int64_t k = 0, last = steps_of(range); k <= last; k++) {
        int rank = (int) (range[0] + k * range[2]);
        if (seen[rank])
            return mpir_error(MPI_ERR_RANK, "rank %d is in ranges[%d] and in one before it", rank,
                              i);
        seen[rank] = true;
    }
    return MPI_SUCCESS;
}

int mpir_ranges_arg(const struct adi3_group *g, int n, int (*ranges)[3])
{
    int err = mpir_array_arg(ranges, n, "ranges");

    if (err || !mpir_checking() || n == 0)
        return err;
    for (int i = 0; i < n && !err; i++)
        err = range_arg(g, i, ranges[i]);
    if (err)
        return err;
    bool *seen = calloc((size_t) g->size, sizeof *seen);
    if (!seen)
        return adi3_no_memory("to check ranks of a group of %d", g->size);
    for (int i = 0; i < n && !err; i++)
        err = distinct_in(i, ranges[i], seen);
    free(seen);
    return err;
}

int mpir_group_out(struct adi3_group *made, MPI_Group *newgroup)
{
    if (!made)
        return adi3_no_memory("for another group");
    *newgroup = adi3_group_user_acquire(made);
    adi3_group_release(made);
    return MPI_SUCCESS;
}
