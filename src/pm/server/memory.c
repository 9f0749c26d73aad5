/* memory.c — memory that ranks of one node share, an extension of PMI.
 *
 * A rank gets the key "STARLING_memory_" with a name of its node behind it. The reply passes a
 * descriptor of empty memory, which is made when the first rank asks for that key. The server does
 * not know what the ranks put there. It keeps the descriptor until all ranks have finalized. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "os.h"
#include "pm_server_impl.h"

static const char prefix[] = "STARLING_memory_";

bool pm_is_memory(const char *key) { return !strncmp(key, prefix, sizeof prefix - 1); }

/* The memory of this key. A rank needs one: as many as there are ranks is the most. NULL: there are
 * more, or none could be made. */
static const struct pm_memory *find(struct pm_generation *g, const char *key, int most)
{
    struct pm_memory *m = g->memories;
    int count = 0;

    for (; m; m = m->next, count++)
        if (!strcmp(m->key, key))
            return m;
    if (count >= most || !(m = malloc(sizeof *m)))
        return NULL;
    *m = (struct pm_memory) { .next = g->memories, .fd = os_memfd_empty("starling") };
    if (m->fd < 0) {
        free(m);
        return NULL;
    }
    memcpy(m->key, key, strlen(key) + 1);
    g->memories = m;
    return m;
}

void pm_memory_give(struct pm_server_job *j, int rank, const char *key)
{
    static const char line[] = "cmd=get_result rc=0 msg=success value=passed\n";
    const struct pm_memory *m =
        j->events.pass ? find(j->client[rank].generation, key, j->size) : NULL;

    if (!m || !j->events.pass(j->events.owner, rank, line, sizeof line - 1, m->fd))
        pm_reply(j, rank, "cmd=get_result rc=1 msg=no_memory value=unknown");
}

void pm_memory_free(struct pm_memory *first)
{
    for (struct pm_memory *m = first, *next; m; m = next) {
        next = m->next;
        (void) close(m->fd);
        free(m);
    }
}
