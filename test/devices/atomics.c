/* atomics.c — atomic operations on memory of peers, and keys that are wrong.
 *
 * An operation that fails with -EAGAIN has not happened and is done again, as chaos makes some
 * fail. What a device or a peer cannot do is not asked of it. */
#include <errno.h>
#include <string.h>
#include "atomics.h"
#include "traffic.h"
#include "window.h"

enum { GUARD = 64, MOST = 4096, BYTES = MOST * 8 + 2 * GUARD };

static int under_way, last_error, done_count;
static bool can_do(int rank) { return rig.dev->atomic && rig_peer(rank)->can_put; }

static void atomic_done(struct dev_atomic *op, int err)
{
    under_way--;
    done_count++;
    last_error = err;
    op->addr = err == -EAGAIN ? op->addr : 0;
}

static void begin(struct dev_atomic *op, int rank)
{
    op->done = atomic_done;
    under_way++;
    rig.dev->atomic(rig_peer(rank), op);
}

/* Does it, again while it has not happened. Returns 0 or the error. */
static int finish(struct dev_atomic op, int rank)
{
    for (int tries = 0; op.addr; tries++) {
        CHECK(tries < 100);
        begin(&op, rank);
        RIG_WAIT(!under_way);
    }
    return last_error;
}

/* ---- what each operation makes of two elements ---- */

#define LOGICAL(type)                                                                              \
    case DEV_LAND:                                                                                 \
        return (type) (t && o);                                                                    \
    case DEV_LOR:                                                                                  \
        return (type) (t || o);                                                                    \
    case DEV_LXOR:                                                                                 \
        return (type) (!t != !o)

#define ARITHMETIC(type)                                                                           \
    case DEV_SUM:                                                                                  \
        return (type) (t + o);                                                                     \
    case DEV_PROD:                                                                                 \
        return (type) (t * o);                                                                     \
    case DEV_MIN:                                                                                  \
        return t < o ? t : o;                                                                      \
    case DEV_MAX:                                                                                  \
        return t > o ? t : o;                                                                      \
    case DEV_REPLACE:                                                                              \
        return o;                                                                                  \
    case DEV_CAS:                                                                                  \
        return t == c ? o : t

#define BITWISE(type)                                                                              \
    case DEV_BAND:                                                                                 \
        return (type) (t & o);                                                                     \
    case DEV_BOR:                                                                                  \
        return (type) (t | o);                                                                     \
    case DEV_BXOR:                                                                                 \
        return (type) (t ^ o)

#define INTEGER(name, type)                                                                        \
    static type made_##name(enum dev_op op, type t, type o, type c)                                \
    {                                                                                              \
        switch ((int) op) {                                                                        \
            ARITHMETIC(type);                                                                      \
            LOGICAL(type);                                                                         \
            BITWISE(type);                                                                         \
        }                                                                                          \
        return t;                                                                                  \
    }
#define REAL(name, type)                                                                           \
    static type made_##name(enum dev_op op, type t, type o, type c)                                \
    {                                                                                              \
        switch ((int) op) {                                                                        \
            ARITHMETIC(type);                                                                      \
            LOGICAL(type);                                                                         \
        }                                                                                          \
        return t;                                                                                  \
    }
INTEGER(i8, int8_t)
INTEGER(u8, uint8_t)
INTEGER(i16, int16_t)
INTEGER(u16, uint16_t)
INTEGER(i32, int32_t)
INTEGER(u32, uint32_t)
INTEGER(i64, int64_t)
INTEGER(u64, uint64_t)
REAL(f, float)
REAL(d, double)

enum part { TARGET, ORIGIN, COMPARE }; /* the three operands */

/* Small numbers, of which no product is too large for a byte; half of the CAS match. */
static int number(enum part part, size_t i)
{
    static const int t[] = { 3, 0, 7, 1, 11 }, o[] = { 2, 5, 0 };

    return part == ORIGIN ? o[i % 3] : part == TARGET || i % 2 ? t[i % 5] : 99;
}

#define EACH(what)                                                                                 \
    switch (type) {                                                                                \
    case DEV_INT8:                                                                                 \
        what(i8, int8_t);                                                                          \
    case DEV_UINT8:                                                                                \
        what(u8, uint8_t);                                                                         \
    case DEV_INT16:                                                                                \
        what(i16, int16_t);                                                                        \
    case DEV_UINT16:                                                                               \
        what(u16, uint16_t);                                                                       \
    case DEV_INT32:                                                                                \
        what(i32, int32_t);                                                                        \
    case DEV_UINT32:                                                                               \
        what(u32, uint32_t);                                                                       \
    case DEV_INT64:                                                                                \
        what(i64, int64_t);                                                                        \
    case DEV_UINT64:                                                                               \
        what(u64, uint64_t);                                                                       \
    case DEV_FLOAT:                                                                                \
        what(f, float);                                                                            \
    case DEV_DOUBLE:                                                                               \
        what(d, double);                                                                           \
    case DEV_TYPES:                                                                                \
        break;                                                                                     \
    }

