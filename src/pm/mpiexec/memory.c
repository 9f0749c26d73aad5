/* memory.c — memory that ranks of this node share, by numbers that the PMI server gives it. Its
 * contents are theirs alone. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "job.h"
#include "os.h"

static struct memory {
    struct memory *next;
    int number, fd;
} * memories;

int pm_memory(int number)
{
    for (const struct memory *m = memories; m; m = m->next)
        if (m->number == number)
            return m->fd;
    struct memory *m = malloc(sizeof *m);
    if (!m)
        return -ENOMEM;
    *m = (struct memory) { .next = memories, .number = number, .fd = os_memfd_empty("starling") };
    if (m->fd < 0) {
        int err = m->fd;
        free(m);
        return err;
    }
    memories = m;
    return m->fd;
}

void pm_memory_forget(int number)
{
    struct memory **at = &memories;

    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct memory *m = *at;
    if (!m)
        return;
    *at = m->next;
    (void) close(m->fd);
    free(m);
}
