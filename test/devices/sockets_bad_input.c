/* sockets_bad_input.c — strangers at the door of the sockets device. Ranks 0 and 1 talk all the
 * time and must never notice; rank 2 has a device too, but plays the stranger with bare sockets. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "rig.h"
#include "sockets_impl.h"
#include "traffic.h"

enum { PING = 0, PHASE = 1, FDS = 2, OVER = 3, CROWD = 1000, PATIENCE_S = 5 };

static const struct sock_auth insider = { .secret = NULL, .job = "rig" };

static struct sock_auth right(void)
{
    struct sock_auth a = insider;

    a.secret = rig.env.secret;
    return a;
}

/* ---- a bare client ---- */

static int call_port(uint16_t port)
{
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct timeval patience = { .tv_sec = PATIENCE_S };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(fd >= 0);
    CHECK(!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience));
    CHECK(!connect(fd, (struct sockaddr *) &a, sizeof a));
    return fd;
}

static int call(void)
{
    struct sock_card c;

    CHECK(!sock_card_parse(rig.shared->card[0], &c));
    return call_port(c.port);
}

static void say(int fd, const void *data, size_t len)
{
    ssize_t n = send(fd, data, len, MSG_NOSIGNAL);

    CHECK(n == (ssize_t) len || (n < 0 && (errno == EPIPE || errno == ECONNRESET)));
}

static bool hear(int fd, void *data, size_t len)
{
    for (size_t got = 0; got < len;) {
        ssize_t n = recv(fd, (char *) data + got, len - got, 0);
        if (n <= 0)
            return false;
        got += (size_t) n;
    }
    return true;
}

/* The victim must close, and say nothing more. */
static void expect_end(int fd)
{
    char byte;
    ssize_t n = recv(fd, &byte, 1, 0);

    CHECK(n == 0 || (n < 0 && errno == ECONNRESET));
    (void) close(fd);
}

static void hello(struct sock_talk *t, enum sock_role role, int from, int to)
{
    struct sock_hello h = { .role = role, .from = from, .to = to };

    CHECK(!os_random(h.nonce, sizeof h.nonce));
    sock_hello_write(&h, role == SOCK_DIALER ? t->dialer : t->acceptor);
}

/* Says hello as rank `from` and hears the answer. */
static int greet(struct sock_talk *t, int from, unsigned char mac[SOCK_MAC])
{
    int fd = call();

    hello(t, SOCK_DIALER, from, 0);
    say(fd, t->dialer, SOCK_HELLO);
    CHECK(hear(fd, t->acceptor, SOCK_HELLO) && hear(fd, mac, SOCK_MAC));
    return fd;
}

/* ---- phases ---- */

static void garbage(void)
{
    unsigned char noise[300];

    for (int i = 0; i < 100; i++) {
        int fd = call();
        CHECK(!os_random(noise, sizeof noise));
        say(fd, noise, 1 + (size_t) (i * 3) % sizeof noise);
        if (noise[0] != 'S')
            expect_end(fd);
        else
            (void) close(fd);
    }
    int fd = call();
    say(fd, "GET / HTTP/1.1\r\n\r\n", 18);
    expect_end(fd);
}

static void bad_hellos(void)
{
    struct sock_talk t;
    int fd;

    static const int ranks[][2] = { { 0, 0 }, { 1, 1 }, { 1, 2 }, { -1, 0 }, { 1, -1 } };
    for (int i = 0; i < 5; i++) {
        hello(&t, SOCK_DIALER, ranks[i][0], ranks[i][1]);
        say(fd = call(), t.dialer, SOCK_HELLO);
        expect_end(fd);
    }
    hello(&t, SOCK_ACCEPTOR, 1, 0); /* the wrong role */
    say(fd = call(), t.acceptor, SOCK_HELLO);
    expect_end(fd);
    hello(&t, SOCK_DIALER, 1, 0);
    t.dialer[10] = 9; /* no role at all */
    say(fd = call(), t.dialer, SOCK_HELLO);
    expect_end(fd);
}

