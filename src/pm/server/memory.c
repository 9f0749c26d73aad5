/* memory.c — memory that ranks of one node share, an extension of PMI.
 *
 * A rank gets the key "STARLING_memory_" with a name of its node behind it. The reply passes a
 * descriptor of empty memory. The memory is made on the node of the rank: the server numbers it,
 * and says when all ranks have finalized and none asks for it any more. */
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

static const char prefix[] = "STARLING_memory_";

bool pm_is_memory(const char *key) { return !strncmp(key, prefix, sizeof prefix - 1); }

/* The memory of this key. A rank needs one: as many as there are ranks is the most. NULL: there are
 * more, or there is no memory for its number. */
static const struct pm_memory *memory_find_or_add(struct pm_server_job *j, struct pm_generation *g,
                                                  const char *key)
{
    struct pm_memory *m = g->memories;
    int count = 0;

    for (; m; m = m->next, count++)
        if (!strcmp(m->key, key))
            return m;
    if (count >= j->size || !(m = malloc(sizeof *m)))
        return NULL;
    *m = (struct pm_memory) { .next = g->memories, .number = j->server->memories++ };
    memcpy(m->key, key, strlen(key) + 1);
    g->memories = m;
    return m;
}

void pm_memory_give(struct pm_server_job *j, int rank, const char *key)
{
    static const char none[] = "cmd=get_result rc=1 msg=no_memory value=unknown\n";
    const struct pm_memory *m =
        j->events.share ? memory_find_or_add(j, j->client[rank].generation, key) : NULL;

    if (m)
        j->events.share(j->events.owner, rank, m->number,
                        "cmd=get_result rc=0 msg=success value=passed\n", none);
    else
        j->events.send(j->events.owner, rank, none, sizeof none - 1);
}

void pm_memory_free(struct pm_server_job *j, struct pm_generation *g)
{
    for (struct pm_memory *m = g->memories, *next; m; m = next) {
        next = m->next;
        j->events.forget(j->events.owner, m->number);
        free(m);
    }
}
