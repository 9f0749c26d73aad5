/* sockets.c — the device for TCP, which reaches every host: its table, opening and closing,
 * poll. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/counter.h"
#include "platform/setting.h"
#include "platform/sodium.h"
#include "devices/sockets/sock_impl.h"

extern const struct dev_ops dev_sockets;

static const struct setting settings[] = {
    { "SOCKETS_INTERFACE", SETTING_STRING, &sock_interface, "",
      "Interface (eth0), address or network (10.1.0.0/16) that peers connect to; empty: all." },
    { "SOCKETS_EAGER_MAX", SETTING_SIZE, &sock_eager_max, "63k",
      "Largest message sent without asking the receiver first, bytes." },
    { "SOCKETS_BUFFER", SETTING_SIZE, &sock_socket_buffer, "0",
      "Size of the kernel's buffers of each connection, bytes; 0: the kernel chooses." },
    { .name = NULL }
};

static const struct counter counters[] = {
    COUNTER_ROW("sockets_connections", COUNTER_LEVEL, sock_dev.count[CONN_UP], "connections",
                "How many processes are connected to this one by TCP."),
    COUNTER_ROW("sockets_full_connections", COUNTER_LEVEL, sock_dev.blocked, "connections",
                "How many of these have no room for what this process has to write."),
    COUNTER_ROW("sockets_dialed_peers", COUNTER_LEVEL, sock_dev.dials, "processes",
                "How many processes this one is connecting to."),
    { .name = NULL }
};

enum { COST = 50, EVENTS = 64, HEAD_ROOM = 64, TURN = 16, HOT_NS = 200000 };
enum { LOOK_NS = 2000, SKIP = 32, FAST_NS = 1000, LISTEN_NS = 100000 };

static int tcp_limits(struct dev_limits *out)
{
    *out = (struct dev_limits) { .inject_max = SOCK_INJECT, .eager_max = sock_eager_max };
    return 0;
}

static void close_sockets(void);

/* Whether every possible peer is on this node. */
static bool is_alone(const struct dev_env *env)
{
    return env->node->count == env->job->size && !env->beyond;
}

/* Listens, and writes the endpoint of this process. That of a job on one node needs no
 * addresses. */
static int listen_at(bool loopback, char text[DEV_ENDPOINT_MAX])
{
    const struct dev_env *env = sock_dev.env;
    struct sock_endpoint endpoint = { .host = sock_dev.host, .net = sock_dev.net };
    int n = loopback ? 0 : os_ifaces(sock_interface, sock_dev.iface, SOCK_ADDRS);

    if (n < 0)
        return n;
    if (!n && env->node->count < env->job->size)
        return -EADDRNOTAVAIL;
    int rc = sock_listen(loopback, &endpoint);
    if (rc)
        return rc;
    sock_dev.wide = !loopback;
    sock_dev.ifaces = endpoint.count = n;
    for (int i = 0; i < n; i++)
        endpoint.addr[i] = sock_dev.iface[i].addr;
    sock_endpoint_write(&endpoint, text);
    return 0;
}

static int open_all(const struct dev_env *env, char text[DEV_ENDPOINT_MAX])
{
    int rc = os_sodium_open();

    if (rc)
        return rc;
    if (!(sock_dev.buffer = malloc(HEAD_ROOM + SOCK_BUFFER)))
        return -ENOMEM;
    sock_dev.buffer += HEAD_ROOM;
    sock_dev.host = sock_host_id();
    sock_dev.net = sock_net_id();
    if ((sock_dev.epoll = os_epoll()) < 0)
        return sock_dev.epoll;
    return listen_at(is_alone(env), text);
}

/* The first listener stays: processes of the own job know its endpoint. */
static int tcp_widen(char endpoint[DEV_ENDPOINT_MAX])
{
    return sock_dev.wide ? 0 : listen_at(false, endpoint);
}

static int open_sockets(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX])
{
    sock_dev = (struct sock_device) { .env = env, .epoll = -1, .spare = -1 };
    int rc = open_all(env, endpoint);

    if (rc)
        close_sockets();
    return rc;
}

static int tcp_peer_cost(const struct dev_peer *peer)
{
    struct sock_endpoint endpoint;

    bool self = peer->job == sock_dev.env->job && peer->rank == sock_dev.env->rank;

    if (self || !peer->endpoint || sock_endpoint_parse(peer->endpoint, &endpoint))
        return -1;
    return COST;
}

static void conn_handle_event(struct conn *c)
{
    switch (c->state) {
    case CONN_LISTENER:
        sock_accept(c);
        break;
    case CONN_PROBING:
        sock_dial_probed(c);
        break;
    case CONN_CONNECTING:
    case CONN_HELLO_SENT:
    case CONN_PROOF_SENT:
    case CONN_UNAUTHENTICATED:
    case CONN_PROOF_AWAITED:
        sock_handshake_step(c);
        break;
    case CONN_UP:
        if (c->blocked)
            (void) sock_flush(c->peer);
        if (c->state == CONN_UP)
            (void) sock_receive(c);
        break;
    case CONN_CLOSING:
        sock_send_close_more(c);
        sock_await_close(c);
        break;
    case CONN_DEAD:
        break;
    }
}

