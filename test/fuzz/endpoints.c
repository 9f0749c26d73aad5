/* endpoints.c — endpoint addresses and the messages of the sockets handshake. */
#include "fuzz.h"
#include "devices/sockets/sock_impl.h"

extern const struct dev_ops dev_shm;

/* What was parsed is written again, and parsed to the same values. */
static void endpoint(char *text)
{
    struct sock_endpoint endpoint, again;
    char written[DEV_ENDPOINT_MAX];
    const struct dev_node node = { .count = 1 };
    const struct dev_peer peer = { .node = &node, .endpoint = text };

    (void) dev_shm.cost(&peer);
    if (sock_endpoint_parse(text, &endpoint))
        return;
    sock_endpoint_write(&endpoint, written);
    MUST(strlen(written) < DEV_ENDPOINT_MAX && !sock_endpoint_parse(written, &again));
    MUST(again.host == endpoint.host && again.net == endpoint.net && again.port == endpoint.port);
    MUST(again.count <= endpoint.count);
}

static void hello(const uint8_t *bytes)
{
    struct sock_hello h;
    unsigned char in[SOCK_HELLO], again[SOCK_HELLO];

    memcpy(in, bytes, sizeof in);
    if (sock_hello_parse(in, &h))
        return;
    MUST(h.from.rank >= 0 && h.to.rank >= 0 && (h.role == SOCK_DIALER || h.role == SOCK_ACCEPTOR));
    sock_hello_write(&h, again);
    if (h.compatible)
        MUST(!memcmp(in + 8, again + 8, 20) && !memcmp(in + 32, again + 32, 16));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };

    if (len >= SOCK_HELLO)
        hello(data);
    if (len >= SOCK_RESULT) {
        unsigned char result[SOCK_RESULT];
        memcpy(result, data, sizeof result);
        int v = sock_result_parse(result);
        MUST(v == -EPROTO || (v >= SOCK_ACCEPTED && v <= SOCK_INCOMPATIBLE));
    }
    char *text = feed_text(&f);
    endpoint(text);
    free(text);
    return 0;
}
