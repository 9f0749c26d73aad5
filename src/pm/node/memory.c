/* memory.c — memory that processes of the node share, by numbers that the owner gives it. Its
 * contents are theirs alone. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

struct pm_memory {
    struct pm_memory *next;
    int number, fd;
};

int pm_memory(struct pm_node *n, int number)
{
    for (const struct pm_memory *m = n->memories; m; m = m->next)
        if (m->number == number)
            return m->fd;
    struct pm_memory *m = malloc(sizeof *m);
    if (!m)
        return -ENOMEM;
    *m = (struct pm_memory) { .next = n->memories,
                              .number = number,
                              .fd = os_memfd_empty("starling") };
    if (m->fd < 0) {
        int err = m->fd;
        free(m);
        return err;
    }
    n->memories = m;
    return m->fd;
}

void pm_node_forget(struct pm_node *n, int number)
{
    struct pm_memory **at = &n->memories;

    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct pm_memory *m = *at;
    if (!m)
        return;
    *at = m->next;
    (void) close(m->fd);
    free(m);
}
