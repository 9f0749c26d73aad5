/* device.c — puts and gets that the device does: keys, when messages are taken instead, and
 * what waits for them. The device writes to the window of rma_loop.c, as the other process would
 * have it. */
#include <errno.h>
#include <string.h>
#include "rma/rma_loop.h"

enum { LARGE = 40000 };

static char out[LOOP_BYTES], in[LOOP_BYTES];

static struct {
    int puts, gets, registered, deregistered;
    int fails;           /* so many operations */
    bool late;           /* done() is called by finish_late() */
    struct dev_put *put; /* such a one */
    int syncs;           /* sent when it was finished */
    struct dev_get *get;
} dev;

static void check_key(uint64_t key) { assert_int_equal(key, 77); }

static void put_now(struct dev_put *op)
{
    char *at = (char *) (uintptr_t) (op->addr - FAKE_SHIFT);

    check_key(op->key);
    if (op->memory)
        op->memory->gather(op->memory, 0, at, op->len);
    else
        memcpy(at, op->from, op->len);
    op->done(op, 0);
}

static void put(struct dev_peer *to, struct dev_put *op)
{
    assert_int_equal(to->rank, 1);
    dev.puts++;
    if (dev.late)
        dev.put = op;
    else if (dev.fails && dev.fails--)
        op->done(op, -EIO);
    else
        put_now(op);
}

static void get(struct dev_peer *from, struct dev_get *op)
{
    const char *at = (const char *) (uintptr_t) (op->addr - FAKE_SHIFT);

    assert_int_equal(from->rank, 1);
    check_key(op->key);
    dev.gets++;
    if (dev.fails && dev.fails--) {
        op->done(op, -EOPNOTSUPP);
        return;
    }
    if (op->memory)
        op->memory->scatter(op->memory, 0, at, op->len);
    else
        memcpy(op->to, at, op->len);
    op->done(op, 0);
}

static int register_memory(const struct iovec *mem, uint64_t *addr, uint64_t *key, void **handle)
{
    assert_ptr_equal(mem->iov_base, loop_memory);
    assert_int_equal(mem->iov_len, LOOP_BYTES);
    *addr = (uintptr_t) mem->iov_base + FAKE_SHIFT;
    *key = 77;
    *handle = &dev;
    dev.registered++;
    return 0;
}

static void deregister_memory(void *handle)
{
    assert_ptr_equal(handle, &dev);
    dev.deregistered++;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int setup(void **s)
{
    memset(&dev, 0, sizeof dev);
    fake_ops.put = put;
    fake_ops.get = get;
    fake_ops.register_memory = register_memory;
    fake_ops.deregister_memory = deregister_memory;
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (char) unit_random(256);
    memset(in, '#', sizeof in);
    (void) loop_setup(s);
    loop.w->comm->proc[1]->peer.can_put = loop.w->comm->proc[1]->peer.can_get = true;
    return 0;
}

static int teardown(void **s)
{
    int err = loop_teardown(s);

    assert_int_equal(dev.registered, dev.deregistered);
    fake_ops.put = NULL;
    fake_ops.register_memory = NULL;
    fake_ops.deregister_memory = NULL;
    return err;
}

static void send_one(enum adi3_rma_kind kind, MPI_Aint disp, struct adi3_data d)
{
    const struct adi3_rma x = loop_op(kind, disp, d);

    (void) loop_send(&x, false);
}

/* The first operation asks for the key, and goes by messages. */
static void know_key(void)
{
    send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
    assert_int_equal(loop.t->key_state, RMA_KEY_REQUESTED);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(loop.t->key_state, RMA_KEY_KNOWN);
    assert_int_equal(dev.puts + dev.gets, 0);
    assert_int_equal(dev.registered, 1);
    memset(loop_memory, 0, sizeof loop_memory);
}

/* ---- what the device does -------------------------------------------------------------------- */

static void both_ways(void **state)
{
    (void) state;
    know_key();
    int packets = loop.sent[PKT_RMA];
    send_one(ADI3_PUT, 25, fake_bytes(out, LARGE));
    assert_int_equal(dev.puts, 1);
    assert_memory_equal(loop_memory + (ptrdiff_t) 25 * LOOP_UNIT, out, LARGE);
    assert_int_equal(loop_memory[25 * LOOP_UNIT - 1], 0);
    assert_int_equal(loop_memory[25 * LOOP_UNIT + LARGE], 0);
    send_one(ADI3_GET, 25, fake_bytes(in, LARGE));
    assert_int_equal(dev.gets, 1);
    assert_memory_equal(in, out, LARGE);
    assert_int_equal(loop.t->pending + loop.t->at_device + loop.t->unflushed, 0);
    assert_int_equal(loop.sent[PKT_RMA], packets);
    assert_int_equal(dev.registered, 1);
}

/* Every second int here, one range there. */
static void scattered_here(void **state)
{
    struct adi3_type *spread;

    (void) state;
    assert_int_equal(adi3_type_hvector(10000, 1, 8, adi3_type_builtin(MPI_INT), &spread),
                     MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(spread), MPI_SUCCESS);
    know_key();
    struct adi3_rma x = loop_op(ADI3_PUT, 0, (struct adi3_data) { out, 1, spread });
    x.count = 10000;
    x.type = adi3_type_builtin(MPI_INT);
    (void) loop_send(&x, false);
    x.kind = ADI3_GET;
    x.origin.buf = in;
    (void) loop_send(&x, false);
    assert_int_equal(dev.puts, 1);
    assert_int_equal(dev.gets, 1);
    for (size_t i = 0; i < 10000; i++) {
        assert_memory_equal(loop_memory + 4 * i, out + 8 * i, 4);
        assert_memory_equal(in + 8 * i, out + 8 * i, 4);
        assert_memory_equal(in + 8 * i + 4, "####", 4);
    }
    adi3_type_release(spread);
}

/* ---- what goes by messages ------------------------------------------------------------------- */

static void not_by_device(void **state)
{
    struct adi3_type *spread;

    (void) state;
    know_key();
    assert_int_equal(adi3_type_hvector(10000, 1, 8, adi3_type_builtin(MPI_INT), &spread),
                     MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(spread), MPI_SUCCESS);
    struct adi3_rma x = loop_op(ADI3_PUT, 0, fake_bytes(out, 40000));
    x.count = 1;
    x.type = spread; /* ranges there */
    (void) loop_send(&x, false);
    send_one(ADI3_PUT, 0, fake_bytes(out, rma_device_least - 1)); /* small */
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    send_one(ADI3_PUT, LOOP_BYTES / LOOP_UNIT - 1, fake_bytes(out, LARGE)); /* outside */
    assert_int_equal(fake_class(loop_flush()), MPI_ERR_RMA_RANGE);
    loop.t->key.device++; /* it is reached by another device there */
    send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
    loop.t->key.device--;
    loop.w->comm->proc[1]->peer.can_put = false;
    send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(dev.puts, 0);
    adi3_type_release(spread);
}

static void no_key(void **state)
{
    static const struct rma_key keys[] = { { .addr = 0, .disp_unit = 4 },
                                           { .addr = 4096, .disp_unit = 0 },
                                           { .addr = 4096, .disp_unit = -1 } };

    (void) state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        rma_key_received(loop.t, &keys[i]);
        assert_int_equal(loop.t->key_state, RMA_KEY_NONE);
        send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
        assert_int_equal(loop_flush(), MPI_SUCCESS);
    }
    loop.w->size = 0;
    loop.t->key_state = RMA_KEY_UNKNOWN;
    send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
    assert_int_equal(fake_class(loop_flush()), MPI_ERR_RMA_RANGE);
    assert_int_equal(loop.t->key_state, RMA_KEY_NONE);
    loop.w->size = LOOP_BYTES;
    assert_int_equal(dev.puts + dev.registered, 0);
}

