/* close.c — the orderly end.
 *
 * An endpoint forgets unsent messages when it is closed. So each process of a pair sends a close
 * message, and stops when it knows that the other has received everything and closes too. */
#include "devices/libfabric/module/ofi_impl.h"

/* Whether all is sent and received that must be. There is no need to wait for a dead peer. */
static bool has_closed(struct ofi_peer *p)
{
    if (p->lost || p->error || (!p->sent && !p->received))
        return true;
    if (p->node && !p->node->alive(p->node, p->local))
        return true;
    if (!p->close_sent)
        p->close_sent = ofi_send_control(p, OFI_CLOSE) == 0;
    return p->close_acked && p->close_received && !p->close_ack_due && !p->in_flight;
}

static bool all_closed(void)
{
    bool all = true;

    for (struct ofi_peer *p = ofi_dev.peers; p; p = p->next)
        all &= has_closed(p);
    return all;
}

void ofi_close_peers(void)
{
    enum { PAUSE_NS = 50000 };
    uint64_t end = os_time_ns() + OFI_CLOSE_MS * 1000000ull;

    while (!all_closed() && os_time_ns() < end)
        if (!ofi_flush() && !ofi_cq_poll())
            os_sleep_ns(PAUSE_NS);
}
