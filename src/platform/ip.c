/* ip.c — IP addresses, those of this host, and stream sockets. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/ip.h"
#include "platform/os.h"

bool os_ip_from(const struct sockaddr *sa, struct os_ip *a)
{
    *a = (struct os_ip) { 0 };
    if (!sa || (sa->sa_family != AF_INET && sa->sa_family != AF_INET6))
        return false;
    a->v6 = sa->sa_family == AF_INET6;
    if (a->v6)
        memcpy(a->ip, &((const struct sockaddr_in6 *) (const void *) sa)->sin6_addr, 16);
    else
        memcpy(a->ip, &((const struct sockaddr_in *) (const void *) sa)->sin_addr, 4);
    return true;
}

socklen_t os_ip_socket(const struct os_ip *a, uint16_t port, struct sockaddr_storage *out)
{
    memset(out, 0, sizeof *out);
    if (a->v6) {
        struct sockaddr_in6 *s6 = (struct sockaddr_in6 *) out;
        s6->sin6_family = AF_INET6;
        s6->sin6_port = htons(port);
        memcpy(&s6->sin6_addr, a->ip, 16);
        return sizeof *s6;
    }
    struct sockaddr_in *s4 = (struct sockaddr_in *) out;
    s4->sin_family = AF_INET;
    s4->sin_port = htons(port);
    memcpy(&s4->sin_addr, a->ip, 4);
    return sizeof *s4;
}

static int mask_bits(const struct sockaddr *mask)
{
    struct os_ip m;
    int bits = 0;

    if (!os_ip_from(mask, &m))
        return 128;
    for (int i = 0; i < 16; i++)
        bits += __builtin_popcount(m.ip[i]);
    return bits;
}

bool os_ip_in_net(const struct os_iface *ours, const struct os_ip *a)
{
    int whole = ours->bits / 8, rest = ours->bits % 8;

    if (ours->addr.v6 != a->v6 || ours->bits > (a->v6 ? 128 : 32))
        return false;
    if (memcmp(ours->addr.ip, a->ip, (size_t) whole))
        return false;
    return !rest || (ours->addr.ip[whole] ^ a->ip[whole]) >> (8 - rest) == 0;
}

static bool same_ip(const struct os_ip *a, const struct os_ip *b)
{
    return a->v6 == b->v6 && !memcmp(a->ip, b->ip, a->v6 ? 16 : 4);
}

int os_ip_distance(const struct os_ip *a, const struct os_iface *ours, int n)
{
    int far = 1;

    for (int i = 0; i < n; i++) {
        if (same_ip(&ours[i].addr, a))
            return 2;
        if (os_ip_in_net(&ours[i], a))
            far = 0;
    }
    return far;
}

/* Reads "ADDRESS" or "ADDRESS/BITS" into net. */
static bool parse_network(const char *text, struct os_iface *net)
{
    size_t len = strcspn(text, "/");
    char address[INET6_ADDRSTRLEN] = "";
    int most;

    *net = (struct os_iface) { 0 };
    if (len >= sizeof address)
        return false;
    memcpy(address, text, len);
    net->addr.v6 = strchr(address, ':') != NULL;
    if (inet_pton(net->addr.v6 ? AF_INET6 : AF_INET, address, net->addr.ip) != 1)
        return false;
    net->bits = most = net->addr.v6 ? 128 : 32;
    if (text[len]) {
        char *end;
        long n = strtol(text + len + 1, &end, 10);
        net->bits = (int) n;
        return end != text + len + 1 && !*end && n >= 0 && n <= most;
    }
    return true;
}

/* Whether peers can use this address. A link-local IPv6 address needs an interface number, which is
 * valid on this host only. */
static bool is_usable_address(const struct ifaddrs *i, const char *only, struct os_iface *out)
{
    struct os_iface net;

    if (!os_ip_from(i->ifa_addr, &out->addr) || !(i->ifa_flags & IFF_UP))
        return false;
    if (out->addr.v6 && out->addr.ip[0] == 0xfe && (out->addr.ip[1] & 0xc0) == 0x80)
        return false;
    out->bits = mask_bits(i->ifa_netmask);
    if (!*only)
        return !(i->ifa_flags & IFF_LOOPBACK) && i->ifa_flags & IFF_RUNNING;
    return !strcmp(only, i->ifa_name)
           || (parse_network(only, &net) && os_ip_in_net(&net, &out->addr));
}

int os_ifaces(const char *only, struct os_iface *out, int max)
{
    struct ifaddrs *list;
    int n = 0;

    if (getifaddrs(&list))
        return -errno;
    for (const struct ifaddrs *i = list; i && n < max; i = i->ifa_next)
        if (is_usable_address(i, only, &out[n]))
            n++;
    freeifaddrs(list);
    return n;
}

/* ---- stream sockets -------------------------------------------------------------------------- */

static int stream_socket(int family)
{
    int fd = os_new_fd(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)), on = 1;

    if (fd >= 0)
        (void) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* dual: an IPv6 socket that takes IPv4 as well. */
static int listen_at(const struct os_ip *a, bool dual, uint16_t *port, int backlog)
{
    struct sockaddr_storage s;
    socklen_t len = os_ip_socket(a, *port, &s);
    int fd = stream_socket(s.ss_family), on = 1, off = 0;

    if (fd < 0)
        return fd;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on)
        || (dual && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off))
        || bind(fd, (struct sockaddr *) &s, len) || listen(fd, backlog)
        || getsockname(fd, (struct sockaddr *) &s, &len)) {
        int err = -errno;
        (void) close(fd);
        return err;
    }
    *port = ntohs(a->v6 ? ((struct sockaddr_in6 *) &s)->sin6_port
                        : ((struct sockaddr_in *) &s)->sin_port);
    return fd;
}

int os_ip_listen(const struct os_ip *at, uint16_t *port, int backlog)
{
    static const struct os_ip any6 = { .v6 = true }, any4 = { .v6 = false };
    int fd = at ? listen_at(at, false, port, backlog) : listen_at(&any6, true, port, backlog);

    return fd < 0 && !at && fd != -EADDRINUSE ? listen_at(&any4, false, port, backlog) : fd;
}

int os_ip_connect(const struct os_ip *to, uint16_t port)
{
    struct sockaddr_storage s;
    socklen_t len = os_ip_socket(to, port, &s);
    int fd = stream_socket(s.ss_family);

    if (fd < 0 || !connect(fd, (struct sockaddr *) &s, len) || errno == EINPROGRESS)
        return fd;
    int err = -errno;
    (void) close(fd);
    return err;
}
