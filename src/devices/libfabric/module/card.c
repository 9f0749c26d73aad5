/* card.c — the address card: "o2-PROVIDER-FORMAT-MODE-PORT-PROBE-ADDRESS", the last five in
 * hexadecimal.
 *
 * In the provider's name '+' stands for ';': what is left are letters, digits, '_' and '-', which
 * pass through every process manager. */
#include <string.h>
#include "hex.h"
#include "ofi_impl.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* ADI3 puts the device's name and ':' in front of it: that must fit too. */
int ofi_card_write(const struct ofi_card *card, char text[DEV_CARD_MAX])
{
    char *p = text;

    if (card->len > OFI_ADDRESS)
        return -ENAMETOOLONG;
    memcpy(p, "o2-", 3);
    p += 3;
    for (const char *c = card->provider; *c; c++)
        *p++ = *c == ';' ? '+' : *c;
    p = hex_put(p, card->format);
    p = hex_put(p, card->mode);
    p = hex_put(p, card->port);
    p = hex_put(p, card->probe);
    *p++ = '-';
    p = hex_put_bytes(p, card->address, card->len);
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

static int take_address(const char *text, struct ofi_card *card)
{
    size_t len = *text == '-' ? strspn(text + 1, hex_digits) : 0;

    if (!len || len % 2 || len / 2 > OFI_ADDRESS || text[1 + len])
        return -EPROTO;
    card->len = len / 2;
    hex_take_bytes(text + 1, card->address, card->len);
    return 0;
}

int ofi_card_parse(const char *text, struct ofi_card *card)
{
    uint64_t format, mode, port, probe;

    *card = (struct ofi_card) { .len = 0 };
    if (strnlen(text, DEV_CARD_MAX) == DEV_CARD_MAX || strncmp(text, "o2-", 3))
        return -EPROTO;
    text += 3;
    if (take_provider(&text, card->provider) || hex_take(&text, UINT32_MAX, &format)
        || hex_take(&text, UINT32_MAX, &mode) || hex_take(&text, UINT16_MAX, &port)
        || hex_take(&text, UINT16_MAX, &probe))
        return -EPROTO;
    card->format = (uint32_t) format;
    card->mode = (uint32_t) mode;
    card->port = (uint16_t) port;
    card->probe = (uint16_t) probe;
    return take_address(text, card);
}
