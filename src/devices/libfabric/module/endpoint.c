/* endpoint.c — the endpoint address as text: "o2-PROVIDER-FORMAT-MODE-PORT-PROBE-ADDRESS", the last
 * five in hexadecimal.
 *
 * In the provider's name '+' stands for ';'. The other characters are letters, digits, '_' and '-',
 * which every process manager passes on. */
#include <string.h>
#include "devices/hex.h"
#include "devices/libfabric/module/ofi_impl.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* The text is short enough that ADI3 can put the device's name and ':' in front of it. */
int ofi_endpoint_write(const struct ofi_endpoint *endpoint, char text[DEV_ENDPOINT_MAX])
{
    char *p = text;

    if (endpoint->len > OFI_ADDRESS)
        return -ENAMETOOLONG;
    memcpy(p, "o2-", 3);
    p += 3;
    for (const char *c = endpoint->provider; *c; c++)
        *p++ = *c == ';' ? '+' : *c;
    p = hex_put(p, endpoint->format);
    p = hex_put(p, endpoint->mode);
    p = hex_put(p, endpoint->port);
    p = hex_put(p, endpoint->probe);
    *p++ = '-';
    p = hex_put_bytes(p, endpoint->address, endpoint->len);
    *p = '\0';
    return 0;
}

static int take_provider(const char **text, char name[OFI_PROVIDER])
{
    size_t n = 0;

    for (; **text && **text != '-'; ++*text) {
        char c = **text == '+' ? ';' : **text;
        if (n == OFI_PROVIDER - 1 || (c != ';' && !strchr(letters, c)))
            return -EPROTO;
        name[n++] = c;
    }
    return n ? 0 : -EPROTO;
}

static int take_address(const char *text, struct ofi_endpoint *endpoint)
{
    size_t len = *text == '-' ? strspn(text + 1, hex_digits) : 0;

    if (!len || len % 2 || len / 2 > OFI_ADDRESS || text[1 + len])
        return -EPROTO;
    endpoint->len = len / 2;
    hex_take_bytes(text + 1, endpoint->address, endpoint->len);
    return 0;
}

int ofi_endpoint_parse(const char *text, struct ofi_endpoint *endpoint)
{
    uint64_t format, mode, port, probe;

    *endpoint = (struct ofi_endpoint) { .len = 0 };
    if (strnlen(text, DEV_ENDPOINT_MAX) == DEV_ENDPOINT_MAX || strncmp(text, "o2-", 3))
        return -EPROTO;
    text += 3;
    if (take_provider(&text, endpoint->provider) || hex_take(&text, UINT32_MAX, &format)
        || hex_take(&text, UINT32_MAX, &mode) || hex_take(&text, UINT16_MAX, &port)
        || hex_take(&text, UINT16_MAX, &probe))
        return -EPROTO;
    endpoint->format = (uint32_t) format;
    endpoint->mode = (uint32_t) mode;
    endpoint->port = (uint16_t) port;
    endpoint->probe = (uint16_t) probe;
    return take_address(text, endpoint);
}
