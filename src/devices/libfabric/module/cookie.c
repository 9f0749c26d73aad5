/* cookie.c — the cookie that authenticates a message.
 *
 * A provider delivers what any process sends to this address. So every message begins with a
 * number that only processes of the job, or of the two jobs, can compute. Until it is right,
 * nothing of a message counts but the name of its sender. */
#include <string.h>
#include "devices/libfabric/module/ofi_impl.h"

static uint64_t word_rotate_left(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void sip_rounds(uint64_t v[4], int n)
{
    while (n--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = word_rotate_left(v[1], 13) ^ v[0];
        v[3] = word_rotate_left(v[3], 16) ^ v[2];
        v[0] = word_rotate_left(v[0], 32) + v[3];
        v[2] += v[1];
        v[1] = word_rotate_left(v[1], 17) ^ v[2];
        v[3] = word_rotate_left(v[3], 21) ^ v[0];
        v[2] = word_rotate_left(v[2], 32);
    }
}

/* A word of n bytes, at most eight; the first is the lowest. */
static uint64_t word_load(const unsigned char *p, size_t n)
{
    uint64_t w = 0;

    while (n--)
        w = w << 8 | p[n];
    return w;
}

uint64_t ofi_hash(const unsigned char key[16], const void *data, size_t len)
{
    const unsigned char *p = data;
    uint64_t k0 = word_load(key, 8), k1 = word_load(key + 8, 8), m;
    uint64_t v[4] = { k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
                      k1 ^ 0x7465646279746573u };

    for (size_t left = len;; left -= 8, p += 8) {
        m = left >= 8 ? word_load(p, 8) : word_load(p, left) | (uint64_t) len << 56;
        v[3] ^= m;
        sip_rounds(v, 2);
        v[0] ^= m;
        if (left < 8)
            break;
    }
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Half of the secret is the key, the other half is hashed: the secret cannot be computed from the
 * cookies. */
uint64_t ofi_cookie(const unsigned char secret[DEV_SECRET], struct ofi_name from,
                    struct ofi_name to)
{
    const uint64_t pair[] = { from.job, to.job, (uint64_t) from.rank << 32 | (uint32_t) to.rank };
    unsigned char text[DEV_SECRET / 2 + sizeof pair];

    memcpy(text, secret + DEV_SECRET / 2, DEV_SECRET / 2);
    memcpy(text + DEV_SECRET / 2, pair, sizeof pair);
    return ofi_hash(secret, text, sizeof text);
}
