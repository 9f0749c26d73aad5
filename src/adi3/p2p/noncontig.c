/* noncontig.c — messages in pieces that their receivers read, as those in one piece: the
 * datatype goes with the RTS.
 *
 * Behind the RTS come the address of the buffer, the number of elements and the type as
 * adi3_type_serialize() writes it, where that is short and its pieces are long enough for the
 * device. The receiver makes a type of it, whose ranges are then addresses of the sender. What
 * makes no sense is not read: the message comes in packets. */
#include <stdlib.h>
#include <string.h>
#include "p2p_impl.h"

struct place { /* what comes before the type */
    uint64_t buf, count;
};

struct pieces {
    struct dev_memory memory;
    struct adi3_data data; /* whose addresses are the sender's */
};

/* ---- the sender ------------------------------------------------------------------------------ */

size_t noncontig_write(const struct adi3_request *r, size_t least, void *to, size_t room)
{
    const struct adi3_data *d = &r->data;
    const struct place place = { (uintptr_t) d->buf, d->count };
    size_t len = 0;

    if (least && room > sizeof place && d->type->size / least >= adi3_type_ranges(d->type))
        len = adi3_type_serialize(d->type, (char *) to + sizeof place, room - sizeof place);
    if (len == 0 || len > room - sizeof place)
        return 0;
    memcpy(to, &place, sizeof place);
    return sizeof place + len;
}

const struct dev_memory *noncontig_exposed(struct dev_peer *to, uint64_t key)
{
    const struct adi3_request *r = adi3_get(&adi3_requests, (int) (uint32_t) key);
    bool offered = key <= UINT32_MAX && r && r->peer == to && r->awaits == PKT_CTS && r->scattered
                   && r->op.pkt.addr;

    return offered ? &r->memory : NULL;
}

/* ---- the receiver ---------------------------------------------------------------------------- */

static int ranges(const struct dev_memory *m, size_t *at, struct iovec *v, int n)
{
    return adi3_ranges(&OS_OWNER(m, const struct pieces, memory)->data, at, v, n);
}

static struct { /* the last type, which the next message often has too */
    struct adi3_type *type;
    size_t len;
    char bytes[NONCONTIG_MOST];
} last;

/* One reference to the type of these bytes. NULL: they are none. */
static struct adi3_type *type_of(const char *bytes, size_t len)
{
    struct adi3_type *t = NULL;

    if (last.type && last.len == len && !memcmp(last.bytes, bytes, len)) {
        last.type->refs++;
        return last.type;
    }
    if (adi3_type_deserialize(bytes, len, &t))
        return NULL;
    noncontig_finalize();
    t->refs++;
    last.type = t;
    last.len = len;
    memcpy(last.bytes, bytes, len);
    return t;
}

void noncontig_finalize(void)
{
    if (last.type)
        adi3_type_release(last.type);
    last.type = NULL;
}

static bool is_of(const struct adi3_type *t, size_t count, size_t len)
{
    size_t bytes;

    return !__builtin_mul_overflow(t->size, count, &bytes) && bytes == len;
}

const struct dev_memory *noncontig_read(const void *payload, size_t bytes, size_t len)
{
    const char *type = (const char *) payload + sizeof(struct place);
    struct pieces *p = bytes > sizeof(struct place) ? malloc(sizeof *p) : NULL;
    struct place place;

    if (!p)
        return NULL;
    memcpy(&place, payload, sizeof place);
    p->memory = (struct dev_memory) { .ranges = ranges };
    p->data = (struct adi3_data) { (void *) (uintptr_t) place.buf, place.count,
                                   type_of(type, bytes - sizeof place) };
    if (p->data.type && is_of(p->data.type, place.count, len))
        return &p->memory;
    noncontig_free(&p->memory);
    return NULL;
}

void noncontig_free(const struct dev_memory *m)
{
    struct pieces *p = m ? OS_OWNER(m, struct pieces, memory) : NULL;

    if (p && p->data.type)
        adi3_type_release(p->data.type);
    free(p);
}
