/* type.c — datatypes of targets in packets: a derived one travels once, under a number that packets
 * name it by from then on.
 *
 * The origin chooses the number, and so which type of 64 is replaced. Packets stay in order, so the
 * target's table is the origin's when it reads a number. A type so long that its packet may still
 * arrive when the next ones do is waited for by its origin. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

enum { MOST_BYTES = 1 << 28 }; /* of a serialized type */

struct rma_type_cache {                                     /* with one process */
    struct adi3_type *sent[WIRE_TYPES], *known[WIRE_TYPES]; /* with a reference each */
    unsigned next;                                          /* the number that is given next */
};

static struct rma_type_cache *cache_of(struct rma_target *t)
{
    if (!t->types)
        t->types = calloc(1, sizeof *t->types);
    return t->types;
}

static void type_cache_set(struct adi3_type **at, struct adi3_type *type)
{
    if (*at)
        adi3_type_release(*at);
    *at = type;
}

void type_cache_free(struct rma_target *t)
{
    for (int i = 0; t->types && i < WIRE_TYPES; i++) {
        type_cache_set(&t->types->sent[i], NULL);
        type_cache_set(&t->types->known[i], NULL);
    }
    free(t->types);
    t->types = NULL;
}

static int send_type(struct adi3_win *w, struct rma_target *t, const struct adi3_type *type,
                     uint32_t number)
{
    size_t len = adi3_type_serialize(type, NULL, 0);
    char *buffer = len && len <= MOST_BYTES ? malloc(len) : NULL;
    struct dev_pkt pkt = packet_op_header(w, PKT_RMA_TYPE, len);

    if (!buffer)
        return adi3_no_memory("to send a datatype");
    pkt.tag = (int32_t) number;
    (void) adi3_type_serialize(type, buffer, len);
    int rc = packet_op_inject(w, t->rank, &pkt, buffer);
    if (rc != DEV_AGAIN) {
        free(buffer);
        return rc ? proc_error(w->comm->proc[t->rank], rc) : MPI_SUCCESS;
    }
    const struct packet_op packet_op = { .target = t, .buffer = buffer };
    struct adi3_request *r = packet_op_new(w, t->rank, &packet_op);
    if (!r)
        return adi3_no_memory("to send a datatype");
    t->unflushed++;
    packet_op_send(r, &pkt, len);
    int err = rma_ask_flush(w, t);
    if (!err)
        err = rma_await_answer(w, t, "one-sided operations");
    return err;
}

/* Whether all processes know the type by its handle: the predefined ones, and pairs with holes. The
 * handle of a Fortran kind (f90.c) is known to this process only. */
static bool is_known(const struct adi3_type *t)
{
    return t->predefined && (adi3_type_builtin(t->handle) || t->class == ADI3_PAIR);
}

int type_name(struct adi3_win *w, struct rma_target *t, struct adi3_type *type, uint32_t *name)
{
    bool known = is_known(type);
    struct rma_type_cache *c = known ? NULL : cache_of(t);

    if (known) {
        *name = (uint32_t) type->handle;
        return MPI_SUCCESS;
    }
    if (!c)
        return adi3_no_memory("to send a datatype");
    for (uint32_t i = 0; i < WIRE_TYPES; i++)
        if (c->sent[i] == type) {
            *name = i;
            return MPI_SUCCESS;
        }
    uint32_t number = c->next++ % WIRE_TYPES;
    type_cache_set(&c->sent[number], NULL);
    int err = send_type(w, t, type, number);
    if (err)
        return err;
    type->refs++;
    c->sent[number] = type;
    *name = number;
    return MPI_SUCCESS;
}

struct adi3_type *type_named(const struct rma_target *t, uint32_t name)
{
    struct adi3_type *type = adi3_type_builtin((MPI_Datatype) name);

    if (name < WIRE_TYPES)
        return t->types ? t->types->known[name] : NULL;
    if (!type) /* a pair with holes */
        type = adi3_get(&adi3_types, (int) name);
    return type && is_known(type) && type->size ? type : NULL;
}

/* ---- arrival --------------------------------------------------------------------------------- */

struct arrival {
    struct rma_pending pending;
    uint32_t number;
    size_t len;
    char bytes[];
};

static void type_cache_learn(struct rma_target *t, uint32_t number, const char *bytes, size_t len)
{
    struct adi3_type *type;
    struct rma_type_cache *c = cache_of(t);

    if (c && !adi3_type_deserialize(bytes, len, &type))
        type_cache_set(&c->known[number], type);
    else if (c)
        type_cache_set(&c->known[number], NULL); /* an operation that names it is refused */
}

static void type_packet_run(struct rma_pending *x)
{
    const struct arrival *a = OS_OWNER(x, const struct arrival, pending);

    type_cache_learn(x->origin, a->number, a->bytes, a->len);
}

static bool makes_sense(const struct dev_peer *from, const struct dev_pkt *pkt, struct adi3_win **w,
                        struct rma_target **t)
{
    return packet_op_origin(from, pkt, w, t) && (uint32_t) pkt->tag < WIRE_TYPES
           && pkt->payload <= MOST_BYTES;
}

static struct arrival *arrival_of(const struct dev_peer *from, const struct dev_pkt *pkt)
{
    struct adi3_win *w;
    struct rma_target *t;

    if (!makes_sense(from, pkt, &w, &t))
        return NULL;
    struct arrival *a = malloc(sizeof *a + pkt->payload);
    if (a)
        *a = (struct arrival) { .pending = { .win = w, .origin = t, .run = type_packet_run },
                                .number = (uint32_t) pkt->tag,
                                .len = pkt->payload };
    return a;
}

static int type_packet_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_win *w;
    struct rma_target *t;

    if (!makes_sense(from, pkt, &w, &t))
        return p2p_refuse(from, pkt);
    type_cache_learn(t, (uint32_t) pkt->tag, payload, pkt->payload);
    return 0;
}

static int type_packet_begin(struct dev_peer *from, const struct dev_pkt *pkt,
                             struct dev_target *target)
{
    struct arrival *a = arrival_of(from, pkt);

    if (!a)
        return p2p_refuse(from, pkt);
    target->iov[0] = (struct iovec) { a->bytes, a->len };
    target->iovcnt = 1;
    target->cookie = &a->pending;
    pending_add(&a->pending);
    return 0;
}

static void type_packet_end(struct dev_target *target, int err)
{
    struct rma_pending *x = target->cookie;

    if (err)
        OS_OWNER(x, struct arrival, pending)->len = 0;
    pending_arrived(x);
}

const struct p2p_packet rma_type_packet = { .name = "RMA_TYPE",
                                            .payload = true,
                                            .whole = type_packet_whole,
                                            .begin = type_packet_begin,
                                            .end = type_packet_end };
