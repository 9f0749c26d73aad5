/* link_key.c — two processes that know nothing of each other agree on a key over a socket: by
 * X25519, with keys for this once. Nothing proves which process the other one is: that is for the
 * owner of the socket. */
#include <errno.h>
#include <string.h>
#include "adi3/connect/connect_impl.h"
#include "platform/sodium.h"

enum { MAGIC = 16, LABEL = 32 };

static const uint64_t patience_ns = 20000000000ull;

struct greeting {
    char magic[MAGIC];
    unsigned char nonce[ADI3_KEY], public_key[ADI3_KEY]; /* all zero: without libsodium */
};

static int link_error(const char *why)
{
    return adi3_error(MPI_ERR_OTHER, "the other end of the socket %s", why);
}

/* Exchanges len bytes until a time; 0: the other process may take its time until it begins. Once a
 * byte has come the rest comes soon, and what begins with other bytes than ours, of which `same`
 * are fixed, is of another program. */
struct same_size {
    size_t len, same;
};
static int exchange_same(int link, const void *out, void *in, struct same_size s, uint64_t end)
{
    size_t sent = 0, got = 0, len = s.len, same = s.same;
    unsigned pauses = 0;

    while (sent < len || got < len) {
        ssize_t n = os_send_some(link, (const char *) out + sent, len - sent);
        ssize_t m = os_receive_some(link, (char *) in + got, len - got);
        if (m < 0 || (n < 0 && got == len))
            return link_error(m == -ECONNRESET || n == -EPIPE ? "has been closed"
                                                              : strerror((int) -(m < 0 ? m : n)));
        sent += n > 0 ? (size_t) n : 0;
        got += (size_t) m;
        if (memcmp(out, in, got < same ? got : same) != 0)
            return link_error("is no process in MPI_Comm_join of this library");
        if (m > 0)
            end = os_time_ns() + patience_ns;
        if (end && got < len && os_time_ns() > end)
            return link_error("does not go on with MPI_Comm_join");
        if (n <= 0 && !m)
            progress_pause_longer(&pauses);
    }
    return MPI_SUCCESS;
}

/* Of both public keys, in an order that both ends find. */
static int make_key(const unsigned char *private_key, const struct greeting *ours,
                    const struct greeting *theirs, unsigned char key[ADI3_KEY])
{
    static const unsigned char label[LABEL] = "Starling key of MPI_Comm_join";
    bool first = memcmp(ours->public_key, theirs->public_key, ADI3_KEY) < 0;
    unsigned char text[3 * ADI3_KEY];

    if (os_sodium.shared_key(text, private_key, theirs->public_key))
        return link_error("has sent a key that is none of X25519");
    memcpy(text + ADI3_KEY, first ? ours->public_key : theirs->public_key, ADI3_KEY);
    memcpy(text + 2 * ADI3_KEY, first ? theirs->public_key : ours->public_key, ADI3_KEY);
    (void) os_sodium.auth(key, text, sizeof text, label); /* cannot fail */
    return MPI_SUCCESS;
}

int adi3_link_key(int link, unsigned char key[ADI3_KEY])
{
    static const unsigned char none[ADI3_KEY];
    unsigned char private_key[ADI3_KEY];
    struct greeting ours = { .magic = "\223Starling join" }, theirs;
    bool has_key = !os_sodium_open();
    int err = adi3_random(ours.nonce, sizeof ours.nonce);

    assert(adi3_lock_held());
    memset(key, 0, ADI3_KEY);
    if (!err)
        err = adi3_random(private_key, sizeof private_key);
    if (err)
        return err;
    if (has_key)
        (void) os_sodium.public_key(ours.public_key, private_key);
    err = exchange_same(link, &ours, &theirs, (struct same_size) { sizeof ours, MAGIC }, 0);
    if (!err && !memcmp(ours.nonce, theirs.nonce, ADI3_KEY))
        err = link_error("sends back what it gets");
    if (!err && has_key && memcmp(theirs.public_key, none, ADI3_KEY) != 0)
        err = make_key(private_key, &ours, &theirs, key);
    explicit_bzero(private_key, sizeof private_key);
    return err;
}

int adi3_link_either(int link, bool *either)
{
    unsigned char ours[2] = { 223, *either }, theirs[2];
    int err = exchange_same(link, ours, theirs, (struct same_size) { sizeof ours, 1 },
                            os_time_ns() + patience_ns);

    if (!err)
        *either = ours[1] || theirs[1];
    return err;
}

unsigned adi3_unreachable(void) { return proc_unreachable; }
