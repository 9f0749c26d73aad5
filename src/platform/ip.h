/* ip.h — IP addresses, and those of this host. */
#ifndef IP_H
#define IP_H

#include <netinet/in.h>
#include <stdbool.h>

struct os_ip {
    bool v6;
    unsigned char ip[16]; /* 4 used by IPv4 */
};

struct os_iface { /* an address of this host, and how many of its bits are the network */
    struct os_ip addr;
    int bits;
};

bool os_ip_from(const struct sockaddr *sa, struct os_ip *a); /* false: of another family */
socklen_t os_ip_socket(const struct os_ip *a, uint16_t port, struct sockaddr_storage *out);
bool os_ip_in_net(const struct os_iface *ours, const struct os_ip *a);
/* How likely an address reaches another host. 0, the best: it is on a network of this host. 2: this
 * host has the same address, such as that of a bridge for containers that every host has. 1:
 * others. */
int os_ip_distance(const struct os_ip *a, const struct os_iface *ours, int n);
/* Addresses of the interfaces that are up; only: an interface, an address or a network; "": all but
 * loopback. Returns how many, or a negative errno. */
int os_ifaces(const char *only, struct os_iface *out, int max);

/* Stream sockets that do not wait: a descriptor or a negative errno. */
/* Listens at the address, or at all of this host: NULL. *port: 0 is any, and becomes the one. */
int os_ip_listen(const struct os_ip *at, uint16_t *port, int backlog);
int os_ip_connect(const struct os_ip *to, uint16_t port); /* the connection may be made later */

#endif /* IP_H */
