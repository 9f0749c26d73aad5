/* generation.c — the generations of a job, by their numbers. */
#include <stdio.h>
#include <stdlib.h>
#include "pm/server/pm_server_impl.h"

struct pm_generation *pm_generation_find(const struct pm_server_job *j, int number)
{
    struct pm_generation *g = j->generations;

    while (g && g->number != number)
        g = g->next;
    return g;
}

/* The list is in the order of numbers: generations end in this order. */
static struct pm_generation *create_generation(struct pm_server_job *j, int number)
{
    struct pm_generation *g = calloc(1, sizeof *g), **at = &j->generations;

    if (!g)
        return NULL;
    while (*at && (*at)->number < number)
        at = &(*at)->next;
    *g = (struct pm_generation) { .next = *at,
                                  .number = number,
                                  .missing = j->gone,
                                  .first = number >= j->gone_from ? j->gone_rank : -1 };
    if (number)
        (void) snprintf(g->name, sizeof g->name, "%.200s_%d", j->base, number);
    else
        (void) snprintf(g->name, sizeof g->name, "%s", j->base);
    return *at = g;
}

struct pm_generation *pm_generation_get(struct pm_server_job *j, int number)
{
    struct pm_generation *g = pm_generation_find(j, number);

    return g ? g : create_generation(j, number);
}
