/* conformance.c — what every device must do.
 *
 * Usage: conformance DEVICE [SCENARIO [ROUNDS]]
 *
 * DEVICE may be libfabric-shm, where STARLING_OFI_PROVIDER=shm must be set: a provider without
 * connections, whose sender waits until the receiver polls. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "atomics.h"
#include "puts.h"
#include "rig.h"
#include "devices/sockets/sock_impl.h"
#include "traffic.h"

/* The kinds of devices for which a scenario makes sense. */
enum {
    ALL = 1,
    PEERS = 2,     /* devices that reach another process */
    CONNECTED = 4, /* that keep connections and can sleep */
    NETWORK = 8,   /* that reach other hosts, and notice the death of a peer */
    TCP = 16,      /* that a relay can stand between */
};

static const struct {
    const char *device; /* without a wrapper; devices not listed are PEERS */
    int traits;
} kinds[] = {
    { "self", ALL },
    { "sockets", PEERS | CONNECTED | NETWORK | TCP },
    { "libfabric", PEERS | CONNECTED | NETWORK },
    { "libfabric-shm", PEERS | CONNECTED },
    { NULL, 0 },
};
static int traits;

enum { KIB = 1024, MIB = 1024 * 1024 };

static void wait_for(int from, uint32_t count)
{
    RIG_WAIT(traffic_got(from) >= count);
    CHECK(traffic_got(from) == count);
}

/* Polls on: what still comes must not fail. On a busy machine each poll may take as long as
 * others have the core. */
static void keep_polling(void)
{
    uint64_t end = os_time_ns() + 1000000000;

    for (int i = 0; i < 100000 && os_time_ns() < end; i++)
        (void) rig_poll();
}

static void wait_done(void) { RIG_WAIT(!traffic_pending()); }

/* Returns when every process has received all that was sent to it. */
static void settle(void)
{
    wait_done();
    rig_barrier();
}

/* ---- content: every size, header and target; in a ring, so that one process can do it too ---- */

static void sizes(void)
{
    for (size_t size = 0; size <= 64 * KIB; size += size < 600 ? 1 : 251) {
        traffic_send(next_rank(), size, size % 3 ? INJECT : SEND);
        if (size % 7 == 0)
            RIG_WAIT(traffic_got(last_rank()) >= traffic_sent(next_rank()));
    }
    static const size_t large[] = { MIB, 8 * MIB, MIB - 1, 0, 8 * MIB + 3, MIB + 17, 1 };
    for (int i = 0; i < 7; i++)
        traffic_send(next_rank(), large[i], SEND);
    wait_for(last_rank(), traffic_sent(next_rank()));
    settle();
}

/* ---- order: small ones right after large ones, in both directions at once ---- */

static void overtaking(void)
{
    for (int round = 0; round < 60; round++) {
        traffic_send(next_rank(), (size_t) (round % 7) * 40000, SEND);
        for (int i = 0; i < 5; i++)
            traffic_send(next_rank(), (size_t) (8 * i), INJECT);
        traffic_send(next_rank(), 100, SEND);
        traffic_send(next_rank(), 1, INJECT);
    }
    wait_for(last_rank(), traffic_sent(next_rank()));
    settle();
}

/* ---- DEV_AGAIN: the receiver does not poll until the sender's buffers are full ---- */

static void full_buffers(void)
{
    _Atomic int *full = &rig.shared->flag[0], *all = &rig.shared->flag[1];

    if (rig.rank == 0) {
        traffic_send(1, 8, INJECT);
        RIG_WAIT(traffic_got(1) == 1);
        while (traffic_again() < 1000)
            (void) traffic_try_inject(1, 200);
        atomic_store(full, 1);
        for (int i = 0; i < 100000; i++) /* the receiver makes room; no poll reports it here */
            (void) traffic_try_inject(1, 200);
        for (int i = 0; i < 200; i++)
            traffic_send(1, (size_t) (i * 37), i % 3 ? SEND : INJECT);
        atomic_store(all, (int) traffic_sent(1));
    } else {
        wait_for(0, 1);
        traffic_send(0, 0, INJECT);
        while (!atomic_load(full))
            os_yield();
        RIG_WAIT(atomic_load(all));
        wait_for(0, (uint32_t) atomic_load(all));
    }
    settle();
}

/* ---- first contact: every process sends to every other one at the same instant ---- */

static void all_to_all(void)
{
    for (int i = 1; i < rig.size; i++)
        traffic_send((rig.rank + i) % rig.size, (size_t) (rig.rank * 1000 + i), SEND);
    for (int i = 1; i < rig.size; i++)
        traffic_send((rig.rank + i) % rig.size, 30, INJECT);
    for (int i = 0; i < rig.size; i++)
        if (i != rig.rank)
            wait_for(i, 2);
    settle();
}

