/* group.c — ordered sets of processes. */
#include <stdlib.h>
#include "adi3_impl.h"

struct adi3_pool adi3_groups = ADI3_POOL(ADI3_GROUP, struct adi3_group);
struct adi3_group adi3_group_empty = { .handle = MPI_GROUP_EMPTY,
                                       .refs = 1,
                                       .rank = MPI_UNDEFINED };

struct adi3_group *adi3_group_new(int size)
{
    MPI_Group handle;
    struct adi3_group *g = adi3_new(&adi3_groups, &handle);

    if (!g)
        return NULL;
    *g = (struct adi3_group) { .handle = handle, .refs = 1, .size = size, .rank = MPI_UNDEFINED };
    g->world = malloc((size_t) (size ? size : 1) * sizeof *g->world);
    if (!g->world) {
        adi3_free(&adi3_groups, g);
        return NULL;
    }
    return g;
}

void adi3_group_release(struct adi3_group *g)
{
    if (!g || g == &adi3_group_empty || --g->refs)
        return;
    free(g->world);
    adi3_free(&adi3_groups, g);
}
