/* port.c — names of ports are read as they were written, however many addresses there are; both
 * ends of a connection prove the key, and without libsodium only processes of one user are
 * connected. A wait wakes up for its caller's descriptor. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include "adi3/connect/connect.h"
#include "adi3/port/port_impl.h"
#include "fake.h"
#include "platform/sodium.h"

static bool no_library;

int __real_os_sodium_open(void);
int __wrap_os_sodium_open(void);
int __wrap_os_sodium_open(void) { return no_library ? -ELIBACC : __real_os_sodium_open(); }

/* ---- names ----------------------------------------------------------------------------------- */

static struct port_name name_with(int v4, int v6)
{
    struct port_name n = { .key = { 1, [31] = 2 }, .local = 0x914e, .ip_port = 65535 };

    for (int i = 0; i < v4 + v6; i++)
        n.address[n.count++] = (struct os_ip) { .v6 = i >= v4, .ip = { 10, [3] = (uint8_t) i } };
    return n;
}

static void names(void **state)
{
    (void) state;
    char text[MPI_MAX_PORT_NAME], label[MPI_MAX_PORT_NAME];
    struct port_name in, out;

    for (int v4 = 0; v4 <= PORT_ADDRESSES; v4++)
        for (int v6 = 0; v4 + v6 <= PORT_ADDRESSES; v6++) {
            in = name_with(v4, v6);
            port_name_write(&in, text);
            assert_true(strlen(text) < MPI_MAX_PORT_NAME && !strchr(text, ' '));
            assert_int_equal(port_name_parse(text, &out), MPI_SUCCESS);
            assert_true(out.count == in.count || (out.count >= 4 && out.count < in.count));
            memset(&in.address[out.count], 0,
                   (size_t) (PORT_ADDRESSES - out.count) * sizeof in.address[0]);
            in.count = out.count;
            assert_memory_equal(&in, &out, sizeof in);
        }
    in = name_with(1, 0);
    assert_string_equal(port_label(&in, label), "starling1-*-914e-ffff-0a000000");
}

/* ---- proofs ---------------------------------------------------------------------------------- */

static const unsigned char key[ADI3_KEY] = { 5 }, other_key[ADI3_KEY] = { 6 };

struct ends {
    struct port_conn dialer, acceptor;
    int errors[2];
};