/* As all_to_all, but each process starts after a random delay. */
static void staggered_all_to_all(void)
{
    unsigned char lag;

    CHECK(!os_random(&lag, 1));
    for (uint64_t end = os_time_ns() + lag * 2000u; os_time_ns() < end;)
        ;
    all_to_all();
}

/* ---- many to one ---- */

static void many_to_one(void)
{
    enum { COUNT = 3000 };

    if (rig.rank) {
        for (int i = 0; i < COUNT; i++)
            traffic_send(0, (size_t) (i % 500), i % 4 ? INJECT : SEND);
    } else {
        for (int i = 1; i < rig.size; i++)
            RIG_WAIT(traffic_got(i) == COUNT);
    }
    settle();
}

/* ---- answers from within upcalls ---- */

static void echo(void)
{
    enum { COUNT = 2000 };

    traffic_echo = COUNT;
    if (rig.rank == 0)
        for (int i = 0; i < 20; i++)
            traffic_send(1, (size_t) (i * i * 40), SEND);
    RIG_WAIT(traffic_echo == 0);
    wait_done();
    atomic_store(&rig.shared->flag[rig.rank], (int) traffic_sent(1 - rig.rank));
    rig_barrier();
    wait_for(1 - rig.rank, (uint32_t) atomic_load(&rig.shared->flag[1 - rig.rank]));
    settle();
}

/* ---- done() is an upcall too: what it sends comes after all that was sent before ---- */

static void from_done(void)
{
    traffic_follow = 150;
    for (int i = 0; i < 200; i++)
        traffic_send(next_rank(), (size_t) (i % 4 * 30000), SEND);
    RIG_WAIT(traffic_follow == 0 && !traffic_pending());
    traffic_send(next_rank(), 1, INJECT);
    atomic_store(&rig.shared->flag[rig.rank], (int) traffic_sent(next_rank()));
    rig_barrier();
    wait_for(last_rank(), (uint32_t) atomic_load(&rig.shared->flag[last_rank()]));
    settle();
}

/* ---- small packets do not wait for each other's acknowledgment ---- */

static void at_once(void)
{
    uint64_t start = os_time_ns();

    for (uint32_t i = 1; i <= 100; i++) {
        for (int k = 0; k < 3 && rig.rank == 0; k++)
            traffic_send(1, 10, INJECT);
        RIG_WAIT(traffic_got(1 - rig.rank) == (rig.rank ? 3 * i : i));
        if (rig.rank == 1)
            traffic_send(0, 10, INJECT);
    }
    CHECK(os_time_ns() - start < 2000000000u);
    settle();
}

/* ---- asleep in the kernel: wait_fd must wake a process that has work ---- */

static void asleep(void)
{
    enum { COUNT = 300 };

    rig.sleepy = true;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (rig.rank == 0)
            traffic_send(1, i * 700, SEND);
        wait_for(1 - rig.rank, i + 1);
        if (rig.rank == 1)
            traffic_send(0, i * 7, INJECT);
    }
    traffic_send(1 - rig.rank, 16 * MIB, SEND); /* both block, both are woken */
    wait_for(1 - rig.rank, COUNT + 1);
    wait_done();
    rig.sleepy = false;
    CHECK(rig.sleeps_timed_out <= 2);
    settle();
}

/* ---- an orderly end: what was sent is received, though the sender has closed by then ---- */

static void leave_early(void)
{
    enum { COUNT = 50 };

    if (rig.rank == 0) {
        for (int i = 0; i < COUNT; i++)
            traffic_send(1, 20000, SEND);
        wait_done();
        return;
    }
    RIG_WAIT(traffic_got(0) > 0);
    os_sleep_ns(200000000);
    wait_for(0, COUNT);
    keep_polling();
}

/* The same, while the process that closes has not read a message. */
static void leave_with_unread(void)
{
    traffic_send(1 - rig.rank, 8, SEND);
    RIG_WAIT(traffic_got(1 - rig.rank) >= 1);
    if (rig.rank == 0) {
        for (int i = 0; i < 50; i++)
            traffic_send(1, 20000, SEND);
        wait_done();
        atomic_store(&rig.shared->flag[0], 1);
        while (!atomic_load(&rig.shared->flag[1]))
            os_yield();
        return;
    }
    while (!atomic_load(&rig.shared->flag[0]))
        os_yield();
    traffic_send(0, 100, SEND);
    atomic_store(&rig.shared->flag[1], 1);
    os_sleep_ns(100000000);
    wait_for(0, 51);
    keep_polling();
}

