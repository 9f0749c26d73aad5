/* unacked.c — data of the provider that the kernel of a peer does not acknowledge.
 *
 * A link may lose large packets and pass small ones. The connections of watch.c live then, and the
 * sockets of a provider over TCP repeat their data for a quarter of an hour. So this process looks
 * at them itself, among its descriptors. TCP_USER_TIMEOUT would also end one whose receiver
 * computes and leaves its window closed, and the time of the last acknowledgment says nothing here,
 * as pings of the peer acknowledge too. */
#include <dirent.h>
#include <linux/tcp.h> /* the C library's struct tcp_info is shorter */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "devices/libfabric/module/ofi_impl.h"

/* SUSPICION: peer timeouts that the provider has to report which peer it was. */
enum { LOOKS = 20, SUSPICION = 2, ESTABLISHED = 1 /* in netinet/tcp.h */ };

static uint64_t patience_ns(void) { return ofi_dev.env->peer_timeout_s * 1000000000ull; }

/* ---- one connection -------------------------------------------------------------------------- */

/* Whether it repeats data that the receiver had room for, which kernels tell since 5.4. Before the
 * receiver has sent anything, it may be one that a full backlog has no room for. */
static bool is_repeating_data(int fd, struct tcp_info *t)
{
    socklen_t len = sizeof *t;

    memset(t, 0, sizeof *t);
    return !getsockopt(fd, IPPROTO_TCP, TCP_INFO, t, &len) && t->tcpi_state == ESTABLISHED
           && t->tcpi_retransmits && t->tcpi_snd_wnd && t->tcpi_bytes_received;
}

/* The record of a descriptor; NULL: no memory. */
static struct ofi_unacked *record_of(int fd)
{
    int count = ofi_dev.unacked_count, more = fd + 1 > 2 * count ? fd + 1 : 2 * count;
    struct ofi_unacked *all = ofi_dev.unacked;

    if (fd < count)
        return &all[fd];
    if (!(all = realloc(all, (size_t) more * sizeof *all)))
        return NULL;
    memset(all + count, 0, (size_t) (more - count) * sizeof *all);
    ofi_dev.unacked = all;
    ofi_dev.unacked_count = more;
    return &all[fd];
}

/* How long nothing of what a socket repeats has been acknowledged, in ns. */
static uint64_t unacked_silence(int fd, uint64_t now)
{
    struct tcp_info t;
    bool owes = is_repeating_data(fd, &t);
    struct ofi_unacked *u = owes || fd < ofi_dev.unacked_count ? record_of(fd) : NULL;

    if (!u)
        return 0;
    if (!owes || !u->since || u->acked != t.tcpi_bytes_acked)
        *u = (struct ofi_unacked) { owes ? now : 0, t.tcpi_bytes_acked };
    return owes ? now - u->since : 0;
}

/* ---- whose it is ----------------------------------------------------------------------------- */

static struct sockaddr_storage address_of(const struct ofi_endpoint *endpoint)
{
    struct sockaddr_storage a = { .ss_family = AF_UNSPEC };

    memcpy(&a, endpoint->address, endpoint->len < sizeof a ? endpoint->len : sizeof a);
    return a;
}

static bool same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    const struct sockaddr_in *in = (const void *) a, *other = (const void *) b;
    const struct sockaddr_in6 *in6 = (const void *) a, *other6 = (const void *) b;

    if (a->ss_family != b->ss_family)
        return false;
    if (a->ss_family == AF_INET)
        return in->sin_addr.s_addr == other->sin_addr.s_addr;
    return a->ss_family == AF_INET6
           && !memcmp(&in6->sin6_addr, &other6->sin6_addr, sizeof in6->sin6_addr);
}

/* The port is at one place in addresses of either family. */
static bool same_address(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    const struct sockaddr_in *in = (const void *) a, *other = (const void *) b;

    return same_host(a, b) && in->sin_port == other->sin_port;
}

/* Suspects the peers that may be at the other end of a socket, and returns one of them; *count:
 * their number. A connected socket shows the address of the peer, an accepted socket only the host.
 * NULL: the socket is not the provider's. */
static struct ofi_peer *suspects_mark(int fd, int *count)
{
    const struct sockaddr_storage own = address_of(&ofi_dev.endpoint);
    struct sockaddr_storage from, to;
    socklen_t from_len = sizeof from, to_len = sizeof to;
    struct ofi_peer *found = NULL;

    *count = 0;
    if (getsockname(fd, (struct sockaddr *) &from, &from_len)
        || getpeername(fd, (struct sockaddr *) &to, &to_len))
        return NULL;
    bool accepted = same_address(&from, &own);
    for (struct ofi_peer *p = ofi_dev.peers; p; p = p->next) {
        const struct sockaddr_storage a = address_of(&p->endpoint);
        if (p->lost || !(accepted ? p->arrivals && same_host(&to, &a) : same_address(&to, &a)))
            continue;
        p->suspected_until = os_time_ns() + SUSPICION * patience_ns();
        found = p;
        ++*count;
    }
    return found;
}

/* Ends a connection at once: the end of its stream would follow the data. Where several processes
 * may be the peer, the provider reports what fails to be sent to it now or when the rest of a
 * message follows. */
static bool end_connection(int fd)
{
    const struct sockaddr none = { .sa_family = AF_UNSPEC };
    int count;
    struct ofi_peer *p = suspects_mark(fd, &count);

    if (!p)
        return false;
    if (count == 1)
        ofi_peer_mark_failed(p, -ETIMEDOUT, "");
    (void) connect(fd, &none, sizeof none);
    return true;
}

bool ofi_unacked_poll(uint64_t now)
{
    uint64_t patience = patience_ns();
    bool ended = false;
    struct dirent *e;

    if (!patience || !ofi_dev.endpoint.port || ofi_dev.loopback
        || now - ofi_dev.last_unacked < patience / LOOKS)
        return false;
    ofi_dev.last_unacked = now;
    DIR *d = opendir("/proc/self/fd");
    while (d && !ended && (e = readdir(d)))
        if (*e->d_name != '.') {
            int fd = (int) strtol(e->d_name, NULL, 10);
            ended = unacked_silence(fd, now) >= patience && end_connection(fd);
        }
    if (d)
        (void) closedir(d);
    return ended;
}

void ofi_unacked_close(void)
{
    free(ofi_dev.unacked);
    ofi_dev.unacked = NULL;
    ofi_dev.unacked_count = 0;
}
