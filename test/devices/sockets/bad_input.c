/* bad_input.c — unauthenticated peers that connect to the sockets device. Ranks 0 and 1
 * exchange messages all the time and must not be disturbed. Rank 2 plays the unauthenticated
 * peer with bare sockets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "bare.h"
#include "held.h"
#include "rig.h"
#include "traffic.h"

enum { PING = 0, FDS = 2, OVER = 3, MANY = 1000 };

/* ---- phases ---- */

static void garbage(void)
{
    unsigned char noise[300];

    for (int i = 0; i < 100; i++) {
        int fd = bare_connect();
        CHECK(!os_random(noise, sizeof noise));
        bare_send(fd, noise, 1 + (size_t) (i * 3) % sizeof noise);
        if (noise[0] != 'S')
            bare_expect_end(fd);
        else
            (void) close(fd);
    }
    int fd = bare_connect();
    bare_send(fd, "GET / HTTP/1.1\r\n\r\n", 18);
    bare_expect_end(fd);
}

static void bad_hellos(void)
{
    struct sock_transcript t;
    int fd;

    static const int ranks[][2] = { { 0, 0 }, { 1, 1 }, { 1, 2 }, { -1, 0 }, { 1, -1 } };
    for (int i = 0; i < 5; i++) {
        bare_hello(&t, SOCK_DIALER, ranks[i][0], ranks[i][1]);
        bare_send(fd = bare_connect(), t.dialer, SOCK_HELLO);
        bare_expect_end(fd);
    }
    bare_hello(&t, SOCK_ACCEPTOR, 1, 0); /* the wrong role */
    bare_send(fd = bare_connect(), t.acceptor, SOCK_HELLO);
    bare_expect_end(fd);
    bare_hello(&t, SOCK_DIALER, 1, 0);
    t.dialer[10] = 9; /* no role at all */
    bare_send(fd = bare_connect(), t.dialer, SOCK_HELLO);
    bare_expect_end(fd);
}

static void wrong_proofs(void)
{
    static const unsigned char zeros[DEV_SECRET];
    struct sock_transcript t, other;
    unsigned char theirs[SOCK_MAC], mac[SOCK_MAC];

    int fd = bare_handshake(&t, 1, theirs);
    CHECK(sock_proof_is_valid(rig.job.secret, SOCK_ACCEPTOR, &t, theirs));
    CHECK(!sock_proof_is_valid(rig.job.secret, SOCK_DIALER, &t, theirs));
    CHECK(!os_random(mac, sizeof mac));
    bare_send(fd, mac, sizeof mac);
    bare_expect_end(fd);

    bare_send(fd = bare_handshake(&t, 1, theirs), theirs, SOCK_MAC); /* its own proof, reflected */
    bare_expect_end(fd);

    fd = bare_handshake(&t, 1, theirs);
    sock_proof_make(zeros, SOCK_DIALER, &t, mac);
    bare_send(fd, mac, sizeof mac);
    bare_expect_end(fd);

    fd = bare_handshake(&t, 1, theirs);
    sock_proof_make(rig.other_job.secret, SOCK_DIALER, &t, mac);
    bare_send(fd, mac, sizeof mac);
    bare_expect_end(fd);

    fd = bare_handshake(&t, 1, theirs); /* the proof of another rank */
    other = t;
    bare_hello(&other, SOCK_DIALER, 2, 0);
    sock_proof_make(rig.job.secret, SOCK_DIALER, &other, mac);
    bare_send(fd, mac, sizeof mac);
    bare_expect_end(fd);

    fd = bare_handshake(&t, 77, theirs); /* right in all but that there is no such rank */
    sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
    bare_send(fd, mac, sizeof mac);
    bare_expect_end(fd);
}

/* A valid handshake of rank 2, then the same bytes again. */
static void replay(void)
{
    struct sock_transcript t, again;
    struct dev_pkt close_pkt = { .payload = UINT64_MAX, .flags = DEV_PLAIN };
    unsigned char mac[SOCK_MAC], theirs[SOCK_MAC], result[SOCK_RESULT];
    int fd = bare_handshake(&t, 2, theirs);

    CHECK(sock_proof_is_valid(rig.job.secret, SOCK_ACCEPTOR, &t, theirs));
    sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
    bare_send(fd, mac, sizeof mac);
    CHECK(bare_receive(fd, result, sizeof result) && sock_result_parse(result) == SOCK_ACCEPTED);
    bare_send(fd, &close_pkt, SOCK_PLAIN);
    CHECK(bare_receive(fd, &close_pkt, SOCK_PLAIN)
          && close_pkt.payload == UINT64_MAX); /* an orderly close */
    bare_expect_end(fd);

    fd = bare_connect();
    bare_send(fd, t.dialer, SOCK_HELLO);
    CHECK(bare_receive(fd, again.acceptor, SOCK_HELLO) && bare_receive(fd, theirs, SOCK_MAC));
    CHECK(memcmp(again.acceptor, t.acceptor, SOCK_HELLO) != 0);
    bare_send(fd, mac, sizeof mac);
    bare_expect_end(fd);
}