/* What the device refuses is done by messages, and a flush waits for these as well. */
static void refused_by_device(void **state)
{
    (void) state;
    know_key();
    dev.fails = 2;
    send_one(ADI3_PUT, 1, fake_bytes(out, LARGE));
    send_one(ADI3_GET, 1, fake_bytes(in, LARGE));
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(dev.puts, 1);
    assert_int_equal(dev.gets, 1);
    assert_memory_equal(loop_memory + LOOP_UNIT, out, LARGE);
    assert_memory_equal(in, out, LARGE);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool finish_late(void)
{
    struct dev_put *op = dev.put;
    bool any = loop_pump();

    if (!op || any)
        return any;
    dev.put = NULL;
    dev.syncs = loop.sent[PKT_RMA_SYNC];
    if (dev.fails && dev.fails--)
        op->done(op, -EIO);
    else
        put_now(op);
    return true;
}

static void waits(void **state)
{
    (void) state;
    know_key();
    fake.poll = finish_late;
    dev.late = true;
    for (dev.fails = 1; dev.fails >= 0;) {
        int last = dev.fails;
        memset(loop_memory, 0, LARGE);
        send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
        assert_int_equal(loop.t->at_device, 1);
        assert_true(rma_is_busy(loop.w));
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        assert_memory_equal(loop_memory, out, LARGE);
        dev.fails = last - 1;
    }
}

static void unlock_waits(void **state)
{
    (void) state;
    know_key();
    assert_int_equal(adi3_win_lock(loop.w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
    fake.poll = finish_late;
    dev.late = true;
    send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
    int syncs = loop.sent[PKT_RMA_SYNC];
    assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
    assert_int_equal(dev.syncs, syncs); /* none before the put was done */
    assert_true(loop.sent[PKT_RMA_SYNC] > syncs);
    assert_memory_equal(loop_memory, out, LARGE);
}

static void request_waits(void **state)
{
    (void) state;
    know_key();
    dev.late = true;
    const struct adi3_rma x = loop_op(ADI3_PUT, 3, fake_bytes(out, LARGE));
    struct adi3_request *r = adi3_request_get(loop_send(&x, true));
    assert_false(fake_done(r));
    (void) finish_late();
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_memory_equal(loop_memory + (ptrdiff_t) 3 * LOOP_UNIT, out, LARGE);
}

/* Registrations end with the devices; after that all is asked anew. */
static void devices_end(void **state)
{
    (void) state;
    know_key();
    rma_devices_end();
    assert_int_equal(dev.deregistered, 1);
    assert_null(loop.w->registered);
    dev.registered = dev.deregistered = 0;
    know_key();
    send_one(ADI3_PUT, 0, fake_bytes(out, LARGE));
    assert_int_equal(dev.puts, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_ways),    TEST(scattered_here),    TEST(not_by_device),
        TEST(no_key),       TEST(refused_by_device), TEST(waits),
        TEST(unlock_waits), TEST(request_waits),     TEST(devices_end),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