static void set(enum dev_type type, void *to, size_t i, int value)
{
#define SET(name, c)                                                                               \
    ((c *) to)[i] = (c) value;                                                                     \
    break
    EACH(SET)
}

/* Writes what the operation makes of element i. */
static void make(enum dev_type type, enum dev_op op, void *to, size_t i)
{
    int t = number(TARGET, i), o = number(ORIGIN, i), c = number(COMPARE, i);

#define MAKE(name, C)                                                                              \
    ((C *) to)[i] = made_##name(op, (C) t, (C) o, (C) c);                                          \
    break
    EACH(MAKE)
}

/* ---- every type and operation that the device says it does, with and without fetching ---- */

static char mem[BYTES] __attribute__((aligned(64)));
static char origin[MOST * 8], compare[MOST * 8], result[MOST * 8], expected[BYTES];

static void fill(enum dev_type type, char *to, enum part part, size_t count)
{
    for (size_t i = 0; i < count; i++)
        set(type, to, i, number(part, i));
}

static void check_here(enum dev_type type, enum dev_op op, size_t count)
{
    memset(expected, 0x33, sizeof expected);
    for (size_t i = 0; i < count; i++)
        make(type, op, expected + GUARD, i);
    CHECK(!memcmp(mem, expected, GUARD + count * dev_type_size(type) + GUARD));
}

static void one_count(enum dev_type type, enum dev_op op, bool fetches, size_t count)
{
    size_t len = count * dev_type_size(type);
    const struct window *w = window_of(next_rank(), 0);

    memset(mem, 0x33, sizeof mem);
    fill(type, mem + GUARD, TARGET, count);
    fill(type, origin, ORIGIN, count);
    fill(type, compare, COMPARE, count);
    memset(result, 0x44, sizeof result);
    rig_barrier();
    if (can_do(next_rank()))
        CHECK(!finish((struct dev_atomic) { .addr = w->addr + GUARD,
                                            .key = w->key,
                                            .count = count,
                                            .type = type,
                                            .op = op,
                                            .origin = op == DEV_READ ? NULL : origin,
                                            .compare = op == DEV_CAS ? compare : NULL,
                                            .result = fetches ? result : NULL },
                      next_rank()));
    rig_barrier();
    if (can_do(last_rank()))
        check_here(type, op, count);
    if (!fetches || !can_do(next_rank()))
        return;
    fill(type, expected, TARGET, count);
    CHECK(!memcmp(result, expected, len));
    CHECK(len == sizeof result || result[len] == 0x44);
}

void atomics_ops(void)
{
    CHECK(!rig.dev->atomic == !rig.dev->atomic_room);
    void *handle = window_open(mem, sizeof mem, 0);
    rig_barrier();
    for (int k = 0; k < DEV_TYPES * DEV_OPS * 2 && rig.dev->atomic; k++) {
        enum dev_type type = (enum dev_type)(k / 2 % DEV_TYPES);
        enum dev_op op = (enum dev_op)(k / 2 / DEV_TYPES);
        size_t room = rig.dev->atomic_room(type, op, k % 2);
        size_t most = room < MOST ? room : MOST;
        const size_t counts[] = { 1, 2, 3, most / 2, most - 1, most };
        CHECK(!room || k % 2 || (op != DEV_READ && op != DEV_CAS));
        for (int i = 0; i < 6 && room; i++)
            if (counts[i] && counts[i] <= most)
                one_count(type, op, k % 2, counts[i]);
    }
    rig_barrier();
    window_close(handle);
}

/* ---- all add to words of rank 0 at once, many operations under way ---- */

