/* handshake_wire.c — the messages of the handshake, as bytes. Their layout is the same in every
 * version and byte order, so that incompatible processes can authenticate each other before one
 * refuses.
 *
 *   dialer    hello           magic, version and byte order, both processes, a fresh nonce
 *   acceptor  hello, proof    likewise
 *   dialer    proof
 *   acceptor  result          if accepted, packets follow in both directions
 *
 * A process is named by its job and its rank in that. A proof is a MAC over its sender's role and
 * both hellos, under the secret of the job, or of the pair of jobs. It is valid for this pair of
 * processes, this direction and this connection only. Packets are not encrypted: the network
 * between the nodes of a job is trusted to deliver what was sent. */
#include <string.h>
#include "devices/sockets/sock_impl.h"
#include "platform/sodium.h"

enum { /* offsets */
       AT_VERSION = 8,
       AT_ROLE = 10,
       AT_ABI = 11,
       AT_ORDER = 12,
       AT_HEADER = 16,
       AT_FROM = 20,
       AT_TO = 24,
       AT_FROM_JOB = 32,
       AT_TO_JOB = 40,
       AT_NONCE = 64
};

static const unsigned char magic[8] = "Starling";
static const unsigned char result_magic[4] = "Verd";

static void handshake_put_uint(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char) (value >> 8 * i);
}

static uint64_t handshake_get_uint(const unsigned char *from, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t) from[i] << 8 * i;
    return value;
}

/* Bytes 8, 9 and 11 to 19 must be equal on both sides. The mark shows the byte order. */
static void put_compatibility(unsigned char *out)
{
    uint32_t mark = 0x01020304;

    handshake_put_uint(out + AT_VERSION, SOCK_VERSION, 2);
    out[AT_ABI] = DEV_ABI;
    memcpy(out + AT_ORDER, &mark, sizeof mark);
    handshake_put_uint(out + AT_HEADER, sizeof(struct dev_pkt), 4);
}

void sock_hello_write(const struct sock_hello *h, unsigned char out[SOCK_HELLO])
{
    memset(out, 0, SOCK_HELLO);
    memcpy(out, magic, sizeof magic);
    put_compatibility(out);
    out[AT_ROLE] = (unsigned char) h->role;
    handshake_put_uint(out + AT_FROM, (uint32_t) h->from.rank, 4);
    handshake_put_uint(out + AT_TO, (uint32_t) h->to.rank, 4);
    handshake_put_uint(out + AT_FROM_JOB, h->from.job, 8);
    handshake_put_uint(out + AT_TO_JOB, h->to.job, 8);
    memcpy(out + AT_NONCE, h->nonce, SOCK_NONCE);
}

int sock_hello_parse(const unsigned char in[SOCK_HELLO], struct sock_hello *h)
{
    unsigned char expected[SOCK_HELLO] = { 0 };
    uint64_t from = handshake_get_uint(in + AT_FROM, 4), to = handshake_get_uint(in + AT_TO, 4);

    if (memcmp(in, magic, sizeof magic)
        || (in[AT_ROLE] != SOCK_DIALER && in[AT_ROLE] != SOCK_ACCEPTOR) || from > INT32_MAX
        || to > INT32_MAX)
        return -EPROTO;
    h->role = in[AT_ROLE] == SOCK_DIALER ? SOCK_DIALER : SOCK_ACCEPTOR;
    h->from = (struct sock_name) { handshake_get_uint(in + AT_FROM_JOB, 8), (int) from };
    h->to = (struct sock_name) { handshake_get_uint(in + AT_TO_JOB, 8), (int) to };
    memcpy(h->nonce, in + AT_NONCE, SOCK_NONCE);
    put_compatibility(expected);
    h->compatible = !memcmp(in + AT_VERSION, expected + AT_VERSION, 2)
                    && !memcmp(in + AT_ABI, expected + AT_ABI, AT_FROM - AT_ABI);
    return 0;
}

enum { LABEL = 32, TEXT = LABEL + 2 * SOCK_HELLO };

/* The input of the MAC. Every part has a fixed length, so that different inputs give different
 * texts. */
static void text_of(enum sock_role role, const struct sock_transcript *transcript,
                    unsigned char text[TEXT])
{
    static const char label[] = "Starling sockets handshake ";

    memset(text, 0, TEXT);
    memcpy(text, label, sizeof label);
    text[LABEL - 1] = (unsigned char) role;
    memcpy(text + LABEL, transcript->dialer, SOCK_HELLO);
    memcpy(text + LABEL + SOCK_HELLO, transcript->acceptor, SOCK_HELLO);
}

void sock_proof_make(const unsigned char secret[DEV_SECRET], enum sock_role role,
                     const struct sock_transcript *transcript, unsigned char mac[SOCK_MAC])
{
    unsigned char text[TEXT];

    text_of(role, transcript, text);
    (void) os_sodium.auth(mac, text, sizeof text, secret); /* cannot fail */
}

bool sock_proof_is_valid(const unsigned char secret[DEV_SECRET], enum sock_role role,
                         const struct sock_transcript *transcript,
                         const unsigned char mac[SOCK_MAC])
{
    unsigned char text[TEXT];

    text_of(role, transcript, text);
    return os_sodium.verify(mac, text, sizeof text, secret) == 0;
}

void sock_result_write(enum sock_result answer, unsigned char out[SOCK_RESULT])
{
    memset(out, 0, SOCK_RESULT);
    memcpy(out, result_magic, sizeof result_magic);
    out[4] = (unsigned char) answer;
}

int sock_result_parse(const unsigned char in[SOCK_RESULT])
{
    if (memcmp(in, result_magic, sizeof result_magic) || in[4] < SOCK_ACCEPTED
        || in[4] > SOCK_INCOMPATIBLE || in[5] || in[6] || in[7])
        return -EPROTO;
    return in[4];
}
