/* atomic.c — atomic operations of the provider.
 *
 * Their local elements are copied into `staged`, as the provider may use them after ADI3 has been
 * told that the peer is lost: first those of the origin, then the result, then those to compare. */
#include <rdma/fi_atomic.h>
#include <string.h>
#include "devices/libfabric/module/ofi_impl.h"

enum { MOST = 16 << 10 /* bytes of one operation */ };

static const enum fi_datatype types[DEV_TYPES] = {
    [DEV_INT8] = FI_INT8,     [DEV_UINT8] = FI_UINT8,   [DEV_INT16] = FI_INT16,
    [DEV_UINT16] = FI_UINT16, [DEV_INT32] = FI_INT32,   [DEV_UINT32] = FI_UINT32,
    [DEV_INT64] = FI_INT64,   [DEV_UINT64] = FI_UINT64, [DEV_FLOAT] = FI_FLOAT,
    [DEV_DOUBLE] = FI_DOUBLE,
};

static const enum fi_op ops[DEV_OPS] = {
    [DEV_SUM] = FI_SUM,
    [DEV_PROD] = FI_PROD,
    [DEV_MIN] = FI_MIN,
    [DEV_MAX] = FI_MAX,
    [DEV_LAND] = FI_LAND,
    [DEV_LOR] = FI_LOR,
    [DEV_LXOR] = FI_LXOR,
    [DEV_BAND] = FI_BAND,
    [DEV_BOR] = FI_BOR,
    [DEV_BXOR] = FI_BXOR,
    [DEV_REPLACE] = FI_ATOMIC_WRITE,
    [DEV_READ] = FI_ATOMIC_READ,
    [DEV_CAS] = FI_CSWAP,
};

/* Without reports of delivery the operation always fetches: what was there before cannot be here
 * before it has happened. */
static bool is_fetching(const struct dev_atomic *op)
{
    return op->result || !ofi_dev.atomic_delivery;
}

static size_t provider_atomic_max(enum dev_type type, enum dev_op op, bool fetches)
{
    size_t count = 0, most = MOST / dev_type_size(type);
    int rc;

    if (!fetches && (op == DEV_READ || op == DEV_CAS))
        return 0;
    if (op == DEV_CAS)
        rc = fi_compare_atomicvalid(ofi_dev.ep, types[type], ops[op], &count);
    else if (fetches || !ofi_dev.atomic_delivery)
        rc = fi_fetch_atomicvalid(ofi_dev.ep, types[type], ops[op], &count);
    else
        rc = fi_atomicvalid(ofi_dev.ep, types[type], ops[op], &count);
    if (rc)
        return 0;
    return count < most ? count : most;
}

void ofi_atomic_query(void)
{
    for (int i = 0; i < DEV_TYPES * DEV_OPS * 2 && ofi_dev.can_atomic; i++) {
        enum dev_type type = (enum dev_type)(i / 2 % DEV_TYPES);
        enum dev_op op = (enum dev_op)(i / 2 / DEV_TYPES);
        ofi_dev.atomic_room[type][op][i % 2] = provider_atomic_max(type, op, i % 2);
    }
}

size_t ofi_atomic_room(enum dev_type type, enum dev_op op, bool fetches)
{
    return ofi_dev.atomic_room[type][op][fetches];
}

size_t ofi_atomic_len(const struct dev_atomic *op)
{
    return 3 * op->count * dev_type_size(op->type);
}

ssize_t ofi_atomic_start(struct ofi_rma *r, void *desc)
{
    const struct dev_atomic *op = r->atomic;
    uint64_t flags = FI_COMPLETION | (ofi_dev.atomic_delivery ? FI_DELIVERY_COMPLETE : 0);
    struct fi_ioc local[] = { { r->staged, op->count },
                              { r->staged + r->len, op->count },
                              { r->staged + 2 * r->len, op->count } };
    struct fi_rma_ioc there = { .addr = r->addr, .count = op->count, .key = r->key };
    const struct fi_msg_atomic m = { .msg_iov = local,
                                     .desc = &desc,
                                     .iov_count = 1,
                                     .addr = r->peer->address,
                                     .rma_iov = &there,
                                     .rma_iov_count = 1,
                                     .datatype = types[op->type],
                                     .op = ops[op->op],
                                     .context = &r->op };

    if (op->origin)
        memcpy(r->staged, op->origin, r->len);
    else
        memset(r->staged, 0,
               r->len); /* a read has no elements of the origin, but providers send them */
    if (op->compare)
        memcpy(r->staged + 2 * r->len, op->compare, r->len);
    r->asked = r->len;
    if (op->op == DEV_CAS)
        return fi_compare_atomicmsg(ofi_dev.ep, &m, &local[2], &desc, 1, &local[1], &desc, 1,
                                    flags);
    if (is_fetching(op))
        return fi_fetch_atomicmsg(ofi_dev.ep, &m, &local[1], &desc, 1, flags);
    return fi_atomicmsg(ofi_dev.ep, &m, flags);
}

void ofi_atomic_result(const struct ofi_rma *r)
{
    if (r->atomic->result)
        memcpy(r->atomic->result, r->staged + r->len, r->len);
}
