/* name.c — the name of a port as text.
 *
 * "starling1-KEY-LOCAL-PORT" and one "-ADDRESS" for each address, all in hexadecimal: the key, the
 * number of the local socket, the port of the addresses. An IPv4 address has 8 digits, an IPv6
 * address 32. See hex.h. */
#include <stdio.h>
#include <stdlib.h>
#include "adi3/port/port_impl.h"
#include "devices/hex.h"

enum { SHOWN = 64 };

static const char begin[] = "starling";

void port_local_name(const struct port_name *n, char text[PORT_LOCAL])
{
    (void) snprintf(text, PORT_LOCAL, "starling-port-%016llx", (unsigned long long) n->local);
}

/* Leaves out the last addresses if not all fit. */
static char *put_reach(char *p, const char *end, const struct port_name *n)
{
    p = hex_put(p, n->local);
    p = hex_put(p, n->ip_port);
    for (int i = 0; i < n->count; i++) {
        size_t len = n->address[i].v6 ? 16 : 4;
        if (p + 1 + 2 * len >= end)
            break;
        *p++ = '-';
        p = hex_put_bytes(p, n->address[i].ip, len);
    }
    return p;
}

void port_name_write(const struct port_name *n, char text[MPI_MAX_PORT_NAME])
{
    char *p = text + snprintf(text, MPI_MAX_PORT_NAME, "%s%d-", begin, (int) PORT_VERSION);

    p = hex_put_bytes(p, n->key, ADI3_KEY);
    p = put_reach(p, text + MPI_MAX_PORT_NAME, n);
    *p = '\0';
}

const char *port_label(const struct port_name *n, char label[MPI_MAX_PORT_NAME])
{
    char *p = label + snprintf(label, MPI_MAX_PORT_NAME, "%s%d-*", begin, (int) PORT_VERSION);

    p = put_reach(p, label + MPI_MAX_PORT_NAME, n);
    *p = '\0';
    return label;
}

static int wrong_name(const char *text)
{
    return adi3_error(MPI_ERR_PORT,
                      "'%.*s%s' is no name of a port: such a name is what MPI_Open_port has "
                      "returned, whole",
                      (int) SHOWN, text, strnlen(text, SHOWN + 1) > SHOWN ? "..." : "");
}

static int parse_version(const char **text)
{
    unsigned long version;
    char *end;

    if (strncmp(*text, begin, sizeof begin - 1))
        return wrong_name(*text);
    const char *digits = *text + sizeof begin - 1;
    version = strtoul(digits, &end, 10);
    if (*digits < '1' || *digits > '9' || *end != '-')
        return wrong_name(*text);
    if (version != PORT_VERSION)
        return adi3_error(MPI_ERR_PORT,
                          "the name '%.*s...' of a port is of version %lu, and this library knows "
                          "version %d",
                          (int) (end - *text), *text, version, (int) PORT_VERSION);
    *text = end;
    return MPI_SUCCESS;
}

static bool take_key(const char **text, unsigned char key[ADI3_KEY])
{
    const char *p = *text + 1;

    if (strspn(p, hex_digits) != (size_t) 2 * ADI3_KEY)
        return false;
    hex_take_bytes(p, key, ADI3_KEY);
    *text = p + (size_t) 2 * ADI3_KEY;
    return true;
}

static bool take_address(const char **text, struct os_ip *a)
{
    const char *p = *text + 1;
    size_t len = strspn(p, hex_digits);

    if (**text != '-' || (len != 8 && len != 32))
        return false;
    *a = (struct os_ip) { .v6 = len == 32 };
    hex_take_bytes(p, a->ip, len / 2);
    *text = p + len;
    return true;
}

static bool take_reach(const char *p, struct port_name *n)
{
    uint64_t port;

    if (hex_take(&p, UINT64_MAX, &n->local) || hex_take(&p, UINT16_MAX, &port))
        return false;
    n->ip_port = (uint16_t) port;
    while (*p)
        if (n->count == PORT_ADDRESSES || !take_address(&p, &n->address[n->count++]))
            return false;
    return !n->count || n->ip_port;
}

int port_name_parse(const char *text, struct port_name *n)
{
    const char *p = text;

    *n = (struct port_name) { .count = 0 };
    if (strnlen(text, MPI_MAX_PORT_NAME) == MPI_MAX_PORT_NAME)
        return wrong_name(text);
    int err = parse_version(&p);
    if (err)
        return err;
    return take_key(&p, n->key) && take_reach(p, n) ? MPI_SUCCESS : wrong_name(text);
}
