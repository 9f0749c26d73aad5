/* rma_units.c — one-sided operations and registrations of the libfabric device, with a
 * provider that only counts and records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <rdma/fi_rma.h>
#include "devices/libfabric/module/ofi_impl.h"

enum { LIMIT = 1000, MOST = 16 };

/* ---- what stands for the provider ---- */

static struct {
    void *context;
    uint64_t addr, key, flags;
    const char *from;
    size_t len;
} wrote[MOST];
static int writes, answer; /* answer: of the next writes */

static ssize_t ep_write(struct fid_ep *ep, const struct fi_msg_rma *m, uint64_t flags)
{
    (void) ep;
    if (answer)
        return answer;
    assert_true(writes < MOST);
    wrote[writes].context = m->context;
    wrote[writes].addr = m->rma_iov->addr;
    wrote[writes].key = m->rma_iov->key;
    wrote[writes].len = m->rma_iov->len;
    wrote[writes].from = m->msg_iov->iov_base;
    wrote[writes++].flags = flags;
    return 0;
}

static int registered, closed;

static int mr_close(struct fid *fid)
{
    closed++;
    free(OS_OWNER(fid, struct fid_mr, fid));
    return 0;
}

static struct fi_ops mr_fid_ops = { .size = sizeof mr_fid_ops, .close = mr_close };

static int mr_reg(struct fid *fid, const void *buf, size_t len, uint64_t access, uint64_t offset,
                  uint64_t key, uint64_t flags, struct fid_mr **mr, void *context)
{
    (void) fid, (void) buf, (void) len, (void) access, (void) offset, (void) flags, (void) context;
    *mr = calloc(1, sizeof **mr);
    assert_non_null(*mr);
    (*mr)->fid.ops = &mr_fid_ops;
    (*mr)->key = key;
    registered++;
    return 0;
}

static struct fi_ops_rma rma_ops = { .size = sizeof rma_ops, .writemsg = ep_write };
static struct fi_ops_mr mr_ops = { .size = sizeof mr_ops, .reg = mr_reg };
static struct fid_ep endpoint = { .rma = &rma_ops };
static struct fid_domain fid_domain = { .mr = &mr_ops };
static struct fi_domain_attr domain_attr = { .mr_mode = FI_MR_VIRT_ADDR, .mr_key_size = 8 };
static struct fi_ep_attr ep_attr = { .max_msg_size = LIMIT };
static struct fi_info info = { .domain_attr = &domain_attr, .ep_attr = &ep_attr };
static struct ofi_peer p;
static struct dev_peer peer = { .can_put = true, .priv = &p };

static int done_count, done_error;

static void put_done(struct dev_put *op, int err)
{
    (void) op;
    done_count++;
    done_error = err;
}

static int start(void **state)
{
    (void) state;
    domain_attr.mr_mode = FI_MR_VIRT_ADDR;
    ofi_dev = (struct ofi_device) {
        .ep = &endpoint, .domain = &fid_domain, .info = &info, .can_put = true
    };
    p = (struct ofi_peer) { .peer = &peer };
    writes = answer = registered = closed = done_count = done_error = 0;
    return 0;
}

static struct ofi_rma *written(int i) { return OS_OWNER(wrote[i].context, struct ofi_rma, op); }

static char data[5 * LIMIT / 2];

static struct dev_put put_of(size_t len)
{
    return (struct dev_put) { .from = data, .addr = 70000, .key = 9, .len = len, .done = put_done };
}

/* ---- writes ---- */

static void long_put(void **state)
{
    static const size_t lens[] = { LIMIT, LIMIT, LIMIT / 2 };
    struct dev_put op = put_of(sizeof data);

    (void) state;
    ofi_put(&peer, &op);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(writes, i + 1);
        assert_int_equal(done_count, 0);
        assert_true(wrote[i].len == lens[i] && wrote[i].key == 9);
        assert_true(wrote[i].addr == 70000 + (size_t) i * LIMIT);
        assert_ptr_equal(wrote[i].from, data + i * LIMIT);
        assert_true(wrote[i].flags & FI_DELIVERY_COMPLETE);
        ofi_rma_done(written(i), 0);
    }
    assert_true(writes == 3 && done_count == 1 && done_error == 0 && !ofi_dev.rma);
}

static void no_room(void **state)
{
    struct dev_put op = put_of(10);

    (void) state;
    answer = -FI_EAGAIN;
    ofi_put(&peer, &op);
    assert_true(writes == 0 && done_count == 0 && ofi_dev.retry_needed);
    assert_false(ofi_rma_more());
    answer = 0;
    assert_true(ofi_rma_more());
    assert_int_equal(writes, 1);
    assert_false(ofi_rma_more()); /* it is under way: not written again */
    assert_int_equal(writes, 1);
    ofi_rma_done(written(0), 0);
    assert_true(done_count == 1 && done_error == 0);
}

