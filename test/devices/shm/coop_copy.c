/* coop_copy.c — cooperative copies: large messages are whole, whether both processes copy or the
 * receiver alone, from and to contiguous and noncontiguous memory; a process that cannot read the
 * other's memory reports it; and a sender that dies ends the reads of its memory. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "devices/shm/cma.h"
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

enum { LARGEST = 3 << 20, TIMES = 40, HELLOS = 8 };
enum how { BOTH, ALONE, CUT_OFF, DIES };

static char from_mem[LARGEST], to_mem[LARGEST]; /* at the same address in both processes */
static char wanted[LARGEST];                    /* what from_mem of the other process has */
static const size_t sizes[] = { 1, 12287, 12288, 12289, 65536, 100001, 1048576, LARGEST };
enum { SIZES = sizeof sizes / sizeof *sizes };
static int over, result;

/* ---- noncontiguous memory -------------------------------------------------------------------- */

struct lines { /* ranges of `line` bytes, with gaps of as many */
    struct dev_memory memory;
    char *base;
    size_t line;
};

static struct lines lines_of(const struct dev_memory *m) { return *(const struct lines *) m; }

static char *place(const struct dev_memory *m, size_t at)
{
    struct lines l = lines_of(m);

    return l.base + at / l.line * 2 * l.line + at % l.line;
}

static void gather(const struct dev_memory *m, size_t at, void *to, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((char *) to)[i] = *place(m, at + i);
}

static void scatter(const struct dev_memory *m, size_t at, const void *from, size_t len)
{
    for (size_t i = 0; i < len; i++)
        *place(m, at + i) = ((const char *) from)[i];
}

static int ranges(const struct dev_memory *m, size_t *at, struct iovec *v, int n)
{
    struct lines l = lines_of(m);

    for (int i = 0; i < n; i++) {
        v[i] = (struct iovec) { place(m, *at), l.line - *at % l.line };
        *at += v[i].iov_len;
    }
    return n;
}

enum { KEY = 4711, LINE = 1000, NONCONTIG = LARGEST / 2 };
static const struct lines from_lines = { { gather, NULL, NULL }, from_mem, LINE },
                          there = { { NULL, NULL, ranges }, from_mem, LINE };

static const struct dev_memory *memory_up(struct dev_peer *to, uint64_t key)
{
    return to == rig_peer(0) && key == KEY ? &from_lines.memory : NULL;
}

/* ---- in place of ADI3 ------------------------------------------------------------------------ */

static int recv_up(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) from, (void) pkt, (void) payload;
    return 0;
}

static void lost_up(struct dev_peer *peer, int err) { (void) peer, (void) err; }

static void done(struct dev_get *op, int err)
{
    (void) op;
    over++;
    result = err;
}

/* Afterwards both have rings. */
static void say_hello(int to)
{
    const struct dev_pkt pkt = { .flags = DEV_PLAIN };

    shm_use_cma = true;
    rig_join(1 - to);
    rig_wait_ready(2);
    for (int i = 0; i < HELLOS; i++)
        while (dev_shm.inject(rig_peer(to), &pkt, NULL))
            (void) dev_shm.poll();
    while (!((struct shm_peer *) rig_peer(to)->priv)->rx.ring)
        (void) dev_shm.poll();
}

static void sends(void *arg)
{
    enum how how = *(enum how *) arg;

    rig_fill(from_mem, LARGEST, 7);
    say_hello(0);
    atomic_store(&rig->go, 1);
    while (!atomic_load(&rig->stop)) {
        if (how == DIES && rig->taken[0] == 1)
            (void) raise(SIGKILL);
        if (how == ALONE || !dev_shm.poll())
            os_yield();
    }
}

static int get(size_t len)
{
    struct dev_get op = { .to = to_mem, .addr = (uintptr_t) from_mem, .len = len, .done = done };

    over = 0;
    memset(to_mem, 0, len);
    dev_shm.get(rig_peer(1), &op);
    while (!over)
        if (!dev_shm.poll() && !rig_node.alive(&rig_node, 1))
            dev_shm.del_peer(rig_peer(1));
    CHECK(over == 1);
    return result;
}

/* Returns the number of messages of which the sender has copied chunks. */
static int get_all(bool fails)
{
    const struct shm_rx *r = &((struct shm_peer *) rig_peer(1)->priv)->rx;
    int helped = 0;

    for (int i = 0; i < TIMES; i++) {
        size_t len = sizes[i % SIZES];
        unsigned before = r->coops;
        int err = get(len);
        CHECK(!err || (fails && err == -ESRCH));
        CHECK(err || rig_is_filled(to_mem, len, 7));
        helped += r->coops > before && r->asked_sender && !r->sender_absent;
    }
    return helped;
}