static bool handle_events(int timeout_ms)
{
    void *ready[EVENTS];
    int n = os_epoll_wait(sock_dev.epoll, ready, EVENTS, timeout_ms);

    for (int i = 0; i < n; i++)
        conn_handle_event(ready[i]);
    return n > 0;
}

static void update_hot(uint64_t now)
{
    if (sock_dev.received)
        sock_dev.hot_since = now;
    else if (now - sock_dev.hot_since > HOT_NS)
        sock_dev.hot = NULL;
    sock_dev.received = false;
}

/* While no connection is active and polls follow each other fast, most of them are skipped: they
 * wait for a message of another device, which looks at the clock delay. */
static void update_skip(uint64_t now)
{
    bool fast = now - sock_dev.last_clock < FAST_NS;

    sock_dev.skipped = fast ? (2 * sock_dev.skipped + 1) % SKIP : 0;
    sock_dev.skip = sock_dev.hot || sock_dev.blocked ? 0 : sock_dev.skipped;
    sock_dev.last_clock = now;
}

/* The time between two looks at the descriptors: longer while only listeners are among them. */
static uint64_t look_interval(void)
{
    int state = CONN_LISTENER + 1;

    while (state < CONN_DEAD && !sock_dev.count[state])
        state++;
    return state < CONN_DEAD ? LOOK_NS : LISTEN_NS;
}

/* Reading the connection that received last is cheap and is done in every call while it is
 * active. A look at all descriptors is a system call, made only every few microseconds. */
static bool poll_sockets(void)
{
    if (sock_dev.skip) {
        sock_dev.skip--;
        return false;
    }
    bool moved = sock_dev.hot && sock_receive(sock_dev.hot);

    if (!moved || ++sock_dev.turn % TURN == 0) {
        uint64_t now = os_time_ns();
        if (sock_dev.blocked || now - sock_dev.last_look >= look_interval()) {
            sock_dev.last_look = now;
            moved |= handle_events(0);
            update_hot(now);
        }
        if (now >= sock_dev.next_tick)
            sock_tick(now);
        update_skip(now);
    }
    if (sock_dev.dead)
        sock_conn_reap();
    return moved;
}

/* Valid also without peers: a process that has not been added as a peer may connect. */
static int wait_fd(void)
{
    sock_dev.skip = 0; /* the caller may sleep: its next poll comes late */
    return sock_dev.epoll;
}

/* All messages are sent and received, so the peers close at about the same time: waits for their
 * close packets. */
static void await_closing(void)
{
    uint64_t end = os_time_ns() + sock_ms(SOCK_CLOSE_MS);

    while (sock_dev.count[CONN_CLOSING] && os_time_ns() < end)
        (void) handle_events(10);
}

/* Closes those that would still bring packets: a handshake may be under way with a process that has
 * not been added as a peer. */
/* A connection whose other end has said that it is of this job may be in the handshake still. */
static void forget_job(const struct dev_job *job)
{
    for (struct conn *c = sock_dev.conns, *next; c; c = next) {
        next = c->next;
        if (c->state == CONN_PROOF_AWAITED && c->claimed_job == job)
            sock_conn_close(c);
    }
}

static void close_handshakes(void)
{
    for (struct conn *c = sock_dev.conns, *next; c; c = next) {
        next = c->next;
        if (c->state != CONN_CLOSING)
            sock_conn_close(c);
    }
}

static void close_sockets(void)
{
    if (sock_dev.epoll < 0 && !sock_dev.buffer)
        return;
    for (int i = 0; i < sock_dev.listeners; i++) {
        sock_conn_close(sock_dev.listener[i]);
        (void) close(sock_dev.probe[i]);
    }
    while (sock_dev.peers)
        sock_del_peer(sock_dev.peers->peer);
    close_handshakes();
    await_closing();
    while (sock_dev.conns)
        sock_conn_close(sock_dev.conns);
    sock_conn_reap();
    if (sock_dev.spare >= 0)
        (void) close(sock_dev.spare);
    if (sock_dev.epoll >= 0)
        (void) close(sock_dev.epoll);
    if (sock_dev.buffer)
        free(sock_dev.buffer - HEAD_ROOM);
    sock_dev = (struct sock_device) { .epoll = -1, .spare = -1 };
}

const struct dev_ops dev_sockets = {
    .name = "sockets",
    .abi = DEV_ABI,
    .settings = settings,
    .counters = counters,
    .query = tcp_limits,
    .open = open_sockets,
    .widen = tcp_widen,
    .close = close_sockets,
    .cost = tcp_peer_cost,
    .add_peer = sock_add_peer,
    .del_peer = sock_del_peer,
    .forget_peer = sock_del_peer,
    .forget_job = forget_job,
    .inject = sock_inject,
    .send = sock_send,
    .poll = poll_sockets,
    .wait_fd = wait_fd,
    .watch = sock_watch,
    .describe = sock_describe,
};
