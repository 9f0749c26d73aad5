/* marker.c — a pair begins in the receive FIFO and goes on in a ring: nothing is overtaken at the
 * change, whatever else fills the FIFO at that moment. */
#include <stdlib.h>
#include <string.h>
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

enum { ROUNDS = 60, PROCESSES = 5, EACH = 150, LARGEST = 20000 };

static uint32_t next_from[PROCESSES];
static int missing, waiting;
static char target_of[PROCESSES][LARGEST];

static size_t size_of(int from, uint32_t n)
{
    uint64_t h = (n * 7 + (uint32_t) from + 1) * 0x9e3779b97f4a7c15;
    size_t kind = h >> 60;

    return kind == 0 ? h >> 32 & 16383 : kind < 4 ? h >> 32 & 511 : h >> 32 & 63;
}

static void one_more(int from)
{
    next_from[from]++;
    missing--;
}

static void check_head(int from, const struct dev_pkt *pkt)
{
    CHECK(pkt->rank == from && pkt->ctx == next_from[from]);
    CHECK(pkt->payload == size_of(from, pkt->ctx));
}

static int recv_up(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    check_head(from->rank, pkt);
    CHECK(rig_is_filled(payload, pkt->payload, pkt->ctx));
    one_more(from->rank);
    return 0;
}

static int recv_begin_up(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target)
{
    check_head(from->rank, pkt);
    *target = (struct dev_target) { .iov = { { target_of[from->rank], pkt->payload } },
                                    .iovcnt = 1,
                                    .cookie = from };
    return 0;
}

static void recv_end_up(struct dev_target *target, int err)
{
    int from = ((struct dev_peer *) target->cookie)->rank;

    CHECK(!err && rig_is_filled(target_of[from], size_of(from, next_from[from]), next_from[from]));
    one_more(from);
}

static void lost_up(struct dev_peer *peer, int err)
{
    (void) peer;
    CHECK(!err && "a healthy peer was given up");
}

static void done(struct dev_send *op, int err)
{
    CHECK(!err);
    waiting--;
    free(op);
}

/* By inject if possible, by send if necessary or if the caller asks for it. */
static void send_one(int to, uint32_t n, bool by_send)
{
    size_t len = size_of(rig_node.index, n);
    struct dev_send *op = calloc(1, sizeof *op + len);

    CHECK(op);
    *op = (struct dev_send) { .pkt = { .payload = len,
                                       .ctx = n,
                                       .rank = rig_node.index,
                                       .flags = n % 2 && len <= SHM_FRAG_MAX ? DEV_PLAIN : 0 },
                              .iov = { { op + 1, len } },
                              .iovcnt = len > 0,
                              .done = done };
    rig_fill(op + 1, len, n);
    if (!by_send && len <= SHM_FRAG_MAX) {
        int rc = dev_shm.inject(rig_peer(to), &op->pkt, op + 1);
        CHECK(rc == 0 || rc == DEV_AGAIN);
        if (rc == 0) {
            free(op);
            return;
        }
    }
    waiting++;
    dev_shm.send(rig_peer(to), op);
}

/* Each process sends to all others, in bursts that differ. */
static void talks(void *arg)
{
    const int *me = arg;
    uint32_t sent[PROCESSES] = { 0 };
    int left = (PROCESSES - 1) * EACH;

    missing = left;
    for (int i = 0; i <= *me * 1000 + (int) atomic_load(&rig->used) / 4096; i++)
        (void) unit_random(1); /* different random numbers in each process and round */
    rig_join(*me);
    rig_wait_ready(PROCESSES);
    while (left || waiting || missing) {
        int to = (int) unit_random(PROCESSES);
        for (uint32_t burst = unit_random(8); burst > 0; burst--) {
            if (to == *me || sent[to] == EACH)
                break;
            send_one(to, sent[to]++, unit_random(3) == 0);
            left--;
        }
        if (unit_random(4) == 0 && !dev_shm.poll())
            os_yield();
    }
    atomic_fetch_add(&rig->go, 1); /* no process ends while another may still look at it */
    while (atomic_load(&rig->go) < PROCESSES)
        os_yield();
    CHECK(!dev_shm.poll());
}

static void nothing_is_overtaken(void **state)
{
    int index[PROCESSES];
    pid_t child[PROCESSES];

    (void) state;
    rig_upcalls = (struct dev_upcalls) {
        .recv = recv_up, .recv_begin = recv_begin_up, .recv_end = recv_end_up, .peer_lost = lost_up
    };
    for (int round = 0; round < ROUNDS; round++) {
        bool well = true;
        rig_make(PROCESSES);
        atomic_fetch_add(&rig->used, (uint64_t) round * 4096);
        if (round % 3 == 2) /* the memory ends before each pair has a ring */
            atomic_store(&rig->used, RIG_MEMORY - (PROCESSES * 12 + 70 + round) * 1024);
        for (int i = 0; i < PROCESSES; i++) {
            index[i] = i;
            child[i] = unit_fork(talks, &index[i]);
        }
        for (int i = 0; i < PROCESSES; i++) {
            well &= unit_ended_well(child[i]);
            for (int j = i + 1; j < PROCESSES && !well; j++)
                unit_kill(child[j]);
            if (!well)
                break;
        }
        assert_true(well);
        rig_drop();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_is_overtaken) };

    return UNIT_RUN(tests);
}