/* Several gets at a time: each message is whole, and done() is called once for each. */
static void get_several(void)
{
    enum { N = 5, LEN = 300001 };
    struct dev_get op[N];

    over = 0;
    memset(to_mem, 0, sizeof to_mem);
    for (int i = 0; i < N; i++) {
        op[i] = (struct dev_get) { .to = to_mem + i * LEN,
                                   .addr = (uintptr_t) from_mem,
                                   .len = LEN - (size_t) i,
                                   .done = done };
        dev_shm.get(rig_peer(1), &op[i]);
    }
    while (over < N)
        (void) dev_shm.poll();
    for (int i = 0; i < N; i++) {
        CHECK(rig_is_filled(to_mem + i * LEN, LEN - (size_t) i, 7));
        CHECK(i == 0 || to_mem[(i + 1) * LEN - 1] == 0); /* nothing behind it */
    }
}

/* From lines to contiguous memory, to longer lines, to short ones, and from contiguous memory to
 * these. */
static int get_noncontig(bool fails)
{
    static const size_t line[] = { 0, 4096, 64, 4096, 64 };
    const struct shm_rx *r = &((struct shm_peer *) rig_peer(1)->priv)->rx;
    const struct lines want = { .base = wanted, .line = LINE };
    int helped = 0;

    rig_fill(wanted, LARGEST, 7);
    for (int i = 0; i < TIMES; i++) {
        int how = i % 5;
        struct lines l = { { NULL, scatter, ranges }, to_mem, line[how] };
        struct dev_get op = { .to = to_mem,
                              .memory = line[how] ? &l.memory : NULL,
                              .addr = how < 3 ? 0 : (uintptr_t) from_mem,
                              .key = KEY,
                              .there = how < 3 ? &there.memory : NULL,
                              .len = i / 5 % 2 ? NONCONTIG - (size_t) i : 20000,
                              .done = done };
        over = 0;
        memset(to_mem, 0, sizeof to_mem);
        dev_shm.get(rig_peer(1), &op);
        while (!over)
            (void) dev_shm.poll();
        CHECK(!result || (fails && result == -ESRCH));
        for (size_t at = 0; at < op.len && !result; at++)
            CHECK((op.memory ? *place(op.memory, at) : to_mem[at])
                  == (op.there ? *place(&want.memory, at) : wanted[at]));
        helped += how < 3 && r->asked_sender && !r->sender_absent;
    }
    return helped;
}

static void receives(void *arg)
{
    enum how how = *(enum how *) arg;

    say_hello(1);
    while (!atomic_load(&rig->go))
        os_yield();
    CHECK(rig_peer(1)->can_get);
    int32_t *pid = &((struct shm_peer *) rig_peer(1)->priv)->tx.fifo->pid, was = *pid;
    if (how == CUT_OFF)
        *pid = INT32_MAX; /* no process has it: reads fail */
    CHECK(get(1) == (how == CUT_OFF ? -ESRCH : 0));
    if (how == DIES) {
        atomic_store(&rig->taken[0], 1);
        int err = 0;
        while (!(err = get(LARGEST)))
            ;
        CHECK(err == -ECONNRESET || err == -ESRCH);
        return;
    }
    int helped = get_all(how == CUT_OFF);
    while (how == BOTH && helped == 0) /* the sender needs a core for it */
        helped = get_all(false);
    CHECK(how != ALONE || helped == 0);
    helped = get_noncontig(how == CUT_OFF);
    while (how == BOTH && helped == 0)
        helped = get_noncontig(false);
    CHECK(how != ALONE || helped == 0);
    *pid = was;
    get_several();
    atomic_store(&rig->stop, 1);
}

/* False in qemu's emulation of a process, and in containers that forbid it. */
static bool can_read_memory(void)
{
    int from = 1, to = 0;

    return os_cma_read(getpid(), &to, &from, sizeof to) == 0;
}

static void runs(enum how how)
{
    if (!can_read_memory())
        skip();
    rig_upcalls =
        (struct dev_upcalls) { .recv = recv_up, .peer_lost = lost_up, .memory = memory_up };
    rig_make(2);
    pid_t sender = unit_fork(sends, &how), receiver = unit_fork(receives, &how);
    bool well = unit_ended_well(receiver);
    if (how == DIES || !well)
        unit_kill(sender);
    else
        well = unit_ended_well(sender);
    assert_true(well);
    rig_drop();
}

static void both_copy(void **state) { (void) state, runs(BOTH); }
static void a_busy_sender_leaves_it_to_the_receiver(void **state) { (void) state, runs(ALONE); }
static void a_failing_read_is_reported(void **state) { (void) state, runs(CUT_OFF); }
static void a_death_ends_the_read(void **state) { (void) state, runs(DIES); }

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(both_copy),
                                        cmocka_unit_test(a_busy_sender_leaves_it_to_the_receiver),
                                        cmocka_unit_test(a_failing_read_is_reported),
                                        cmocka_unit_test(a_death_ends_the_read) };

    return UNIT_RUN(tests);
}
