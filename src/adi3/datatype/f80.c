/* f80.c — converts between the 80-bit numbers of the x87 and IEEE's 128-bit ones.
 *
 * Sign and exponent are the same in both. The x87 stores the 1 before the binary point and 63 bits
 * behind it. IEEE's format stores 112 bits; the exponent implies the 1. */
#include <endian.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

enum { EXPONENT = 0x7fff, SHIFT = 112 - 63 };

static const uint64_t ONE = UINT64_C(1) << 63, QUIET = UINT64_C(1) << 62;
static const uint64_t HIGH = (UINT64_C(1) << 48) - 1; /* of the fraction, in the upper half */

void f80_to_f128(char *to, const char *from)
{
    uint64_t mantissa, half[2];
    uint16_t top;

    memcpy(&mantissa, from, sizeof mantissa);
    memcpy(&top, from + sizeof mantissa, sizeof top);
    unsigned sign = top >> 15, exponent = top & EXPONENT;
    uint64_t fraction = mantissa & ~ONE;
    if (exponent && !(mantissa & ONE)) { /* an invalid operand of the x87: becomes a NaN */
        exponent = EXPONENT;
        fraction = QUIET;
    } else if (!exponent && mantissa & ONE) {
        exponent = 1; /* a pseudo-denormal has the value of a number with exponent 1 */
    }
    half[0] = htobe64((uint64_t) sign << 63 | (uint64_t) exponent << 48 | fraction >> (64 - SHIFT));
    half[1] = htobe64(fraction << SHIFT);
    memcpy(to, half, sizeof half);
}

void f80_from_f128(char *to, const char *from)
{
    uint64_t half[2];

    memcpy(half, from, sizeof half);
    uint64_t high = be64toh(half[0]), low = be64toh(half[1]);
    unsigned sign = high >> 63, exponent = high >> 48 & EXPONENT;
    uint64_t mantissa = (high & HIGH) << (64 - SHIFT) | low >> SHIFT, rest = low << (64 - SHIFT);
    if (exponent == EXPONENT) {
        if (rest && !mantissa) /* a NaN that would become infinity */
            mantissa = QUIET;
        mantissa |= ONE;
    } else {
        mantissa |= exponent ? ONE : 0;
        if (rest > ONE || (rest == ONE && mantissa & 1))
            if (++mantissa == 0) {
                mantissa = ONE;
                exponent++;
            }
        exponent += !exponent && mantissa & ONE; /* rounded up to the smallest normal number */
    }
    uint16_t top = (uint16_t) (sign << 15 | exponent);
    memset(to, 0, 16);
    memcpy(to, &mantissa, sizeof mantissa);
    memcpy(to + sizeof mantissa, &top, sizeof top);
}
