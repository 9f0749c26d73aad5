/* endpoint.c — the endpoint address as text. It is numeric: no name is ever resolved.
 *
 * "s2-HOST-NET-PORT-PROBE" and one "-ADDRESS" for each address, all in hexadecimal; an IPv4 address
 * has 8 digits, an IPv6 address 32. See hex.h. */
#include <string.h>
#include "devices/hex.h"
#include "devices/sockets/sock_impl.h"

static char *put_address(char *to, const struct os_ip *a)
{
    *to++ = '-';
    return hex_put_bytes(to, a->ip, a->v6 ? 16 : 4);
}

/* Leaves out the last addresses if not all fit. */
void sock_endpoint_write(const struct sock_endpoint *endpoint, char text[DEV_ENDPOINT_MAX])
{
    char *p = text;

    *p++ = 's';
    *p++ = '2';
    p = hex_put(p, endpoint->host);
    p = hex_put(p, endpoint->net);
    p = hex_put(p, endpoint->port);
    p = hex_put(p, endpoint->probe);
    for (int i = 0; i < endpoint->count; i++)
        if (p + 34 < text + DEV_ENDPOINT_MAX)
            p = put_address(p, &endpoint->addr[i]);
    *p = '\0';
}

static int take_address(const char **text, struct os_ip *a)
{
    const char *p = *text + 1;
    size_t len = strspn(p, hex_digits);

    if (**text != '-' || (len != 8 && len != 32))
        return -EPROTO;
    a->v6 = len == 32;
    hex_take_bytes(p, a->ip, len / 2);
    *text = p + len;
    return 0;
}

int sock_endpoint_parse(const char *text, struct sock_endpoint *endpoint)
{
    uint64_t port, probe;

    *endpoint = (struct sock_endpoint) { 0 };
    if (strnlen(text, DEV_ENDPOINT_MAX) == DEV_ENDPOINT_MAX || strncmp(text, "s2-", 3))
        return -EPROTO;
    text += 2;
    if (hex_take(&text, UINT64_MAX, &endpoint->host) || hex_take(&text, UINT64_MAX, &endpoint->net)
        || hex_take(&text, UINT16_MAX, &port) || !port || hex_take(&text, UINT16_MAX, &probe)
        || !probe)
        return -EPROTO;
    endpoint->port = (uint16_t) port;
    endpoint->probe = (uint16_t) probe;
    while (*text)
        if (endpoint->count == SOCK_ADDRS
            || take_address(&text, &endpoint->addr[endpoint->count++]))
            return -EPROTO;
    return 0;
}