static void wrong_proofs(void)
{
    static const unsigned char zeros[DEV_SECRET];
    struct sock_talk t, other;
    unsigned char theirs[SOCK_MAC], mac[SOCK_MAC];
    struct sock_auth a = right();

    int fd = greet(&t, 1, theirs);
    CHECK(sock_proven(&a, SOCK_ACCEPTOR, &t, theirs));
    CHECK(!sock_proven(&a, SOCK_DIALER, &t, theirs));
    CHECK(!os_random(mac, sizeof mac));
    say(fd, mac, sizeof mac);
    expect_end(fd);

    say(fd = greet(&t, 1, theirs), theirs, SOCK_MAC); /* its own proof, reflected */
    expect_end(fd);

    fd = greet(&t, 1, theirs);
    a.secret = zeros;
    sock_prove(&a, SOCK_DIALER, &t, mac);
    say(fd, mac, sizeof mac);
    expect_end(fd);

    fd = greet(&t, 1, theirs);
    a = right();
    a.job = "another job";
    sock_prove(&a, SOCK_DIALER, &t, mac);
    say(fd, mac, sizeof mac);
    expect_end(fd);

    fd = greet(&t, 1, theirs); /* the proof of another rank */
    other = t;
    hello(&other, SOCK_DIALER, 2, 0);
    a = right();
    sock_prove(&a, SOCK_DIALER, &other, mac);
    say(fd, mac, sizeof mac);
    expect_end(fd);

    fd = greet(&t, 77, theirs); /* right in all but that there is no such rank */
    sock_prove(&a, SOCK_DIALER, &t, mac);
    say(fd, mac, sizeof mac);
    expect_end(fd);
}

/* A genuine conversation of rank 2, then the same words again. */
static void replay(void)
{
    struct sock_talk t, again;
    struct dev_pkt bye = { .payload = UINT64_MAX, .flags = DEV_PLAIN };
    unsigned char mac[SOCK_MAC], theirs[SOCK_MAC], verdict[SOCK_VERDICT];
    const struct sock_auth a = right();
    int fd = greet(&t, 2, theirs);

    CHECK(sock_proven(&a, SOCK_ACCEPTOR, &t, theirs));
    sock_prove(&a, SOCK_DIALER, &t, mac);
    say(fd, mac, sizeof mac);
    CHECK(hear(fd, verdict, sizeof verdict) && sock_verdict_parse(verdict) == SOCK_WELCOME);
    say(fd, &bye, SOCK_PLAIN);
    CHECK(hear(fd, &bye, SOCK_PLAIN) && bye.payload == UINT64_MAX); /* it ended in order */
    expect_end(fd);

    fd = call();
    say(fd, t.dialer, SOCK_HELLO);
    CHECK(hear(fd, again.acceptor, SOCK_HELLO) && hear(fd, theirs, SOCK_MAC));
    CHECK(memcmp(again.acceptor, t.acceptor, SOCK_HELLO) != 0);
    say(fd, mac, sizeof mac);
    expect_end(fd);
}

/* A second connection of a rank that has one must not disturb the first. */
static void impostor(void)
{
    struct sock_talk t;
    unsigned char mac[SOCK_MAC], theirs[SOCK_MAC], verdict[SOCK_VERDICT];
    const struct sock_auth a = right();
    int fd = greet(&t, 1, theirs);

    sock_prove(&a, SOCK_DIALER, &t, mac);
    say(fd, mac, sizeof mac);
    CHECK(hear(fd, verdict, sizeof verdict) && sock_verdict_parse(verdict) == SOCK_DUPLICATE);
    expect_end(fd);
}

static void early_ends(void)
{
    struct sock_talk t;
    struct linger rst = { .l_onoff = 1 };

    hello(&t, SOCK_DIALER, 1, 0);
    for (size_t i = 0; i <= SOCK_HELLO; i++) {
        int fd = call();
        if (i)
            say(fd, t.dialer, i);
        if (i % 2)
            CHECK(!setsockopt(fd, SOL_SOCKET, SO_LINGER, &rst, sizeof rst));
        (void) close(fd);
    }
}

