/* signature.c — the signature of a collective call, in the tags of its messages: see adi3_agree.h.
 *
 * What must be the same in all processes depends on the operation (§5). Lengths and types of
 * v-operations, and between two groups, may differ from process to process. */
#include "coll.h"

enum part {
    ROOT = 1,
    OP = 2,
    DATA = 4,
    GATHERS = 8,
    SCATTERS = 16,
    ALL_RECEIVE = 32,
    BLOCK = 64,
    ALL = 128, /* x->send is that of all blocks */
};

static const uint8_t parts[] = {
    [COLL_BCAST] = ROOT | DATA,
    [COLL_REDUCE] = ROOT | OP | DATA,
    [COLL_ALLREDUCE] = OP | DATA,
    [COLL_GATHER] = ROOT | GATHERS,
    [COLL_GATHERV] = ROOT,
    [COLL_SCATTER] = ROOT | SCATTERS,
    [COLL_SCATTERV] = ROOT,
    [COLL_ALLGATHER] = ALL_RECEIVE,
    [COLL_ALLTOALL] = ALL_RECEIVE,
    [COLL_REDUCE_SCATTER] = OP | ALL,
    [COLL_REDUCE_SCATTER_BLOCK] = OP | BLOCK,
    [COLL_SCAN] = OP | DATA,
    [COLL_EXSCAN] = OP | DATA,
    [COLL_NEIGHBOR_ALLTOALLW] = 0, /* the last kind */
};
enum { KINDS = sizeof parts / sizeof *parts };

static uint8_t op_of(const struct adi3_op *op)
{
    return op->function ? (uint8_t) (ADI3_OP_USERS | op->commutes) : (uint8_t) op->handle;
}

static inline uint8_t shown(unsigned has, bool root)
{
    if (has & (DATA | BLOCK | ALL))
        return has & DATA ? ADI3_SHOWS_DATA : has & BLOCK ? ADI3_SHOWS_BLOCK : ADI3_SHOWS_ALL;
    if (has & (root ? GATHERS | ALL_RECEIVE : SCATTERS | ALL_RECEIVE))
        return ADI3_SHOWS_RECV;
    return has & (GATHERS | SCATTERS) ? ADI3_SHOWS_SEND : ADI3_SHOWS_NOTHING;
}

static inline struct adi3_what what_of(const struct coll_operation *o, const struct coll *x,
                                       int form, unsigned has)
{
    return (struct adi3_what) { .kind = (uint8_t) o->kind,
                                .form = (uint8_t) form,
                                .shows = shown(has, x->rank == x->root),
                                .op = has & OP ? op_of(x->op) : 0,
                                .root = has & ROOT ? x->root : -1 };
}

/* Odd factors: two that differ in one thing alone, by less than 128, never get the same. */
static inline unsigned hash(struct adi3_what w)
{
    unsigned all = (w.kind + w.form * (unsigned) KINDS) * 29 + (unsigned) w.root + w.op * 53u;

    return all << ADI3_SIGN_WHAT_SHIFT & ADI3_SIGN_WHAT;
}

/* The length and type of data. */
static inline unsigned shape(const struct adi3_data *d)
{
    size_t len = coll_size(*d);
    unsigned rest = (uint32_t) (len ^ len >> 32) % ADI3_SIGN_LENS;

    return (rest + 1) << ADI3_SIGN_LEN_SHIFT | adi3_agree_type(d->type, d->count);
}

static inline int sign(const struct coll_operation *o, struct coll *x, int form, uint32_t number,
                       struct adi3_called *call)
{
    const struct adi3_comm *c = x->comm;
    unsigned has = x->args ? parts[o->kind] : 0;
    if (__builtin_expect(c->remote != NULL, 0))
        has = has & ROOT ? 0 : has & OP; /* who is not concerned may give anything */
    struct adi3_what w = what_of(o, x, form, has);
    const struct adi3_data *d = w.shows >= ADI3_SHOWS_SEND ? &x->send : &x->recv;
    unsigned signature = hash(w) | (w.shows ? shape(d) : 0);
    int tag = adi3_number_tag(number) + (form == ADI3_FORM_INIT ? ADI3_TAG_INIT : 0)
              + (int) (signature ? signature : 1 << ADI3_SIGN_WHAT_SHIFT);

    *call = (struct adi3_called) { .number = number, .tag = tag, .name = adi3_call, .what = w };
    if (w.shows) {
        call->count = d->count;
        call->type = d->type->handle;
    }
    return tag;
}

/* Phases within a group. */
static void sign_at_home(struct adi3_comm *home, const struct adi3_called *call, bool init)
{
    struct adi3_calls *calls = home->calls[init];

    if (!calls && !(calls = adi3_agree_calls(home, init)))
        return;
    struct adi3_called *ours = &calls->call[call->number % ADI3_CALLS];
    calls->newest = call->number;
    *ours = *call;
    adi3_agree_begin(home, ours);
}

int coll_sign(const struct coll_operation *o, struct coll *x, int form)
{
    struct adi3_comm *c = x->comm;
    bool init = form == ADI3_FORM_INIT;
    uint32_t number = init ? c->inits++ : c->operations++;
    struct adi3_calls *calls = c->calls[init];

    if (__builtin_expect(adi3_check == ADI3_CHECK_OFF, 0)
        || (__builtin_expect(!calls, 0) && !(calls = adi3_agree_calls(c, init))))
        return adi3_number_tag(number) + (init ? ADI3_TAG_INIT : 0);
    struct adi3_called *call = &calls->call[number % ADI3_CALLS];
    calls->newest = number;
    int tag = sign(o, x, form, number, call);
    if (__builtin_expect(c->local != NULL, 0)) {
        call->tag = tag |= ADI3_TAG_GROUP; /* as those of the messages */
        sign_at_home(c->local, call, init);
    }
    adi3_agree_begin(c, call);
    return tag;
}