static void delete_one(void)
{
    all_to_all();
    rig_del_peer(next_rank());
    for (uint64_t end = os_time_ns() + 20000000; os_time_ns() < end;)
        (void) rig_poll();
}

/* ---- death: rank 1 ends in the middle of its message, with messages to it under way ---- */

static bool rank_1_dies(int rank, int status)
{
    if (rank == 1)
        return WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 7;
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

static void check_dead(void)
{
    struct dev_pkt p = { .flags = DEV_PLAIN };
    int before = traffic_failed();

    CHECK(rig.dev->inject(&rig.peer[1], &p, NULL) < 0);
    traffic_send(1, 10, SEND);
    CHECK(traffic_failed() == before + 1);
}

/* A device with connections sees the death of a peer itself. ADI3 reports it to other devices,
 * and to any device if it is faster. */
static void peer_failed(bool seen)
{
    if (seen) {
        for (uint64_t end = os_time_ns() + 10000000000u; os_time_ns() < end && !traffic_lost(1);)
            (void) rig_poll();
        CHECK(traffic_lost(1) == 1);
        check_dead();
    } else {
        while (atomic_load(&rig.shared->alive[1]))
            os_yield();
        CHECK(traffic_lost(1) == 0);
    }
    rig_del_peer(1);
    CHECK(!traffic_pending() && !traffic_open_targets(1));
    CHECK(traffic_failed() > 0);
    CHECK(traffic_broken_payloads() == 1);
}

static void die(int how, bool seen)
{
    if (rig.rank == 1) {
        traffic_send(0, 1000, SEND);
        wait_done();
        traffic_send(0, 40 * MIB, SEND);
        RIG_WAIT(traffic_got(0) >= 1);
        if (how)
            (void) kill(getpid(), SIGKILL);
        _exit(7);
    }
    traffic_expect_loss = true;
    if (rig.rank == 0) {
        RIG_WAIT(traffic_got(1) == 1 && traffic_open_targets(1) == 1);
        traffic_send(1, 1000, SEND);
        wait_done(); /* rank 1 may end before the next poll */
        for (int i = 0; i < 2; i++)
            traffic_send(1, 40 * MIB, SEND);
        peer_failed(seen);
    }
    for (int i = 0; i < rig.size; i++) /* the other pairs are not affected */
        if (i != 1 && i != rig.rank)
            traffic_send(i, 5000, SEND);
    for (int i = 0; i < rig.size; i++)
        if (i != 1 && i != rig.rank)
            wait_for(i, 1);
    wait_done();
    CHECK(traffic_lost(0) == 0 && traffic_lost(2) == 0);
    atomic_fetch_add(&rig.shared->flag[0], 1); /* a barrier of the processes that are alive */
    RIG_WAIT(atomic_load(&rig.shared->flag[0]) == rig.size - 1);
}

/* Where there is no network at all, several nodes can still be played. */
static void use_loopback(void) { sock_interface = "lo"; }

static bool sees_death(void) { return traits & NETWORK; }
static void exits(void) { die(0, sees_death()); }
static void killed(void) { die(1, sees_death()); }
static void death_reported(void) { die(1, false); }

/* ---- a packet that ADI3 refuses ends the connection to its sender, and no other ---- */

static void refused(void)
{
    traffic_expect_loss = true;
    all_to_all();
    if (rig.rank == 0) {
        traffic_refuse = true;
        atomic_store(&rig.shared->flag[0], 1);
        RIG_WAIT(traffic_lost(1));
        traffic_refuse = false;
        CHECK(traffic_lost_error(1) < 0 && !traffic_lost(2));
        atomic_store(&rig.shared->flag[0], 2);
    } else if (rig.rank == 1) {
        RIG_WAIT(atomic_load(&rig.shared->flag[0]) == 1);
        traffic_send(0, 70000, SEND);
    }
    RIG_WAIT(atomic_load(&rig.shared->flag[0]) == 2);
    if (rig.rank == 1)
        RIG_WAIT(traffic_lost(0));
    if (rig.rank == 2)
        traffic_send(0, 100, INJECT);
    if (rig.rank == 0)
        wait_for(2, 3);
    settle();
}

/* ---- torn streams ---- */

static void torn(void)
{
    for (size_t i = 0; i < 250; i++) {
        static const size_t size[] = { 0, 1, 7, 24, 55, 56, 57, 100, 1000, 3 };
        traffic_send(next_rank(), size[i % 10], i % 4 ? INJECT : SEND);
    }
    traffic_send(next_rank(), 20000, SEND);
    traffic_send(next_rank(), 1, SEND);
    wait_for(last_rank(), traffic_sent(next_rank()));
    settle();
}

static const struct {
    struct rig_plan plan;
    int rounds;
    int only;
} list[] = {
    { { .name = "sizes", .size = 2, .run = sizes }, 1, ALL },
    { { .name = "overtaking", .size = 2, .run = overtaking }, 1, ALL },
    { { .name = "full_buffers", .size = 2, .run = full_buffers }, 1, PEERS },
    { { .name = "all_to_all2", .size = 2, .run = all_to_all }, 30, PEERS },
    { { .name = "all_to_all4", .size = 4, .run = all_to_all }, 10, PEERS },
    { { .name = "staggered2", .size = 2, .run = staggered_all_to_all }, 40, PEERS },
    { { .name = "apart", .size = 4, .apart = true, .before = use_loopback, .run = all_to_all },
      3,
      NETWORK },
    { { .name = "many_to_one", .size = 4, .run = many_to_one }, 1, PEERS },
    { { .name = "echo", .size = 2, .run = echo }, 1, PEERS },
    { { .name = "from_done", .size = 2, .run = from_done }, 1, ALL },
    { { .name = "at_once", .size = 2, .run = at_once }, 1, PEERS },
    { { .name = "asleep", .size = 2, .run = asleep }, 1, CONNECTED },
    { { .name = "leave_early", .size = 2, .run = leave_early }, 1, CONNECTED },
    { { .name = "leave_with_unread", .size = 2, .run = leave_with_unread }, 1, NETWORK },
    { { .name = "delete_one", .size = 3, .run = delete_one }, 3, PEERS },
    { { .name = "puts_sizes", .size = 2, .run = puts_sizes }, 1, PEERS },
    { { .name = "puts_windows", .size = 3, .run = puts_windows }, 2, PEERS },
    { { .name = "puts_many", .size = 2, .run = puts_many }, 2, PEERS },
    { { .name = "puts_then_message", .size = 2, .run = puts_then_message }, 2, PEERS },
    { { .name = "puts_death", .size = 2, .run = puts_death, .ends_well = rank_1_dies }, 2, PEERS },
    { { .name = "atomics_ops", .size = 2, .run = atomics_ops }, 1, PEERS },
    { { .name = "atomics_one_word", .size = 3, .run = atomics_one_word }, 2, PEERS },
    { { .name = "atomics_death", .size = 2, .run = atomics_death, .ends_well = rank_1_dies },
      2,
      PEERS },
    { { .name = "wrong_keys", .size = 2, .run = wrong_keys }, 1, NETWORK },
    { { .name = "exits", .size = 3, .run = exits, .ends_well = rank_1_dies }, 2, PEERS },
    { { .name = "killed", .size = 3, .run = killed, .ends_well = rank_1_dies }, 2, PEERS },
    { { .name = "death_reported", .size = 3, .run = death_reported, .ends_well = rank_1_dies },
      1,
      PEERS },
    { { .name = "refused", .size = 3, .run = refused }, 1, CONNECTED },
    { { .name = "torn", .size = 2, .torn = true, .run = torn }, 2, TCP },
    { { .name = "torn4", .size = 4, .torn = true, .run = all_to_all }, 5, TCP },
};

/* Loading libfabric takes as long as all else. */
static int rounds_of(const struct dev_ops *dev, int rounds)
{
    return dev->load ? (rounds + 14) / 15 : rounds;
}

int main(int argc, char **argv)
{
    int bad = 0;

    if (argc < 2)
        return 2;
    const char *inner = rig_inner(argv[1]);
    const struct dev_ops *dev =
        rig_device(!strcmp(argv[1], "libfabric-shm") ? "libfabric" : argv[1]);
    for (int i = 0; kinds[i].device && !traits; i++)
        traits = strcmp(kinds[i].device, inner) ? 0 : kinds[i].traits;
    traits |= traits ? ALL : ALL | PEERS;
    bool alone = !(traits & PEERS);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct rig_plan plan = list[i].plan;
        if (argc > 2 && strcmp(argv[2], plan.name))
            continue;
        if (!(list[i].only & traits))
            continue;
        plan.size = alone ? 1 : plan.size;
        uint64_t start = os_time_ns();
        int rounds = argc > 3 ? (int) strtol(argv[3], NULL, 10) : rounds_of(dev, list[i].rounds);
        for (int round = 0; round < rounds && !bad; round++)
            bad += !rig_run(dev, &plan);
        if (getenv("CONFORMANCE_TIMES"))
            (void) fprintf(stderr, "%-12s %6.2f s\n", plan.name, (os_time_ns() - start) / 1e9);
    }
    return bad != 0;
}