static void slowly(void)
{
    struct sock_talk t;
    int fd[30];

    hello(&t, SOCK_DIALER, 1, 0);
    for (int i = 0; i < 30; i++)
        fd[i] = call();
    for (int byte = 0; byte < 20; byte++) {
        for (int i = 0; i < 30; i++)
            say(fd[i], t.dialer + byte, 1);
        os_sleep_ns(5000000);
    }
    for (int i = 0; i < 30; i++)
        (void) close(fd[i]);
}

/* Never more descriptors than for the strangers that are allowed. */
static void crowd(void)
{
    static int fd[CROWD];

    for (int i = 0; i < CROWD; i++)
        fd[i] = call();
    for (int i = 0; i < 50; i++) {
        os_sleep_ns(1000000);
        CHECK(atomic_load(&rig.shared->flag[FDS]) < 64 + 3 + 40);
    }
    for (int i = 0; i < CROWD; i++)
        (void) close(fd[i]);
}

/* ---- the crew ---- */

static int open_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    CHECK(d);
    while (readdir(d))
        n++;
    (void) closedir(d);
    return n;
}

static void talk(void)
{
    uint32_t round = 0;
    bool over = false;

    while (!over) {
        if (rig.rank == 0) {
            over = atomic_load(&rig.shared->flag[OVER]);
            traffic_send(1, over ? 1 : 100, INJECT);
            RIG_WAIT(traffic_got(1) == round + 1);
            atomic_fetch_add(&rig.shared->flag[PING], 1);
            if (round % 16 == 0)
                atomic_store(&rig.shared->flag[FDS], open_descriptors());
        } else {
            RIG_WAIT(traffic_got(0) == round + 1);
            traffic_send(0, 5000, INJECT);
            over = traffic_last_size() == 1;
        }
        round++;
    }
}

static void siege(void)
{
    static void (*const phase[])(void) = { garbage,  bad_hellos, wrong_proofs, replay,
                                           impostor, early_ends, slowly,       crowd };

    if (rig.rank < 2) {
        talk();
    } else {
        for (size_t i = 0; i < sizeof phase / sizeof *phase; i++) {
            phase[i]();
            int before = atomic_load(&rig.shared->flag[PING]);
            for (int ms = 0; atomic_load(&rig.shared->flag[PING]) < before + 10; ms++) {
                CHECK(ms < 5000);
                os_sleep_ns(1000000);
            }
        }
        atomic_store(&rig.shared->flag[OVER], 1);
    }
    rig_barrier();
}

/* ---- peers that speak another dialect, prove it, and are refused by name ---- */

static void foreign_dialer(void)
{
    struct sock_talk t;
    unsigned char mac[SOCK_MAC], verdict[SOCK_VERDICT];
    const struct sock_auth a = right();

    traffic_expect_loss = true;
    if (rig.rank == 0) {
        RIG_WAIT(traffic_lost(1));
        CHECK(traffic_lost_error(1) == -EPROTONOSUPPORT);
    } else {
        int fd = call();
        hello(&t, SOCK_DIALER, 1, 0);
        t.dialer[8]++; /* a later version */
        say(fd, t.dialer, SOCK_HELLO);
        CHECK(hear(fd, t.acceptor, SOCK_HELLO) && hear(fd, mac, SOCK_MAC));
        CHECK(sock_proven(&a, SOCK_ACCEPTOR, &t, mac));
        sock_prove(&a, SOCK_DIALER, &t, mac);
        say(fd, mac, sizeof mac);
        CHECK(hear(fd, verdict, sizeof verdict) && verdict[4] == SOCK_INCOMPATIBLE);
        expect_end(fd);
    }
    rig_barrier();
}

static int listen_any(uint16_t *port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(fd >= 0 && !bind(fd, (struct sockaddr *) &a, len) && !listen(fd, 16));
    CHECK(!getsockname(fd, (struct sockaddr *) &a, &len));
    *port = ntohs(a.sin_port);
    return fd;
}

/* Rank 0 is given the card of an answering machine instead of rank 1's. */
static void misdirect(uint16_t port, char card[DEV_CARD_MAX])
{
    struct sock_card c;

    CHECK(!sock_card_parse(rig.shared->card[1], &c));
    c.port = port;
    sock_card_write(&c, card);
}

