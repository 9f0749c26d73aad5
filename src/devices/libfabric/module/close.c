/* close.c — the orderly end of all connections. */
#include "ofi_impl.h"

/* Has all been said that must be? Nobody waits for the dead. */
static bool has_closed(struct ofi_peer *p)
{
    const struct dev_node *node = ofi_dev.env->node;

    if (p->lost || p->error || (!p->sent && !p->received))
        return true;
    if (p->local >= 0 && !node->alive(p->local))
        return true;
    if (!p->close_sent)
        p->close_sent = ofi_send_control(p, OFI_CLOSE) == 0;
    return p->close_acked && p->close_received && !p->close_ack_due && !p->in_flight;
}

static bool all_closed(void)
{
    bool all = true;

    for (int i = 0; i < ofi_dev.env->world_size; i++)
        if (ofi_dev.peer[i])
            all &= has_closed(ofi_dev.peer[i]);
    return all;
}

/* An endpoint forgets what it has not sent when it is closed. So each of a pair says that it ends,
 * and goes when it knows that the other has heard all and ends too. */
void ofi_close_peers(void)
{
    enum { PAUSE_NS = 50000 };
    uint64_t end = os_time_ns() + OFI_CLOSE_MS * 1000000ull;

    while (!all_closed() && os_time_ns() < end)
        if (!ofi_flush() && !ofi_cq_poll())
            os_sleep_ns(PAUSE_NS);
}