static struct ends ends_make(bool local)
{
    struct ends e = { .dialer.state = PORT_CONNECTING, .acceptor.state = PORT_NEW };
    int fd[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
    e.dialer.fd = fd[0];
    e.acceptor.fd = fd[1];
    e.dialer.local = e.acceptor.local = local;
    return e;
}

static void ends_step(struct ends *e, const unsigned char *dialers, const unsigned char *acceptors)
{
    if (!e->errors[0])
        e->errors[0] = port_handshake(&e->dialer, dialers);
    if (!e->errors[1])
        e->errors[1] = port_handshake(&e->acceptor, acceptors);
}

static void ends_close(struct ends *e)
{
    port_conn_close(&e->dialer);
    port_conn_close(&e->acceptor);
}

static void meets(bool local)
{
    struct ends e = ends_make(local);

    for (int i = 0; i < 3; i++)
        ends_step(&e, key, key);
    assert_int_equal(e.dialer.state, PORT_PROVEN);
    assert_int_equal(e.acceptor.state, PORT_AWAITS_CLIENT);
    assert_int_equal(port_handshake_prove(&e.dialer, key), 0);
    ends_step(&e, key, key);
    assert_int_equal(e.acceptor.state, PORT_QUEUED);
    assert_int_equal(port_handshake_call(&e.acceptor), 0);
    ends_step(&e, key, key);
    assert_int_equal(e.dialer.state, PORT_CONNECTED);
    assert_int_equal(e.acceptor.state, PORT_CONNECTED);
    assert_true(!e.errors[0] && !e.errors[1]);
    ends_close(&e);
}

static void proofs(void **state)
{
    (void) state;
    struct ends e = ends_make(false), wrong = ends_make(true);

    meets(true);
    meets(false);
    for (int i = 0; i < 3; i++)
        ends_step(&wrong, key, other_key);
    assert_int_equal(wrong.errors[0], -EACCES);
    ends_close(&wrong);
    for (int i = 0; i < 3; i++)
        ends_step(&e, key, key);
    assert_int_equal(port_handshake_prove(&e.dialer, other_key), 0);
    ends_step(&e, key, key);
    assert_int_equal(e.errors[1], -EACCES);
    ends_close(&e);
}

/* It has gone while it was queued, or says what it may not. */
static void queued(void **state)
{
    (void) state;

    for (int says = 0; says < 2; says++) {
        struct ends e = ends_make(true);
        for (int i = 0; i < 3; i++)
            ends_step(&e, key, key);
        assert_int_equal(port_handshake_prove(&e.dialer, key), 0);
        ends_step(&e, key, key);
        assert_int_equal(e.acceptor.state, PORT_QUEUED);
        if (says)
            assert_int_equal(send(e.dialer.fd, "?", 1, 0), 1);
        else
            port_conn_close(&e.dialer);
        assert_int_equal(port_handshake_call(&e.acceptor), says ? -EPROTO : -ECONNRESET);
        ends_close(&e);
    }
}

static void set_library(bool there)
{
    connected_finalize();
    no_library = !there;
}

static void without_library(void **state)
{
    (void) state;
    struct ends remote = ends_make(false), mixed = ends_make(true);

    assert_int_equal(port_handshake(&mixed.dialer, key), 0); /* its hello says that it has keys */
    set_library(false);
    meets(true);
    for (int i = 0; i < 3; i++) {
        ends_step(&remote, key, key);
        ends_step(&mixed, key, key);
    }
    set_library(true);
    assert_int_equal(remote.errors[1], -EACCES);
    assert_int_equal(mixed.errors[0], -ELIBACC);
    assert_int_equal(mixed.errors[1], -ELIBACC);
    ends_close(&remote);
    ends_close(&mixed);
}

/* ---- waiting --------------------------------------------------------------------------------- */

enum { LATER_MS = 200, TICK_MS = 500 };

static int signals[2];

static int look(void *arg)
{
    char byte;

    (*(int *) arg)++;
    return recv(signals[0], &byte, 1, MSG_DONTWAIT) == 1 ? MPI_ERR_SPAWN : MPI_SUCCESS;
}

static void *signal_later(void *unused)
{
    os_sleep_ns(LATER_MS * 1000000ull);
    (void) !send(signals[1], "!", 1, 0);
    return unused;
}

/* A descriptor of the caller wakes both ends up sooner than a sleep ends by itself, and what the
 * caller's function finds there ends the wait. */
static void look_ends(void **state)
{
    (void) state;
    int looks = 0;
    const struct adi3_port_options any = { .ip_port = 0 };
    struct adi3_port_wait w = { .seconds = -1, .look = look, .arg = &looks };
    struct adi3_port_link link = { .fd = -1 };
    char name[MPI_MAX_PORT_NAME];
    struct os_thread thread;

    assert_int_equal(port_init(), MPI_SUCCESS);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, signals), 0);
    w.fd = signals[0];
    assert_int_equal(adi3_port_open(&any, name), MPI_SUCCESS);
    uint64_t begin = os_time_ns();
    assert_int_equal(os_thread_start(&thread, signal_later), 0);
    assert_int_equal(adi3_port_accept(name, &w, &link), MPI_ERR_SPAWN);
    assert_true(os_time_ns() - begin < TICK_MS * 1000000ull && looks > 1);
    os_thread_join(&thread);
    w.look = NULL;
    w.seconds = 0;
    assert_int_equal(adi3_port_accept(name, &w, &link) & ADI3_CLASS_MASK, MPI_ERR_PORT);
    assert_int_equal(adi3_port_connect(name, &w, &link) & ADI3_CLASS_MASK, MPI_ERR_PORT);
    assert_int_equal(adi3_port_close(name), MPI_SUCCESS);
    assert_int_equal(adi3_port_accept(name, &w, &link) & ADI3_CLASS_MASK, MPI_ERR_PORT);
    assert_int_equal(adi3_port_connect(name, &w, &link) & ADI3_CLASS_MASK, MPI_ERR_PORT);
    assert_int_equal(adi3_port_close(name) & ADI3_CLASS_MASK, MPI_ERR_PORT);
    assert_int_equal(link.fd, -1);
    port_finalize();
    (void) close(signals[0]);
    (void) close(signals[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),           cmocka_unit_test(proofs),    cmocka_unit_test(queued),
        cmocka_unit_test(without_library), cmocka_unit_test(look_ends),
    };

    return cmocka_run_group_tests(tests, fake_setup, fake_teardown);
}