static int pick_up(int listener, struct sock_talk *t)
{
    int fd = accept(listener, NULL, NULL);

    CHECK(fd >= 0);
    CHECK(hear(fd, t->dialer, SOCK_HELLO));
    return fd;
}

static void foreign_acceptor(void)
{
    static char card[DEV_CARD_MAX];
    struct sock_talk t;
    unsigned char mac[SOCK_MAC];
    const struct sock_auth a = right();

    traffic_expect_loss = true;
    if (rig.rank == 0) {
        while (!atomic_load(&rig.shared->flag[0]))
            os_yield();
        misdirect((uint16_t) atomic_load(&rig.shared->flag[0]), card);
        rig.peer[1].card = card;
        traffic_send(1, 10, SEND);
        RIG_WAIT(traffic_lost(1));
        CHECK(traffic_lost_error(1) == -EPROTONOSUPPORT && traffic_failed() == 1);
    } else {
        uint16_t port;
        int listener = listen_any(&port);
        atomic_store(&rig.shared->flag[0], port);
        int fd = pick_up(listener, &t);
        hello(&t, SOCK_ACCEPTOR, 1, 0);
        for (int i = 0; i < 2; i++) { /* the other byte order */
            unsigned char byte = t.acceptor[12 + i];
            t.acceptor[12 + i] = t.acceptor[15 - i];
            t.acceptor[15 - i] = byte;
        }
        sock_prove(&a, SOCK_ACCEPTOR, &t, mac);
        say(fd, t.acceptor, SOCK_HELLO);
        say(fd, mac, sizeof mac);
        CHECK(hear(fd, mac, sizeof mac) && sock_proven(&a, SOCK_DIALER, &t, mac));
        expect_end(fd);
        (void) close(listener);
    }
    rig_barrier();
}

/* Whoever answers at a peer's address without the secret gets no packet; in the end the real one
 * answers and everything arrives. */
static void false_friends(void)
{
    static char card[DEV_CARD_MAX];
    struct sock_talk t;
    unsigned char mac[SOCK_MAC], noise[SOCK_HELLO + SOCK_MAC];

    if (rig.rank == 0) {
        while (!atomic_load(&rig.shared->flag[0]))
            os_yield();
        misdirect((uint16_t) atomic_load(&rig.shared->flag[0]), card);
        rig.peer[1].card = card;
        traffic_send(1, 10, SEND);
        traffic_send(1, 10, INJECT);
    } else {
        uint16_t port;
        int fd, listener = listen_any(&port);
        atomic_store(&rig.shared->flag[0], port);
        CHECK(!os_random(noise, sizeof noise));
        say(fd = pick_up(listener, &t), noise, sizeof noise);
        expect_end(fd);
        fd = pick_up(listener, &t); /* its own words */
        say(fd, t.dialer, SOCK_HELLO);
        expect_end(fd);
        fd = pick_up(listener, &t); /* all but the proof */
        hello(&t, SOCK_ACCEPTOR, 1, 0);
        say(fd, t.acceptor, SOCK_HELLO);
        CHECK(!os_random(mac, sizeof mac));
        say(fd, mac, sizeof mac);
        expect_end(fd);
        fd = pick_up(listener, &t); /* hangs up */
        (void) close(fd);
        (void) close(listener);
        traffic_send(0, 10, SEND); /* the real one calls */
    }
    RIG_WAIT(traffic_got(1 - rig.rank) == (rig.rank ? 2 : 1));
    RIG_WAIT(!traffic_pending());
    rig_barrier();
}

int main(void)
{
    static const struct rig_plan plans[] = {
        { .name = "siege", .size = 3, .run = siege },
        { .name = "foreign_dialer", .size = 2, .run = foreign_dialer },
        { .name = "foreign_acceptor", .size = 2, .run = foreign_acceptor },
        { .name = "false_friends", .size = 2, .run = false_friends },
    };
    int bad = 0;

    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        bad += !rig_run(rig_device("sockets"), &plans[i]);
    return bad != 0;
}
