/* noncontig.c — noncontiguous messages that the receiver reads out of the sender's memory: the
 * layout travels behind the RTS.
 *
 * A layout is the address of the buffer, the number of elements, and the datatype as
 * adi3_type_serialize() writes it. It is sent where it is short, and where the ranges of the type
 * are long enough for the device. The receiver makes a type of it, whose ranges are addresses in
 * the sender. A layout that makes no sense is not used: then the message comes in packets. */
#include <stdlib.h>
#include <string.h>
#include "adi3/p2p/p2p_impl.h"

struct layout_head { /* what stands before the type */
    uint64_t buf, count;
};

struct layout {
    struct dev_memory memory;
    struct adi3_data data; /* its addresses are in the sender */
};

/* ---- the sender ------------------------------------------------------------------------------ */

size_t noncontig_write(const struct adi3_request *r, size_t least, void *to, size_t room)
{
    const struct adi3_data *d = &r->data;
    const struct layout_head head = { (uintptr_t) d->buf, d->count };
    size_t len = 0;

    if (least && room > sizeof head && d->type->size / least >= adi3_type_ranges(d->type))
        len = adi3_type_serialize(d->type, (char *) to + sizeof head, room - sizeof head);
    if (len == 0 || len > room - sizeof head)
        return 0;
    memcpy(to, &head, sizeof head);
    return sizeof head + len;
}

const struct dev_memory *noncontig_exposed(struct dev_peer *to, uint64_t key)
{
    const struct adi3_request *r = adi3_get(&adi3_requests, (int) (uint32_t) key);
    bool exposed = key <= UINT32_MAX && r && r->peer == to && r->awaits == PKT_CTS && r->scattered
                   && r->op.pkt.addr;

    return exposed ? &r->memory : NULL;
}

/* ---- the receiver ---------------------------------------------------------------------------- */

static int noncontig_ranges(const struct dev_memory *m, size_t *at, struct iovec *v, int n)
{
    return adi3_ranges(&OS_OWNER(m, const struct layout, memory)->data, at, v, n);
}

static struct { /* the last type that came: the next message often has the same */
    struct adi3_type *type;
    size_t len;
    char bytes[NONCONTIG_MOST];
} last;

/* The type that these bytes describe, with a reference for the caller; NULL: they are none. */
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

/* Do so many elements of type t have len bytes? */
static bool is_of(const struct adi3_type *t, size_t count, size_t len)
{
    size_t bytes;

    return !__builtin_mul_overflow(t->size, count, &bytes) && bytes == len;
}

const struct dev_memory *noncontig_read(const void *payload, size_t bytes, size_t len)
{
    const char *type = (const char *) payload + sizeof(struct layout_head);
    struct layout *p = bytes > sizeof(struct layout_head) ? malloc(sizeof *p) : NULL;
    struct layout_head head;

    if (!p)
        return NULL;
    memcpy(&head, payload, sizeof head);
    p->memory = (struct dev_memory) { .ranges = noncontig_ranges };
    p->data = (struct adi3_data) { (void *) (uintptr_t) head.buf, head.count,
                                   type_of(type, bytes - sizeof head) };
    if (p->data.type && is_of(p->data.type, head.count, len))
        return &p->memory;
    noncontig_free(&p->memory);
    return NULL;
}

void noncontig_free(const struct dev_memory *m)
{
    struct layout *p = m ? OS_OWNER(m, struct layout, memory) : NULL;

    if (p && p->data.type)
        adi3_type_release(p->data.type);
    free(p);
}