void atomics_one_word(void)
{
    enum { ADDS = 200, AT_ONCE = 20 };
    static uint64_t words[2], one = 1, before[AT_ONCE];
    struct dev_atomic op[AT_ONCE];
    size_t room[2] = { 0, 0 };

    words[0] = words[1] = 0;
    void *handle = window_open((char *) words, sizeof words, 0);
    rig_barrier();
    for (int f = 0; f < 2 && rig.rank && can_do(0); f++)
        room[f] = rig.dev->atomic_room(DEV_UINT64, DEV_SUM, f);
    for (int i = 0; i < ADDS && rig.rank; i += AT_ONCE) {
        for (int k = 0; k < AT_ONCE; k++)
            op[k] =
                (struct dev_atomic) { .addr = room[k % 2] ? window_of(0, 0)->addr + 8 * (k % 2) : 0,
                                      .key = window_of(0, 0)->key,
                                      .count = 1,
                                      .type = DEV_UINT64,
                                      .op = DEV_SUM,
                                      .origin = &one,
                                      .result = k % 2 ? &before[k] : NULL };
        for (int tries = 0, left = AT_ONCE; left; tries++) {
            CHECK(tries < 100);
            for (int k = 0; k < AT_ONCE; k++)
                if (op[k].addr)
                    begin(&op[k], 0);
            RIG_WAIT(!under_way);
            left = 0;
            for (int k = 0; k < AT_ONCE; k++)
                left += op[k].addr != 0;
        }
        for (int k = 1; k < AT_ONCE && room[1]; k += 2)
            CHECK(before[k] < (uint64_t) (rig.size - 1) * ADDS / 2);
    }
    rig_barrier();
    for (int f = 0; f < 2 && !rig.rank && can_do(1); f++)
        CHECK(words[f]
              == (rig.dev->atomic_room(DEV_UINT64, DEV_SUM, f)
                      ? (uint64_t) (rig.size - 1) * ADDS / 2
                      : 0));
    rig_barrier();
    window_close(handle);
}

/* ---- rank 1 is killed during operations on its memory: each is done once ---- */

void atomics_death(void)
{
    enum { OPS = 30 };
    static uint64_t word, one = 1, before[OPS];
    struct dev_atomic op[OPS];

    void *handle = window_open((char *) &word, sizeof word, 0);
    rig_barrier();
    bool adds = rig.rank == 0 && can_do(1) && rig.dev->atomic_room(DEV_UINT64, DEV_SUM, true);
    for (int i = 0; i < OPS && adds; i++) {
        op[i] = (struct dev_atomic) { .addr = window_of(1, 0)->addr,
                                      .key = window_of(1, 0)->key,
                                      .count = 1 };
        op[i].type = DEV_UINT64;
        op[i].op = DEV_SUM;
        op[i].origin = &one;
        op[i].result = &before[i];
        begin(&op[i], 1);
    }
    window_owner_dies();
    if (rig.rank == 0)
        CHECK(!under_way && done_count == (adds ? OPS : 0));
    window_close(handle);
}

/* ---- a wrong key ends in an error and touches nothing ---- */

static int rma_error;

static void put_done(struct dev_put *op, int err)
{
    (void) op;
    under_way--;
    rma_error = err;
}

static void get_done(struct dev_get *op, int err)
{
    (void) op;
    under_way--;
    rma_error = err;
}

static void wrong_put(const struct window *w)
{
    static char data[1000];
    struct dev_put op = { .from = data, .addr = w->addr, .key = w->key ^ 1, .len = sizeof data };

    op.done = put_done;
    under_way++;
    rig.dev->put(rig_peer(0), &op);
    RIG_WAIT(!under_way);
    CHECK(rma_error < 0);
}

static void wrong_get(const struct window *w)
{
    static char data[1000];
    struct dev_get op = { .to = data, .addr = w->addr, .key = w->key ^ 1, .len = sizeof data };

    op.done = get_done;
    under_way++;
    rig.dev->get(rig_peer(0), &op);
    RIG_WAIT(!under_way);
    CHECK(rma_error < 0);
}

static void wrong_atomic(const struct window *w)
{
    static uint64_t one = 1, before = 5;
    struct dev_atomic op = { .addr = w->addr, .key = w->key ^ 1, .count = 1, .type = DEV_UINT64 };

    if (!rig.dev->atomic_room(DEV_UINT64, DEV_SUM, true))
        return;
    op.op = DEV_SUM;
    op.origin = &one;
    op.result = &before;
    CHECK(finish(op, 0) < 0 && before == 5);
}

/* Where memory need not be registered there is no key. A provider may end the connection for it, so
 * the peer may be lost. Provider shm of libfabric 1.17 does not look at keys when it reads, and
 * never completes a write or an atomic operation whose key is wrong: it is not tested. */
void wrong_keys(void)
{
    static char area[1000] __attribute__((aligned(8)));

    traffic_expect_loss = true;
    memset(area, 0x33, sizeof area);
    void *handle = window_open(area, sizeof area, 0);
    rig_barrier();
    if (rig.rank == 1 && rig.dev->register_memory) {
        if (can_do(0))
            wrong_atomic(window_of(0, 0));
        if (window_can_put(0))
            wrong_put(window_of(0, 0));
        if (rig.dev->get && rig_peer(0)->can_get)
            wrong_get(window_of(0, 0));
    }
    rig_barrier();
    for (size_t i = 0; i < sizeof area; i++)
        CHECK(area[i] == 0x33);
    rig_barrier();
    window_close(handle);
}
