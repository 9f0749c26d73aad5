/* chaos.c — the chaos device does what it is there for; conformance shows that it does no more.
 *
 * Usage: chaos DEVICE, such as chaos:shm */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "atomics.h"
#include "devices/chaos/chance.h"
#include "platform/counter.h"
#include "puts.h"
#include "rig.h"
#include "traffic.h"

/* ---- chance: follows from the seed and the rank, and from nothing else ---- */

static void numbers(void)
{
    unsigned first[2][100];
    int differ = 0, often = 0;

    for (int seed = 0; seed < 2; seed++)
        for (int rank = 0; rank < 2; rank++) {
            chaos_seed = seed;
            chaos_begin(rank);
            for (int i = 0; i < 100; i++) {
                first[rank][i] = chaos_random(1000);
                CHECK(first[rank][i] < 1000);
                differ += rank && first[0][i] != first[1][i];
            }
            chaos_begin(rank);
            for (int i = 0; i < 100; i++)
                CHECK(chaos_random(1000) == first[rank][i]);
        }
    CHECK(differ > 150);
    for (int i = 0; i < 1000; i++) {
        CHECK(chaos_happens(100) && !chaos_happens(0));
        often += chaos_happens(30);
    }
    CHECK(often > 200 && often < 400);
}

/* ---- all it can do is done, to everybody ---- */

/* What the row of this name counts. */
static uint64_t count_of(const char *name)
{
    const struct counter *const tables[] = { rig.dev->counters, NULL };
    const struct counter *c = counter_find(tables, name);

    CHECK(c);
    return counter_value(c, NULL);
}

static bool all_done(void)
{
    return count_of("chaos_refused") && count_of("chaos_held_in") && count_of("chaos_held_out")
           && count_of("chaos_torn") && count_of("chaos_reordered");
}

static void to_all(size_t size, enum traffic_how how)
{
    for (int i = 1; i < rig.size; i++)
        traffic_send((rig.rank + i) % rig.size, size, how);
}

static void settle(void)
{
    RIG_WAIT(!traffic_pending());
    for (int i = 0; i < rig.size; i++)
        atomic_store(&rig.shared->flag[rig.rank * RIG_MAX + i], (int) traffic_sent(i));
    rig_barrier();
    for (int i = 0; i < rig.size; i++) {
        uint32_t all = (uint32_t) atomic_load(&rig.shared->flag[i * RIG_MAX + rig.rank]);
        RIG_WAIT(traffic_got(i) >= all);
        CHECK(traffic_got(i) == all);
    }
    rig_barrier();
}

static void chaotic(void)
{
    for (int round = 0; round < 300; round++) {
        to_all(chaos_random(5000), chaos_random(2) ? INJECT : SEND);
        for (int i = 0; i < 20; i++)
            (void) rig_poll();
    }
    settle();
    CHECK(all_done());
}

/* Puts, where the device has them, are held up and fail. */
static void chaotic_puts(void)
{
    for (int round = 0; round < 5; round++)
        puts_many();
    if (rig.dev->put && rig_peer(1 - rig.rank)->can_put)
        CHECK(count_of("chaos_not_put") && count_of("chaos_held_put")
              && count_of("chaos_reordered_put"));
}

static void chaotic_atomics(void)
{
    for (int round = 0; round < 3; round++)
        atomics_one_word();
    if (rig.rank && rig.dev->atomic && rig_peer(0)->can_put)
        CHECK(count_of("chaos_not_atomic") && count_of("chaos_held_atomic")
              && count_of("chaos_reordered_atomic"));
}

/* ---- nor is anything done that is not wanted ---- */

static void mild(void) { chaos_delay = chaos_again = chaos_tear = 0; }

static void calm(void)
{
    for (int i = 0; i < 500; i++)
        to_all((size_t) i, i % 2 ? INJECT : SEND);
    settle();
    CHECK(!count_of("chaos_refused") && !count_of("chaos_held_in") && !count_of("chaos_held_out"));
}

/* ---- one peer is cut off, and nobody else ---- */

static void cut_off(void)
{
    chaos_drop_peer = 1;
    chaos_drop_after = 40;
}

static void until_lost(int to)
{
    const struct dev_pkt p = { .flags = DEV_PLAIN };

    for (size_t i = 0; !traffic_lost(to); i++) {
        traffic_send(to, i * 101 % 20000, SEND);
        do
            (void) rig_poll();
        while (traffic_pending() > 20);
    }
    CHECK(traffic_lost_error(to) == -ECONNRESET);
    int before = traffic_failed();
    traffic_send(to, 10, SEND);
    CHECK(traffic_failed() == before + 1);
    CHECK(rig.dev->inject(&rig.peer[to], &p, NULL) == -ECONNRESET);
}

static void dropped(void)
{
    traffic_expect_loss = true;
    if (rig.rank == 1) {
        until_lost(0);
        until_lost(2);
    } else {
        for (int i = 0; i < 200; i++)
            traffic_send(2 - rig.rank, (size_t) (i * 101), SEND);
        until_lost(1);
        RIG_WAIT(traffic_got(2 - rig.rank) == 200);
        CHECK(!traffic_lost(2 - rig.rank));
    }
    RIG_WAIT(!traffic_pending());
    rig_barrier();
}

static const struct rig_plan plans[] = {
    { .name = "numbers", .size = 1, .run = numbers },
    { .name = "chaotic", .size = 3, .run = chaotic },
    { .name = "chaotic puts", .size = 2, .run = chaotic_puts },
    { .name = "chaotic atomics", .size = 3, .run = chaotic_atomics },
    { .name = "calm", .size = 3, .before = mild, .run = calm },
    { .name = "dropped", .size = 3, .before = cut_off, .run = dropped },
    { .name = "dropped again", .size = 3, .before = cut_off, .run = dropped },
};

int main(int argc, char **argv)
{
    int bad = 0;

    if (argc < 2)
        return 2;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        bad += !rig_run(rig_device(argv[1]), &plans[i]);
    return bad != 0;
}
