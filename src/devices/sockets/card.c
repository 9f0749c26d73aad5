/* card.c — the address card, numeric: no name is ever resolved.
 *
 * "s1-HOST-NET-PORT" and one "-ADDRESS" for each address, all in hexadecimal; an IPv4 address has
 * 8 digits, an IPv6 address 32. Letters, digits and '-' pass through every process manager. */
#include <string.h>
#include "sockets_impl.h"

static const char digits[] = "0123456789abcdef";

static char *put_number(char *to, uint64_t n)
{
    int shift = 60;

    while (shift && !(n >> shift))
        shift -= 4;
    *to++ = '-';
    for (; shift >= 0; shift -= 4)
        *to++ = digits[n >> shift & 15];
    return to;
}

static char *put_address(char *to, const struct sock_addr *a)
{
    *to++ = '-';
    for (int i = 0; i < (a->v6 ? 16 : 4); i++) {
        *to++ = digits[a->ip[i] >> 4];
        *to++ = digits[a->ip[i] & 15];
    }
    return to;
}

/* Leaves out the addresses that do not fit; the likely ones are first. */
void sock_card_write(const struct sock_card *card, char text[DEV_CARD_MAX])
{
    char *p = text;

    *p++ = 's';
    *p++ = '1';
    p = put_number(p, card->host);
    p = put_number(p, card->net);
    p = put_number(p, card->port);
    for (int i = 0; i < card->count; i++)
        if (p + 34 < text + DEV_CARD_MAX)
            p = put_address(p, &card->addr[i]);
    *p = '\0';
}

/* The value of a hexadecimal digit, -1 if it is none. */
static int digit(char c)
{
    const char *d = c ? strchr(digits, c) : NULL;

    return d ? (int) (d - digits) : -1;
}

static int take_number(const char **text, uint64_t max, uint64_t *n)
{
    const char *p = *text;

    if (*p++ != '-' || digit(*p) < 0)
        return -EPROTO;
    for (*n = 0; digit(*p) >= 0; p++) {
        if (*n > max >> 4)
            return -EPROTO;
        *n = *n << 4 | (uint64_t) digit(*p);
    }
    *text = p;
    return 0;
}

static int take_address(const char **text, struct sock_addr *a)
{
    const char *p = *text + 1;
    size_t len = strspn(p, digits);

    if (**text != '-' || (len != 8 && len != 32))
        return -EPROTO;
    a->v6 = len == 32;
    for (size_t i = 0; i < len; i += 2)
        a->ip[i / 2] = (unsigned char) (digit(p[i]) << 4 | digit(p[i + 1]));
    *text = p + len;
    return 0;
}

int sock_card_parse(const char *text, struct sock_card *card)
{
    uint64_t port;

    *card = (struct sock_card) { 0 };
    if (strnlen(text, DEV_CARD_MAX) == DEV_CARD_MAX || strncmp(text, "s1-", 3))
        return -EPROTO;
    text += 2;
    if (take_number(&text, UINT64_MAX, &card->host) || take_number(&text, UINT64_MAX, &card->net)
        || take_number(&text, UINT16_MAX, &port) || !port)
        return -EPROTO;
    card->port = (uint16_t) port;
    while (*text)
        if (card->count == SOCK_ADDRS || take_address(&text, &card->addr[card->count++]))
            return -EPROTO;
    return 0;
}
