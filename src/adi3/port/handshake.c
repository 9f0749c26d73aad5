/* handshake.c — the bytes of both ends of a connection, until each has proved to the other that it
 * knows the key of the port, and the turn of the process that connects has come.
 *
 *     the process that connects       the process of the port
 *     hello                    -->
 *                              <--    hello, proof
 *     proof                    -->    it is queued
 *                              <--    CALL: an accept takes it
 *     HERE                     -->    and it has not gone meanwhile
 *
 * A hello has a random nonce and the role of its sender, so that no proof can be used twice or sent
 * back. Where neither end has libsodium proofs are empty: then there are local sockets alone,
 * and the kernel says that both ends are of one user. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "adi3/port/port_impl.h"

enum { MAGIC = 8, AT_VERSION = MAGIC, AT_ROLE, AT_KEYS, AT_NONCE = 16, CALL = 'C', HERE = 'H' };
enum role { DIALER = 1, ACCEPTOR = 2 };

_Static_assert((int) AT_NONCE + (int) ADI3_KEY == (int) PORT_HELLO, "a hello ends with its nonce");

static const unsigned char magic[MAGIC] = "StarPort";

static int hello_make(unsigned char hello[PORT_HELLO], enum role role)
{
    memset(hello, 0, PORT_HELLO);
    memcpy(hello, magic, MAGIC);
    hello[AT_VERSION] = PORT_VERSION;
    hello[AT_ROLE] = (unsigned char) role;
    hello[AT_KEYS] = adi3_has_keys();
    return os_random(hello + AT_NONCE, ADI3_KEY);
}

/* Both ends have keys, or neither: else one could not tell the other from a stranger. */
static int hello_check(const struct port_conn *c, enum role role)
{
    const unsigned char *theirs = c->theirs;

    if (memcmp(theirs, magic, MAGIC) || theirs[AT_VERSION] != PORT_VERSION
        || theirs[AT_ROLE] != (unsigned char) role || theirs[AT_KEYS] > 1)
        return -EPROTO;
    if (theirs[AT_KEYS] != c->ours[AT_KEYS])
        return -ELIBACC;
    return c->ours[AT_KEYS] || c->local ? 0 : -EACCES;
}

static void proof_make(const struct port_conn *c, const unsigned char key[ADI3_KEY],
                       unsigned char proof[ADI3_KEY])
{
    const struct adi3_proof_of of = { key, c->ours, c->theirs, PORT_HELLO };

    memset(proof, 0, ADI3_KEY);
    if (c->ours[AT_KEYS])
        adi3_proof_make(&of, proof);
}

static bool is_proven(const struct port_conn *c, const unsigned char key[ADI3_KEY],
                      const unsigned char proof[ADI3_KEY])
{
    const struct adi3_proof_of of = { key, c->theirs, c->ours, PORT_HELLO };

    return !c->ours[AT_KEYS] || adi3_proof_holds(&of, proof);
}

/* The buffer of the socket has room for all that a handshake sends. */
static int send_message(const struct port_conn *c, const void *data, size_t len)
{
    ssize_t n = os_send_some(c->fd, data, len);

    return n < 0 ? (int) n : n < (ssize_t) len ? -ECONNRESET : 0;
}

/* 1 when the first len bytes of the next message are there, 0: not yet. */
static int receive_message(struct port_conn *c, size_t len)
{
    ssize_t n = os_receive_some(c->fd, c->in + c->in_len, len - c->in_len);

    if (n < 0)
        return (int) n;
    c->in_len += (size_t) n;
    return c->in_len == len;
}

static int next_state(struct port_conn *c, enum port_state state)
{
    c->state = state;
    c->since = os_time_ns();
    c->in_len = 0;
    return 1; /* a step has been taken */
}

int port_same_user(int fd)
{
    struct os_cred cred = { 0, 0 };
    int err = os_peer_cred(fd, &cred);

    if (!err && cred.uid != geteuid())
        err = -EACCES;
    return err;
}

void port_conn_close(struct port_conn *c)
{
    if (c->fd >= 0)
        (void) close(c->fd);
    c->fd = -1;
    c->state = PORT_CLOSED;
}

/* ---- the process that connects --------------------------------------------------------------- */