static void refused(void **state)
{
    struct dev_put op = put_of(10);

    (void) state;
    answer = -FI_EINVAL;
    ofi_put(&peer, &op);
    assert_true(done_count == 1 && done_error == -EINVAL && !ofi_dev.rma);
}

/* After an error nothing more is written. */
static void completion_error(void **state)
{
    struct dev_put op = put_of(sizeof data);

    (void) state;
    ofi_put(&peer, &op);
    ofi_rma_done(written(0), -EACCES);
    assert_true(writes == 1 && done_count == 1 && done_error == -EACCES && !ofi_dev.rma);
}

/* The peer ends during one write, and while another waits for room: both end at once, but the
 * record of the first stays until the provider has completed it. */
static void peer_is_gone(void **state)
{
    struct dev_put first = put_of(sizeof data), second = put_of(10), third = put_of(10);

    (void) state;
    ofi_put(&peer, &first);
    answer = -FI_EAGAIN;
    ofi_put(&peer, &second);
    ofi_drop_rma(&p, -ECONNRESET);
    assert_true(done_count == 2 && done_error == -ECONNRESET && ofi_dev.rma == written(0));
    ofi_rma_done(written(0), 0);
    assert_true(done_count == 2 && writes == 1 && !ofi_dev.rma);
    p.lost = -ETIMEDOUT;
    answer = 0;
    ofi_put(&peer, &third);
    assert_true(done_count == 3 && done_error == -ETIMEDOUT && writes == 1);
}

/* ---- allocated memory ---- */

static void *expose(char *at, size_t len, uint64_t *addr, uint64_t *key)
{
    struct iovec v = { at, len };
    void *handle = NULL;

    assert_int_equal(ofi_register_memory(&v, addr, key, &handle), 0);
    return handle;
}

static void registered_once(void **state)
{
    uint64_t addr[3], key[3];
    char *at = ofi_alloc_mem(64, 1000);

    (void) state;
    assert_true(at && (uintptr_t) at % 64 == 0 && registered == 0);
    void *all = expose(at, 1000, &addr[0], &key[0]),
         *part = expose(at + 990, 10, &addr[1], &key[1]);
    assert_int_equal(registered, 1);
    assert_true(key[0] == key[1] && addr[1] == addr[0] + 990);
    ofi_unexpose(all);
    ofi_unexpose(part);
    assert_int_equal(closed, 0);
    void *outside = expose(at + 990, 11, &addr[2], &key[2]);
    assert_true(registered == 2 && key[2] != key[0]);
    ofi_unexpose(outside);
    assert_int_equal(closed, 1);
    assert_false(ofi_free_mem(at + 1));
    assert_false(ofi_free_mem(data));
    assert_true(ofi_free_mem(at));
    assert_int_equal(closed, 2);
    assert_false(ofi_free_mem(data));
}

/* Where local memory must be registered that of a put is, once. */
static void local_memory(void **state)
{
    char *at = ofi_alloc_mem(64, 100);
    struct dev_put op = put_of(100);

    (void) state;
    domain_attr.mr_mode |= FI_MR_LOCAL;
    for (int i = 0; i < 2; i++) {
        op.from = at;
        ofi_put(&peer, &op);
        ofi_rma_done(written(i), 0);
        assert_true(registered == 1 && closed == 0);
    }
    op.from = data;
    ofi_put(&peer, &op);
    ofi_rma_done(written(2), 0);
    assert_true(registered == 2 && closed == 1 && done_count == 3);
    assert_true(ofi_free_mem(at));
}

/* The memory outlives the domain, and is registered anew with the next one. */
static void reopened(void **state)
{
    uint64_t addr, key;
    char *at = ofi_alloc_mem(64, 100);

    (void) state;
    domain_attr.mr_mode = 0;
    ofi_unexpose(expose(at + 7, 10, &addr, &key));
    assert_true(addr == OFI_OFFSET + 7);
    ofi_regions_close();
    assert_int_equal(closed, 1);
    ofi_unexpose(expose(at, 10, &addr, &key));
    assert_true(registered == 2 && addr == OFI_OFFSET);
    assert_true(ofi_free_mem(at));
    assert_int_equal(closed, 2);
}

#define UNIT(test) cmocka_unit_test_setup(test, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(long_put),     UNIT(no_room),         UNIT(refused),      UNIT(completion_error),
        UNIT(peer_is_gone), UNIT(registered_once), UNIT(local_memory), UNIT(reopened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
