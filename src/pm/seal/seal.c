/* seal.c — sealed bytes, by libsodium. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "platform/os.h"
#include "platform/sodium.h"
#include "pm/seal/pm_seal.h"

enum { LENGTH = 4 };

struct pm_seal {
    unsigned char key[2][OS_SODIUM_KEY]; /* to the proxy, from it */
    bool at_proxy;
    bool put_header, got_header;
    struct os_sodium_stream put, get;
};

bool pm_seal_is_possible(void) { return !os_sodium_open(); }

void pm_seal_random(void *bytes, size_t len)
{
    if (os_random(bytes, len))
        abort(); /* a key that can be guessed would be worse */
}

struct pm_seal *pm_seal_create(const unsigned char secret[PM_SECRET],
                               const unsigned char of_owner[PM_CHALLENGE],
                               const unsigned char of_proxy[PM_CHALLENGE], bool at_proxy)
{
    struct pm_seal *s = os_sodium_open() ? NULL : calloc(1, sizeof *s);
    unsigned char both[2 * PM_CHALLENGE];

    if (!s)
        return NULL;
    s->at_proxy = at_proxy;
    memcpy(both, of_owner, PM_CHALLENGE);
    memcpy(both + PM_CHALLENGE, of_proxy, PM_CHALLENGE);
    (void) os_sodium.hash(s->key[0], sizeof s->key, both, sizeof both, secret, PM_SECRET);
    return s;
}

void pm_seal_free(struct pm_seal *s)
{
    if (s)
        explicit_bzero(s, sizeof *s);
    free(s);
}

static int put_header(struct pm_seal *s, struct pm_bytes *out)
{
    unsigned char header[OS_SODIUM_HEADER];

    if (s->put_header)
        return 0;
    s->put_header = true;
    (void) os_sodium.begin_push(&s->put, header, s->key[s->at_proxy]);
    return pm_bytes_add(out, header, sizeof header);
}

static int put_record(struct pm_seal *s, const char *bytes, size_t len, struct pm_bytes *out)
{
    size_t sealed = len + OS_SODIUM_ADDED;
    unsigned char *to = (unsigned char *) pm_bytes_room(out, LENGTH + sealed);

    if (!to)
        return -ENOMEM;
    for (int i = 0; i < LENGTH; i++)
        to[i] = (unsigned char) (sealed >> 8 * i);
    (void) os_sodium.push(&s->put, to + LENGTH, NULL, (const unsigned char *) bytes, len, NULL, 0,
                          0);
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
    if (in->len < OS_SODIUM_HEADER)
        return 0;
    if (os_sodium.begin_pull(&s->get, from, s->key[!s->at_proxy]))
        return -EBADMSG;
    s->got_header = true;
    pm_bytes_take(in, OS_SODIUM_HEADER);
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
    if (sealed < OS_SODIUM_ADDED || sealed > PM_RECORD_MAX + OS_SODIUM_ADDED)
        return -EBADMSG;
    if (in->len < LENGTH + sealed)
        return 0;
    unsigned char *to = (unsigned char *) pm_bytes_room(out, sealed);
    if (!to)
        return -ENOMEM;
    if (os_sodium.pull(&s->get, to, NULL, NULL, from + LENGTH, sealed, NULL, 0))
        return -EBADMSG;
    out->len += sealed - OS_SODIUM_ADDED;
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
