/* window.c — memory that is registered for peers. */
#include <signal.h>
#include "window.h"

/* At the end of the rig's memory, of which tests of devices do not take so much. */
struct window *window_of(int rank, int i)
{
    char *end = (char *) rig.shared + RIG_MEMORY;

    return (struct window *) (void *) end - (RIG_MAX - rank) * WINDOWS + i;
}

void *window_open(char *mem, size_t len, int i)
{
    struct iovec v = { mem, len };
    struct window *w = window_of(rig.rank, i);
    void *handle = NULL;

    *w = (struct window) { .addr = (uintptr_t) mem };
    if (rig.dev->register_memory)
        CHECK(!rig.dev->register_memory(&v, &w->addr, &w->key, &handle) && w->addr);
    return handle;
}

void window_close(void *handle)
{
    if (rig.dev->register_memory)
        rig.dev->deregister_memory(handle);
}

bool window_can_put(int rank) { return rig.dev->put && rig_peer(rank)->can_put; }

void window_owner_dies(void)
{
    if (rig.rank == 1) {
        while (!atomic_load(&rig.shared->flag[0]))
            os_yield();
        (void) raise(SIGKILL);
    }
    if (rig.rank == 0) {
        atomic_store(&rig.shared->flag[0], 1);
        while (atomic_load(&rig.shared->alive[1]))
            (void) rig_poll();
        rig_del_peer(1);
    }
}
