/* proxy_owner.c — the messages of a proxy to its owner, and the end of a proxy whose owner is
 * gone. */
#include <string.h>
#include "pm/channel/pm_proxy_impl.h"

struct pm_proxy pm_own_proxy;

void pm_proxy_send(const struct pm_frame *f)
{
    if (!pm_own_proxy.alone)
        pm_channel_send(pm_own_proxy.channel, f);
}

void pm_proxy_end_alone(void)
{
    if (pm_own_proxy.alone)
        return;
    pm_own_proxy.alone = true;
    if (pm_own_proxy.ended)
        return;
    pm_node_drop_output(pm_own_proxy.node);
    pm_node_kill(pm_own_proxy.node);
}

void pm_proxy_fail(const char *why)
{
    pm_proxy_send(&(struct pm_frame) { .kind = PM_FRAME_FAILED, .bytes = why, .len = strlen(why) });
    pm_proxy_end_alone();
}
