/* group.c — comparing groups in n log n steps. */
#include <stdlib.h>
#include <string.h>
#include "group.h"

static int by_value(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* A sorted copy, which is the caller's to free; NULL when memory is out. */
static int *sorted(const struct adi3_group *g)
{
    int *ranks = malloc((size_t) g->size * sizeof *ranks);

    if (!ranks)
        return NULL;
    for (int i = 0; i < g->size; i++)
        ranks[i] = adi3_group_process(g, i);
    qsort(ranks, (size_t) g->size, sizeof *ranks, by_value);
    return ranks;
}

static int compare_members(const struct adi3_group *a, const struct adi3_group *b, int *result)
{
    int *x = sorted(a), *y = sorted(b), err = MPI_SUCCESS;

    if (!x || !y)
        err = mpir_error(MPI_ERR_NO_MEM, "no memory for 2 * %d ranks", a->size);
    else if (memcmp(x, y, (size_t) a->size * sizeof *x) == 0)
        *result = MPI_SIMILAR;
    else
        *result = MPI_UNEQUAL;
    free(x);
    free(y);
    return err;
}

static bool same(const struct adi3_group *a, const struct adi3_group *b)
{
    int i = 0;

    while (i < a->size && adi3_group_process(a, i) == adi3_group_process(b, i))
        i++;
    return i == a->size;
}

int mpir_group_compare(const struct adi3_group *a, const struct adi3_group *b, int *result)
{
    if (a->size != b->size)
        *result = MPI_UNEQUAL;
    else if (same(a, b))
        *result = MPI_IDENT;
    else
        return compare_members(a, b, result);
    return MPI_SUCCESS;
}