/* Processes of other jobs: the job must be known, and the secret is that of the pair of jobs. */
static void other_jobs(void)
{
    const struct sock_name other = { RIG_OTHER_JOB, 0 };
    struct sock_transcript t, ours;
    unsigned char mac[SOCK_MAC], theirs[SOCK_MAC], result[SOCK_RESULT];
    int fd;

    bare_hello_of(&t, SOCK_DIALER, (struct sock_name) { 99, 0 }, 0); /* an unknown job */
    bare_send(fd = bare_connect(), t.dialer, SOCK_HELLO);
    bare_expect_end(fd);
    for (int i = 0; i < 3; i++) {
        bare_hello_of(&t, SOCK_DIALER, other, 0);
        bare_send(fd = bare_connect(), t.dialer, SOCK_HELLO);
        CHECK(bare_receive(fd, t.acceptor, SOCK_HELLO) && bare_receive(fd, theirs, SOCK_MAC));
        CHECK(sock_proof_is_valid(rig.other_job.secret, SOCK_ACCEPTOR, &t, theirs));
        CHECK(!sock_proof_is_valid(rig.job.secret, SOCK_ACCEPTOR, &t, theirs));
        if (i == 0) { /* with the secret of our own job */
            sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
        } else if (i == 1) { /* the proof that belongs to a greeting of our own job */
            ours = t;
            bare_hello(&ours, SOCK_DIALER, 0, 0);
            sock_proof_make(rig.job.secret, SOCK_DIALER, &ours, mac);
        } else {
            sock_proof_make(rig.other_job.secret, SOCK_DIALER, &t, mac);
        }
        bare_send(fd, mac, sizeof mac);
        if (i < 2)
            bare_expect_end(fd);
    }
    struct dev_pkt close_pkt = { .payload = UINT64_MAX, .flags = DEV_PLAIN };
    CHECK(bare_receive(fd, result, sizeof result) && sock_result_parse(result) == SOCK_ACCEPTED);
    bare_send(fd, &close_pkt, SOCK_PLAIN);
    CHECK(bare_receive(fd, &close_pkt, SOCK_PLAIN));
    bare_expect_end(fd);
}

/* A second connection of a rank that has one must not disturb the first. */
static void duplicate(void)
{
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], theirs[SOCK_MAC], result[SOCK_RESULT];
    int fd = bare_handshake(&t, 1, theirs);

    sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
    bare_send(fd, mac, sizeof mac);
    CHECK(bare_receive(fd, result, sizeof result) && sock_result_parse(result) == SOCK_DUPLICATE);
    bare_expect_end(fd);
}

static void early_ends(void)
{
    struct sock_transcript t;
    struct linger rst = { .l_onoff = 1 };

    bare_hello(&t, SOCK_DIALER, 1, 0);
    for (size_t i = 0; i <= SOCK_HELLO; i++) {
        int fd = bare_connect();
        if (i)
            bare_send(fd, t.dialer, i);
        if (i % 2)
            CHECK(!setsockopt(fd, SOL_SOCKET, SO_LINGER, &rst, sizeof rst));
        (void) close(fd);
    }
}

static void slowly(void)
{
    struct sock_transcript t;
    int fd[30];

    bare_hello(&t, SOCK_DIALER, 1, 0);
    for (int i = 0; i < 30; i++)
        fd[i] = bare_connect();
    for (int byte = 0; byte < 20; byte++) {
        for (int i = 0; i < 30; i++)
            bare_send(fd[i], t.dialer + byte, 1);
        os_sleep_ns(5000000);
    }
    for (int i = 0; i < 30; i++)
        (void) close(fd[i]);
}

/* Descriptors are used only for the allowed number of unauthenticated connections. */
static void many_connections(void)
{
    static int fd[MANY];

    for (int i = 0; i < MANY; i++)
        fd[i] = bare_connect();
    for (int i = 0; i < 50; i++) {
        os_sleep_ns(1000000);
        CHECK(atomic_load(&rig.shared->flag[FDS]) < 64 + 3 + 40);
    }
    for (int i = 0; i < MANY; i++)
        (void) close(fd[i]);
}

/* ---- the crew ---- */

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
                atomic_store(&rig.shared->flag[FDS], held_fds());
        } else {
            RIG_WAIT(traffic_got(0) == round + 1);
            traffic_send(0, 5000, INJECT);
            over = traffic_last_size() == 1;
        }
        round++;
    }
}

static void bad_input(void)
{
    static void (*const phase[])(void) = { garbage,    bad_hellos, wrong_proofs,
                                           other_jobs, replay,     duplicate,
                                           early_ends, slowly,     many_connections };

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

int main(void)
{
    static const struct rig_plan plan = { .name = "bad_input", .size = 3, .run = bad_input };

    return !rig_run(rig_device("sockets"), &plan);
}
