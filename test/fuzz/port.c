/* port.c — names of ports, and what comes from the other end of a connection to a port, at both
 * ends. The peer has the key, and says what it should or what the input has. */
#include <sys/socket.h>
#include <unistd.h>
#include "adi3/port/port_impl.h"
#include "fuzz.h"

enum { NAME = 1, CONNECTS, ACCEPTS };

static const unsigned char key[ADI3_KEY] = { 7 };

/* What was parsed is written again, and parsed to the same values. */
static void parse_name(struct feed *f)
{
    char written[MPI_MAX_PORT_NAME], label[MPI_MAX_PORT_NAME], *text = feed_text(f);
    struct port_name name, again;
    int err = port_name_parse(text, &name);

    free(text);
    if (err)
        return;
    MUST(strlen(port_label(&name, label)) < MPI_MAX_PORT_NAME);
    port_name_write(&name, written);
    MUST(strlen(written) < MPI_MAX_PORT_NAME && !strchr(written, ' '));
    MUST(!port_name_parse(written, &again) && !memcmp(&name, &again, sizeof name));
}

/* What the room does between the messages. */
static int conn_step(struct port_conn *c)
{
    int err = port_handshake(c, key);

    if (!err && c->state == PORT_PROVEN)
        err = port_handshake_prove(c, key);
    if (!err && c->state == PORT_QUEUED)
        err = port_handshake_call(c);
    return err;
}

/* The other end of the process takes its next step, or sends bytes of the input. */
static void peer_talk(struct port_conn *peer, struct feed *f)
{
    size_t len = feed_byte(f);
    const uint8_t *data;

    if (!len) {
        (void) conn_step(peer);
        return;
    }
    len = feed_bytes(f, len, &data);
    (void) !send(peer->fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void talk(struct feed *f, enum port_state state, enum port_state of_peer)
{
    struct port_conn c = { .state = state, .local = feed_byte(f) & 1 },
                     peer = { .state = of_peer, .local = true };
    int ends[2], err = 0;

    MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    c.fd = ends[0];
    peer.fd = ends[1];
    while (!err && f->left) {
        err = conn_step(&c);
        peer_talk(&peer, f);
    }
    if (!err)
        err = conn_step(&c);
    MUST(err <= 0);
    port_conn_close(&peer);
    port_conn_close(&c);
}

static void join(void)
{
    static const char name[] = "STARLING_DEVICES";

    MUST(!setenv(name, "self", 1) && !MPI_Init(NULL, NULL));
    MUST(adi3_has_keys());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static bool joined;
    struct feed f = { data, len };

    if (!joined)
        join();
    joined = true;
    switch (feed_byte(&f)) {
    case NAME:
        parse_name(&f);
        break;
    case CONNECTS:
        talk(&f, PORT_CONNECTING, PORT_NEW);
        break;
    case ACCEPTS:
        talk(&f, PORT_NEW, PORT_CONNECTING);
        break;
    default:
        break;
    }
    return 0;
}
