/* relay_open.c — relays, as mpiexec sees them: remote nodes without processes, which carry the
 * channels of others. */
#include "pm/channel/pm_remote_impl.h"

static void on_lost(void *owner, const char *text)
{
    const struct pm_remote *relay = owner;

    for (int i = 0; i < relay->carries; i++)
        if (!relay->carried[i]->direct)
            pm_remote_lose_as(relay->carried[i], text);
}

static void on_ended(void *owner)
{
    const struct pm_remote *relay = owner;

    for (int i = 0; i < relay->carries; i++) {
        struct pm_remote *r = relay->carried[i];
        if (r->direct)
            continue;
        pm_remote_lose(r, "the relay that its proxy needs has ended");
        pm_remote_finish_leaving(r);
    }
}

struct pm_remote *pm_relay_open(const struct pm_remote_config *config)
{
    const struct pm_remote_events events = { .node = { .ended = on_ended }, .lost = on_lost };
    struct pm_remote *relay = pm_remote_open(config, &events);

    if (relay) {
        relay->events.node.owner = relay;
        relay->on_child_frame = pm_carried_frame;
    }
    return relay;
}
