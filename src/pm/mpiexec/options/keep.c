/* keep.c — memory of malloc() that is freed together. */
#include <stdlib.h>
#include "pm/mpiexec/options/mpiexec_options.h"

struct pm_kept {
    struct pm_kept *next;
    void *memory;
};

void *pm_keep(struct pm_kept **list, void *memory)
{
    struct pm_kept *k = memory ? malloc(sizeof *k) : NULL;

    if (!k) {
        free(memory);
        return NULL;
    }
    *k = (struct pm_kept) { *list, memory };
    *list = k;
    return memory;
}

void pm_free_kept(struct pm_kept **list)
{
    for (struct pm_kept *next; *list; *list = next) {
        next = (*list)->next;
        free((*list)->memory);
        free(*list);
    }
}
