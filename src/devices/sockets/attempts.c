/* attempts.c — the state of connecting to a peer: its addresses, likely ones first, and the
 * connection attempts that are under way. */
#include <stdlib.h>
#include <string.h>
#include "devices/sockets/sock_impl.h"

static const struct os_ip loopback[] = { { .ip = { 127, 0, 0, 1 } },
                                         { .v6 = true, .ip = { [15] = 1 } } };

/* An endpoint without addresses is that of a job on one node. */
void sock_order_addresses(struct sock_dial *d, const struct sock_endpoint *endpoint)
{
    bool here = endpoint->host == sock_dev.host && endpoint->net == sock_dev.net && endpoint->host
                && endpoint->net;

    d->port = endpoint->port;
    d->probe = endpoint->probe;
    for (int i = 0; i < 2 && (here || !endpoint->count); i++)
        d->to[d->count++] = loopback[i];
    for (int class = 0; class < 3; class ++)
        for (int i = 0; i < endpoint->count; i++)
            if (os_ip_distance(&endpoint->addr[i], sock_dev.iface, sock_dev.ifaces) == class)
                d->to[d->count++] = endpoint->addr[i];
}

struct os_ip sock_first_address(const struct sock_endpoint *endpoint)
{
    struct sock_dial d = { .count = 0 };

    sock_order_addresses(&d, endpoint);
    return d.to[0];
}

void sock_dial_keep(struct sock_peer *p, struct conn *keep)
{
    struct sock_dial *d = p->dial;

    for (int i = 0; i < d->attempts; i++)
        if (d->attempt[i] != keep)
            sock_conn_close(d->attempt[i]);
    d->attempts = 0;
    if (keep)
        d->attempt[d->attempts++] = keep;
}

void sock_dial_end(struct sock_peer *p)
{
    if (!p->dial)
        return;
    sock_dial_keep(p, NULL);
    free(p->dial);
    p->dial = NULL;
    sock_dev.dials--;
}

void sock_attempt_remove(struct sock_dial *d, const struct conn *c)
{
    int n = 0;

    for (int i = 0; i < d->attempts; i++)
        if (d->attempt[i] != c)
            d->attempt[n++] = d->attempt[i];
    d->attempts = n;
}