/* Nothing can be sent before the connection is made, and why it cannot be made is the error. */
static int send_hello(struct port_conn *c)
{
    int err = hello_make(c->ours, DIALER);

    if (err)
        return err;
    ssize_t n = os_send_some(c->fd, c->ours, PORT_HELLO);
    if (n <= 0)
        return (int) n;
    return n == PORT_HELLO ? next_state(c, PORT_AWAITS_PROOF) : -ECONNRESET;
}

/* The hello alone says why there is no proof. */
static int take_proof(struct port_conn *c, const unsigned char key[ADI3_KEY])
{
    int rc = receive_message(c, sizeof c->in);

    if (c->in_len < PORT_HELLO)
        return rc;
    memcpy(c->theirs, c->in, PORT_HELLO);
    int err = hello_check(c, ACCEPTOR);
    if (err)
        return err;
    if (rc <= 0)
        return rc;
    return is_proven(c, key, c->in + PORT_HELLO) ? next_state(c, PORT_PROVEN) : -EACCES;
}

int port_handshake_prove(struct port_conn *c, const unsigned char key[ADI3_KEY])
{
    unsigned char proof[ADI3_KEY];

    proof_make(c, key, proof);
    int err = send_message(c, proof, sizeof proof);
    if (!err)
        (void) next_state(c, PORT_AWAITS_TURN);
    return err;
}

static int take_call(struct port_conn *c)
{
    const unsigned char here = HERE;
    int rc = receive_message(c, 1);

    if (rc <= 0)
        return rc;
    int err = c->in[0] == CALL ? send_message(c, &here, 1) : -EPROTO;
    if (err)
        return err;
    return next_state(c, PORT_CONNECTED);
}

/* ---- the process of the port ----------------------------------------------------------------- */

static int answer_hello(struct port_conn *c, const unsigned char key[ADI3_KEY])
{
    unsigned char out[PORT_HELLO + ADI3_KEY];
    int rc = receive_message(c, PORT_HELLO);

    if (rc <= 0)
        return rc;
    memcpy(c->theirs, c->in, PORT_HELLO);
    int err = hello_make(c->ours, ACCEPTOR);
    if (!err)
        err = hello_check(c, DIALER);
    if (err && err != -ELIBACC)
        return err;
    memcpy(out, c->ours, PORT_HELLO);
    if (!err)
        proof_make(c, key, out + PORT_HELLO);
    int failed = send_message(c, out, err ? (size_t) PORT_HELLO : sizeof out);
    if (!err)
        err = failed;
    if (err)
        return err;
    return next_state(c, PORT_AWAITS_CLIENT);
}

static int take_client_proof(struct port_conn *c, const unsigned char key[ADI3_KEY])
{
    int rc = receive_message(c, ADI3_KEY);

    if (rc <= 0)
        return rc;
    return is_proven(c, key, c->in) ? next_state(c, PORT_QUEUED) : -EACCES;
}

/* It says nothing while it is queued, but that it has gone. */
int port_handshake_call(struct port_conn *c)
{
    const unsigned char call = CALL;
    int rc = receive_message(c, 1);

    if (!rc)
        rc = send_message(c, &call, 1);
    else if (rc > 0)
        rc = -EPROTO;
    if (!rc)
        (void) next_state(c, PORT_CALLED);
    return rc;
}

static int take_here(struct port_conn *c)
{
    int rc = receive_message(c, 1);

    if (rc <= 0)
        return rc;
    return c->in[0] == HERE ? next_state(c, PORT_CONNECTED) : -EPROTO;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* One step: 1 when it has been taken, 0: not yet. */
static int handshake_step(struct port_conn *c, const unsigned char key[ADI3_KEY])
{
    switch (c->state) {
    case PORT_CONNECTING:
        return send_hello(c);
    case PORT_AWAITS_PROOF:
        return take_proof(c, key);
    case PORT_AWAITS_TURN:
        return take_call(c);
    case PORT_NEW:
        return answer_hello(c, key);
    case PORT_AWAITS_CLIENT:
        return take_client_proof(c, key);
    case PORT_CALLED:
        return take_here(c);
    case PORT_CLOSED:
    case PORT_PROVEN:
    case PORT_QUEUED:
    case PORT_CONNECTED:
        return 0;
    }
    return 0;
}

int port_handshake(struct port_conn *c, const unsigned char key[ADI3_KEY])
{
    int rc;

    while ((rc = handshake_step(c, key)) > 0)
        ;
    return rc;
}
