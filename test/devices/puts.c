/* puts.c — memory that is registered and written by peers.
 *
 * A put that fails is done again, as chaos makes some fail. A device or a peer that cannot be
 * written has nothing to do here. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "puts.h"
#include "traffic.h"
#include "window.h"

enum { WINDOW = 3 << 20, SMALL = 5000, LARGEST = 2 << 20, STRIDE = 3 };

static int under_way, failed, done_count;

static void put_done(struct dev_put *op, int err)
{
    under_way--;
    done_count++;
    failed += err != 0;
    op->addr = err ? op->addr : 0;
}

static void begin(struct dev_put *op, int rank)
{
    op->done = put_done;
    under_way++;
    rig.dev->put(rig_peer(rank), op);
}

/* Writes, again after each failure, and waits for delivery. */
static void write_all(int rank, struct dev_put op)
{
    for (int tries = 0; op.addr; tries++) {
        CHECK(tries < 100);
        begin(&op, rank);
        RIG_WAIT(!under_way);
    }
}

static char byte(size_t i, int seed) { return (char) (i * 7 + (i >> 8) + (size_t) seed); }

static void fill(char *mem, size_t len, int seed)
{
    for (size_t i = 0; i < len; i++)
        mem[i] = byte(i, seed);
}

static bool is_filled(const char *mem, size_t len, int seed)
{
    size_t i = 0;

    while (i < len && mem[i] == byte(i, seed))
        i++;
    return i == len;
}

/* ---- noncontiguous local memory: every third byte ---- */

static char sparse[LARGEST * STRIDE];

static void gather(const struct dev_memory *m, size_t at, void *to, size_t len)
{
    (void) m;
    for (size_t i = 0; i < len; i++)
        ((char *) to)[i] = sparse[(at + i) * STRIDE];
}

static void scatter(const struct dev_memory *m, size_t at, const void *from, size_t len)
{
    (void) m;
    for (size_t i = 0; i < len; i++)
        sparse[(at + i) * STRIDE] = ((const char *) from)[i];
}

static int ranges(const struct dev_memory *m, size_t *at, struct iovec *v, int n)
{
    (void) m;
    int i = 0;
    for (; i < n && *at < LARGEST; i++)
        v[i] = (struct iovec) { &sparse[(*at)++ * STRIDE], 1 };
    return i;
}

static const struct dev_memory memory = { gather, scatter, ranges };

/* ---- all sizes, into the middle; nothing beside them is touched ---- */

static void one_size(char *mem, char *data, size_t len, bool noncontiguous)
{
    size_t at = 64 + len % 61;
    struct dev_put op = { .from = data, .addr = window_of(next_rank(), 0)->addr + at, .len = len };

    op.key = window_of(next_rank(), 0)->key;
    memset(mem, 0x33, at + len + 64);
    fill(data, len, (int) len);
    if (noncontiguous) {
        scatter(&memory, 0, data, len);
        op.memory = &memory;
        op.from = NULL;
    }
    rig_barrier();
    if (window_can_put(next_rank()))
        write_all(next_rank(), op);
    rig_barrier();
    if (!window_can_put(last_rank()))
        return;
    CHECK(is_filled(mem + at, len, (int) len));
    for (size_t i = 0; i < at; i++)
        CHECK(mem[i] == 0x33);
    for (size_t i = at + len; i < at + len + 64; i++)
        CHECK(mem[i] == 0x33);
}

void puts_sizes(void)
{
    static const size_t sizes[] = { 0,      1,    7,     8,     63,    64,
                                    65,     4096, 16384, 65536, 65537, (1 << 20) + 9,
                                    LARGEST };
    static char mem[WINDOW], data[LARGEST];

    void *handle = window_open(mem, sizeof mem, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        one_size(mem, data, sizes[i], false);
        one_size(mem, data, sizes[i], true);
    }
    rig_barrier();
    window_close(handle);
}

/* ---- many windows, of which every second one ends; reads of them ---- */

static int got;

static void get_done(struct dev_get *op, int err)
{
    (void) op;
    got = err ? -1 : 1;
}

/* As with chaos reads may fail, too. */
static void read_back(int rank, int i, const char *expected)
{
    static char back[SMALL];
    struct dev_get op = { .to = back, .len = SMALL - 10, .alone = true, .done = get_done };

    op.addr = window_of(rank, i)->addr + 10;
    op.key = window_of(rank, i)->key;
    for (int tries = 0; got != 1; tries++) {
        CHECK(tries < 100);
        got = 0;
        rig.dev->get(rig_peer(rank), &op);
        RIG_WAIT(got);
    }
    got = 0;
    CHECK(!memcmp(back, expected + 10, SMALL - 10));
}

