/* seal.c — sealed bytes, by libsodium. */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include "pm/channel/pm_seal.h"

enum { LENGTH = 4, HEADER = crypto_secretstream_xchacha20poly1305_HEADERBYTES };

struct pm_seal {
    unsigned char key[2]
                     [crypto_secretstream_xchacha20poly1305_KEYBYTES]; /* to the proxy, from it */
    bool at_proxy;
    bool put_header, got_header;
    crypto_secretstream_xchacha20poly1305_state put, get;
};

bool pm_seal_is_built_in(void) { return true; }

void pm_seal_random(void *bytes, size_t len)
{
    (void) !sodium_init();
    randombytes_buf(bytes, len);
}

struct pm_seal *pm_seal_create(const unsigned char secret[PM_SECRET],
                               const unsigned char of_owner[PM_CHALLENGE],
                               const unsigned char of_proxy[PM_CHALLENGE], bool at_proxy)
{
    struct pm_seal *s = calloc(1, sizeof *s);
    crypto_generichash_state hash;

    if (!s || sodium_init() < 0) {
        free(s);
        return NULL;
    }
    s->at_proxy = at_proxy;
    (void) crypto_generichash_init(&hash, secret, PM_SECRET, sizeof s->key);
    (void) crypto_generichash_update(&hash, of_owner, PM_CHALLENGE);
    (void) crypto_generichash_update(&hash, of_proxy, PM_CHALLENGE);
    (void) crypto_generichash_final(&hash, s->key[0], sizeof s->key);
    return s;
}

void pm_seal_free(struct pm_seal *s)
{
    if (s)
        sodium_memzero(s, sizeof *s);
    free(s);
}

static int put_header(struct pm_seal *s, struct pm_bytes *out)
{
    unsigned char header[HEADER];

    if (s->put_header)
        return 0;
    s->put_header = true;
    (void) crypto_secretstream_xchacha20poly1305_init_push(&s->put, header, s->key[s->at_proxy]);
    return pm_bytes_add(out, header, sizeof header);
}

static int put_record(struct pm_seal *s, const char *bytes, size_t len, struct pm_bytes *out)
{
    size_t sealed = len + crypto_secretstream_xchacha20poly1305_ABYTES;
    unsigned char *to = (unsigned char *) pm_bytes_room(out, LENGTH + sealed);

    if (!to)
        return -ENOMEM;
    for (int i = 0; i < LENGTH; i++)
        to[i] = (unsigned char) (sealed >> 8 * i);
    (void) crypto_secretstream_xchacha20poly1305_push(
        &s->put, to + LENGTH, NULL, (const unsigned char *) bytes, len, NULL, 0, 0);
    out->len += LENGTH + sealed;
    return 0;
}

int pm_seal_put(struct pm_seal *s, const char *bytes, size_t len, struct pm_bytes *out)
{
    int err = put_header(s, out);

    while (!err && len) {
        size_t n = len < PM_RECORD_MAX ? len : PM_RECORD_MAX;
        err = put_record(s, bytes, n, out);
        bytes += n;
        len -= n;
    }
    return err;
}

/* Reads the header of the other end. 1: it has been read; 0: its end is missing; -EBADMSG. */
static int get_header(struct pm_seal *s, struct pm_bytes *in)
{
    const unsigned char *from = (const unsigned char *) pm_bytes_first(in);

    if (s->got_header)
        return 1;
    if (in->len < HEADER)
        return 0;
    if (crypto_secretstream_xchacha20poly1305_init_pull(&s->get, from, s->key[!s->at_proxy]))
        return -EBADMSG;
    s->got_header = true;
    pm_bytes_take(in, HEADER);
    return 1;
}

/* Likewise a record. */
static int get_record(struct pm_seal *s, struct pm_bytes *in, struct pm_bytes *out)
{
    const unsigned char *from = (const unsigned char *) pm_bytes_first(in);
    size_t sealed = 0;

    if (in->len < LENGTH)
        return 0;
    for (int i = LENGTH - 1; i >= 0; i--)
        sealed = sealed << 8 | from[i];
    if (sealed < crypto_secretstream_xchacha20poly1305_ABYTES
        || sealed > PM_RECORD_MAX + crypto_secretstream_xchacha20poly1305_ABYTES)
        return -EBADMSG;
    if (in->len < LENGTH + sealed)
        return 0;
    unsigned char *to = (unsigned char *) pm_bytes_room(out, sealed);
    if (!to)
        return -ENOMEM;
    if (crypto_secretstream_xchacha20poly1305_pull(&s->get, to, NULL, NULL, from + LENGTH, sealed,
                                                   NULL, 0))
        return -EBADMSG;
    out->len += sealed - crypto_secretstream_xchacha20poly1305_ABYTES;
    pm_bytes_take(in, LENGTH + sealed);
    return 1;
}

int pm_seal_get(struct pm_seal *s, struct pm_bytes *in, struct pm_bytes *out)
{
    int got = get_header(s, in);

    while (got > 0)
        got = get_record(s, in, out);
    return got;
}
