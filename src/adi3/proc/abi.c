/* abi.c — what two processes must have in common to understand each other's packets and data.
 *
 * Each publishes a line of numbers, "7.1.8.8.4.64", in its business card, and the process that
 * makes the node's segment writes it there. So whatever the device, a difference is an error with a
 * text before the first message, and no wrong data. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "adi3/proc/proc_impl.h"

static int byte_order(void)
{
    const uint32_t mark = 0x04030201;
    unsigned char first;

    memcpy(&first, &mark, 1);
    return first; /* 1: the lowest byte is the first; 4: it is the last */
}

enum { TRAITS = 6 };

static const char *const trait[TRAITS] = {
    "the version of packets", "the first byte of 0x04030201",
    "the bytes of a long",    "the bytes of an address",
    "the bytes of a wchar_t", "the bits of a long double's mantissa"
};

static void own_traits(long value[TRAITS])
{
    const long own[TRAITS] = { DEV_ABI,        byte_order(),    sizeof(long),
                               sizeof(void *), sizeof(wchar_t), LDBL_MANT_DIG };

    memcpy(value, own, sizeof own);
}

void abi_write(char text[ABI_TEXT])
{
    long own[TRAITS];
    char *to = text;

    own_traits(own);
    for (int i = 0; i < TRAITS; i++) {
        *to = '\0';
        text_append_number(to, (int) own[i]);
        to += strlen(to);
        *to++ = '.';
    }
    to[-1] = '\0';
}

int abi_compare(const char *text, const char *whose)
{
    long own[TRAITS], theirs;
    char *end;

    own_traits(own);
    for (int i = 0; i < TRAITS; i++) {
        theirs = text && *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
        if (theirs < 0 || (*end && *end != '.'))
            return adi3_error(MPI_ERR_OTHER,
                              "%s is of another version of Starling than this process on %s", whose,
                              adi3_hostname());
        if (theirs != own[i])
            return adi3_error(
                MPI_ERR_OTHER,
                "%s cannot exchange messages with this process on %s: %s is %ld there and %ld here",
                whose, adi3_hostname(), trait[i], theirs, own[i]);
        text = *end ? end + 1 : end;
    }
    return MPI_SUCCESS;
}