static void write_window(int i, int seed)
{
    static char data[SMALL];
    const struct window *w = window_of(next_rank(), i);

    fill(data, SMALL, seed);
    if (!window_can_put(next_rank()))
        return;
    write_all(next_rank(),
              (struct dev_put) { .from = data, .addr = w->addr, .key = w->key, .len = SMALL });
    if (rig.dev->get && rig_peer(next_rank())->can_get)
        read_back(next_rank(), i, data);
}

void puts_windows(void)
{
    static char mem[WINDOWS][SMALL];
    void *handle[WINDOWS];

    for (int i = 0; i < WINDOWS; i++)
        handle[i] = window_open(mem[i], SMALL, i);
    rig_barrier();
    for (int i = 0; i < WINDOWS; i++)
        write_window(i, i);
    rig_barrier();
    for (int i = 0; i < WINDOWS; i += 2)
        window_close(handle[i]);
    rig_barrier();
    for (int i = 1; i < WINDOWS; i += 2)
        write_window(i, i + 100);
    rig_barrier();
    for (int i = 0; i < WINDOWS && window_can_put(last_rank()); i++)
        CHECK(is_filled(mem[i], SMALL, i % 2 ? i + 100 : i));
    for (int i = 1; i < WINDOWS; i += 2)
        window_close(handle[i]);
}

/* ---- many puts at once, to places of their own ---- */

/* Starts anew those that have failed, until none is left. */
static void write_many(struct dev_put *op, int n)
{
    for (int left = n, tries = 0; left; tries++) {
        CHECK(tries < 100);
        for (int i = 0; i < n; i++)
            if (op[i].addr)
                begin(&op[i], next_rank());
        RIG_WAIT(!under_way);
        left = 0;
        for (int i = 0; i < n; i++)
            left += op[i].addr != 0;
    }
}

void puts_many(void)
{
    enum { MANY = 60 };
    static char mem[MANY * SMALL], data[MANY * SMALL];
    struct dev_put op[MANY];
    int before = done_count - failed;

    void *handle = window_open(mem, sizeof mem, 0);
    fill(data, sizeof data, 5);
    rig_barrier();
    const struct window w = *window_of(next_rank(), 0);
    for (int i = 0; i < MANY; i++) {
        size_t at = (size_t) (i * 7 % MANY) * SMALL;
        op[i] = (struct dev_put) { .from = data + at, .addr = w.addr + at, .key = w.key };
        op[i].len = SMALL;
    }
    if (window_can_put(next_rank())) {
        write_many(op, MANY);
        CHECK(done_count - failed == before + MANY);
    }
    rig_barrier();
    CHECK(!window_can_put(last_rank()) || is_filled(mem, sizeof mem, 5));
    window_close(handle);
}

/* ---- order is made by waiting for done(): the last of two puts to a place, then a message ---- */

void puts_then_message(void)
{
    static char mem[70000], data[2][70000];
    uint32_t sent = 0;

    void *handle = window_open(mem, sizeof mem, 0);
    for (int round = 0; round < 20; round++) {
        rig_barrier();
        const struct window *w = window_of(next_rank(), 0);
        for (int i = 0; i < 2 && window_can_put(next_rank()); i++) {
            fill(data[i], sizeof data[i], round + i);
            write_all(next_rank(),
                      (struct dev_put) {
                          .from = data[i], .addr = w->addr, .key = w->key, .len = sizeof data[i] });
        }
        traffic_send(next_rank(), 8, INJECT);
        sent++;
        RIG_WAIT(traffic_got(last_rank()) >= sent);
        CHECK(!window_can_put(last_rank()) || is_filled(mem, sizeof mem, round + 1));
        RIG_WAIT(!traffic_pending());
    }
    rig_barrier();
    window_close(handle);
}

/* ---- rank 1 is killed while it is written: each put is done once, the last with errors ---- */

void puts_death(void)
{
    enum { PUTS = 8 };
    static char mem[WINDOW], data[LARGEST];
    struct dev_put op[PUTS];

    void *handle = window_open(mem, sizeof mem, 0);
    rig_barrier();
    const struct window w = *window_of(1, 0);
    bool writes = rig.rank == 0 && window_can_put(1);
    for (int i = 0; i < PUTS && writes; i++) {
        op[i] = (struct dev_put) { .from = data, .addr = w.addr, .key = w.key, .len = LARGEST };
        begin(&op[i], 1);
    }
    window_owner_dies();
    if (rig.rank == 0)
        CHECK(!under_way && done_count == (writes ? PUTS : 0));
    window_close(handle);
}
