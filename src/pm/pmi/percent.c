/* percent.c — percent-encoding, which makes any text a valid PMI value. */
#include <errno.h>
#include <string.h>
#include "pm/pmi/pmi_line.h"

static const char digit[] = "0123456789ABCDEF";

long pmi_percent_encode(const char *text, char *out, size_t len)
{
    size_t n = 0;

    for (; *text; text++) {
        unsigned char c = (unsigned char) *text;
        bool plain = c > ' ' && c <= '~' && !strchr("\\;%", c);
        if (n + (plain ? 1 : 3) >= len)
            return -EMSGSIZE;
        if (plain) {
            out[n++] = (char) c;
            continue;
        }
        out[n++] = '%';
        out[n++] = digit[c >> 4];
        out[n++] = digit[c & 15];
    }
    if (n >= len)
        return -EMSGSIZE;
    out[n] = '\0';
    return (long) n;
}

static int hex_digit_value(char c)
{
    const char *at = c ? strchr(digit, c >= 'a' ? c - 'a' + 'A' : c) : NULL;

    return at ? (int) (at - digit) : -1;
}

long pmi_percent_decode(const char *text, size_t text_len, char *out, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < text_len; i++) {
        int c = (unsigned char) text[i];
        if (c == '%') {
            int high = i + 2 < text_len ? hex_digit_value(text[i + 1]) : -1;
            int low = i + 2 < text_len ? hex_digit_value(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return -EPROTO;
            c = high << 4 | low;
            i += 2;
        }
        if (!c)
            return -EPROTO;
        if (n + 1 >= len)
            return -EMSGSIZE;
        out[n++] = (char) c;
    }
    if (n >= len)
        return -EMSGSIZE;
    out[n] = '\0';
    return (long) n;
}
