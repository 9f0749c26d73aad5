/* hex.h — numbers in endpoint addresses: "-" and hexadecimal digits, which every process manager
 * carries unchanged. */
#ifndef HEX_H
#define HEX_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

/* Appends "-" and the number; returns the end. No NUL is written. */
static inline char *hex_put(char *to, uint64_t n)
{
    int shift = 60;

    while (shift && !(n >> shift))
        shift -= 4;
    *to++ = '-';
    for (; shift >= 0; shift -= 4)
        *to++ = hex_digits[n >> shift & 15];
    return to;
}

/* Appends two digits for each byte; returns the end. */
static inline char *hex_put_bytes(char *to, const unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        *to++ = hex_digits[bytes[i] >> 4];
        *to++ = hex_digits[bytes[i] & 15];
    }
    return to;
}

/* The value of a digit; -1: it is none. */
static inline int hex_digit(char c)
{
    const char *d = c ? strchr(hex_digits, c) : NULL;

    return d ? (int) (d - hex_digits) : -1;
}

/* Reads "-NUMBER" and moves the text behind it. -EPROTO: it is not there, or is larger than max. */
static inline int hex_take(const char **text, uint64_t max, uint64_t *n)
{
    const char *p = *text;

    if (*p++ != '-' || hex_digit(*p) < 0)
        return -EPROTO;
    for (*n = 0; hex_digit(*p) >= 0; p++) {
        if (*n > max >> 4)
            return -EPROTO;
        *n = *n << 4 | (uint64_t) hex_digit(*p);
    }
    *text = p;
    return 0;
}

/* Reads two digits for each byte. The caller has checked that text has 2 * len digits. */
static inline void hex_take_bytes(const char *text, unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = (unsigned char) (hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
}

#endif /* HEX_H */
