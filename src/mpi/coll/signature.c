/* signature.c — the signature of a collective call, in the tags of its messages: see
 * adi3_collchk.h.
 *
 * What must be the same in all processes depends on the operation (§5). Lengths and types of
 * v-operations, and of operations between two groups, may differ from process to process. */
#include "mpi/coll/coll.h"

enum covered {
    ROOT = 1,
    OP = 2,
    DATA = 4,
    GATHERS = 8,
    SCATTERS = 16,
    ALL_RECEIVE = 32,
    BLOCK = 64,
    ALL = 128, /* x->send has all blocks */
};

static const uint8_t covered[] = {
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
    [COLL_WIN_FENCE] = 0, /* the last enum coll_kind */
};
enum { KINDS = sizeof covered / sizeof *covered };

static uint8_t op_of(const struct adi3_op *op)
{
    return op->function ? (uint8_t) (ADI3_OP_USERS | op->commutes) : (uint8_t) op->handle;
}

/* The arguments that the signature covers. An operation between two groups has two signatures:
 * one for its phases within our group, where all processes give the same (in_group), and one for
 * messages between the groups, where blocks of the two directions may differ. Arguments of idle
 * processes are not covered. */
static unsigned covered_arguments(const struct coll_operation *o, const struct coll *x,
                                  bool in_group)
{
    unsigned has = x->args ? covered[o->kind] : 0;

    if (!x->comm->remote)
        return has;
    if (has & ROOT && x->root == MPI_PROC_NULL)
        return 0;
    if (in_group)
        return has & ~(unsigned) ROOT;
    if (has & ROOT)
        return has & (DATA | GATHERS | SCATTERS);
    return has & BLOCK ? OP | ALL : has & ~(unsigned) ALL_RECEIVE;
}

static inline uint8_t what_shows(unsigned has, bool root)
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
                                .shows = what_shows(has, coll_is_root(x)),
                                .op = has & OP ? op_of(x->op) : 0,
                                .root = ADI3_NO_ROOT }; /* set by call_record_fill() */
}

/* Odd factors: two signatures that differ in one argument, by less than 128, are different. The
 * root is added in signature_combine(). */
static inline unsigned signature_hash(struct adi3_what w)
{
    return (w.kind + w.form * (unsigned) KINDS) * 29 + w.op * 53u;
}

/* Length and type of data. */
static inline unsigned data_signature(const struct adi3_data *d)
{
    size_t len = coll_size(*d);
    unsigned rest = (uint32_t) (len ^ len >> 32) % ADI3_SIGN_LENS;

    return (rest + 1) << ADI3_SIGN_LEN_SHIFT | adi3_collchk_type(d->type, d->count);
}

static inline unsigned signature_combine(unsigned hash, unsigned shape, int root)
{
    unsigned s = (hash + (unsigned) root) << ADI3_SIGN_WHAT_SHIFT & ADI3_SIGN_WHAT;

    s |= shape;
    return __builtin_expect(s != 0, 1) ? s : 1 << ADI3_SIGN_WHAT_SHIFT;
}

/* The cached signatures of the last call at its root, and of the last call elsewhere, for calls
 * with predefined types and operations. Most calls are like the one before and only compare
 * their arguments with it. */
static struct cached_signature {
    const struct coll_operation *o; /* NULL: nothing is cached */
    const struct adi3_op *op;
    const struct adi3_type *type;
    size_t count;
    int form;
    bool sends; /* the described data is what the process sends */
    bool rooted;
    unsigned hash, shape, signature; /* signature: for an operation without a root */
    struct adi3_call_record call;    /* without number, tag and root */
} cached[2];

static inline bool is_cached(const struct cached_signature *m, const struct coll_operation *o,
                             const struct coll *x, int form)
{
    const struct adi3_data *d = m->sends ? &x->send : &x->recv;

    return m->o == o && m->form == form && m->op == x->op && m->type == d->type
           && m->count == d->count && x->args && !x->comm->remote;
}

__attribute__((noinline)) static void cache_signature(struct cached_signature *m,
                                                      const struct coll_operation *o,
                                                      const struct coll *x, int form, bool in_group)
{
    unsigned has = covered_arguments(o, x, in_group);
    struct adi3_what w = what_of(o, x, form, has);
    bool sends = w.shows >= ADI3_SHOWS_SEND;
    const struct adi3_data *d = sends ? &x->send : &x->recv;
    bool lasts = x->args && form != ADI3_FORM_INIT && (!d->type || d->type->predefined)
                 && (!x->op || !x->op->function);

    *m = (struct cached_signature) {
        .o = lasts ? o : NULL,
        .op = x->op,
        .type = d->type,
        .count = d->count,
        .form = form,
        .sends = sends,
        .rooted = has & ROOT,
        .hash = signature_hash(w),
        .shape = w.shows ? data_signature(d) : 0,
        .call = { .name = adi3_current.call, .type = MPI_DATATYPE_NULL, .what = w }
    };
    m->signature = signature_combine(m->hash, m->shape, -1);
    if (w.shows) {
        m->call.type = d->type->handle;
        m->call.count = d->count;
        m->call.len = coll_size(*d);
    }
}

static inline int form_tag(int form)
{
    if (form == ADI3_FORM_INIT)
        return ADI3_TAG_INIT;
    return form == ADI3_FORM_BEGUN ? ADI3_TAG_BEGUN : 0;
}

/* Fills the record of the call; returns its tag. */
static inline int call_record_fill(const struct cached_signature *m, const struct coll *x, int form,
                                   uint32_t number, struct adi3_call_record *call)
{
    int tag = adi3_number_tag(number) + form_tag(form)
              + (int) (m->rooted ? signature_combine(m->hash, m->shape, x->root) : m->signature);
    *call = m->call;
    call->number = number;
    call->tag = tag;
    for (int i = 0; i < ADI3_FORMS - 1; i++)
        call->others[i] = x->comm->begun[adi3_other_form(form, i)];
    if (m->rooted)
        call->what.root = x->root;
    return tag;
}

/* Describes the total length of the blocks, which is equal in the whole group. */
static void describe_all_blocks(const struct coll *x, struct adi3_call_record *call)
{
    for (int i = 0; i < x->recvs; i++) {
        call->count += (size_t) mpir_count(&x->recvcounts, i);
        call->len += coll_size(coll_recv_block(x, i));
    }
    const struct adi3_data all = coll_packed(NULL, call->len);
    call->what.shows = ADI3_SHOWS_ALL;
    call->type = x->recv.type->handle;
    call->tag |= (int) data_signature(&all);
}

/* A call between two groups: in_group: its phases within our group; else the messages between
 * them. */
static int describe_between(const struct coll_operation *o, const struct coll *x, int form,
                            uint32_t number, struct adi3_call_record *call, bool in_group)
{
    struct cached_signature m;

    cache_signature(&m, o, x, form, in_group);
    call->tag = call_record_fill(&m, x, form, number, call) | ADI3_TAG_GROUP;
    if (in_group && x->args && o->kind == COLL_ALLGATHERV)
        describe_all_blocks(x, call);
    if (!in_group && x->args && covered[o->kind] & ROOT)
        call->what.root = x->root;
    return call->tag;
}

static int call_sign(const struct coll_operation *o, struct coll *x, int form, uint32_t number,
                     struct adi3_call_record *call)
{
    struct cached_signature *m = &cached[x->rank == x->root];

    if (x->comm->remote)
        return describe_between(o, x, form, number, call, false);
    cache_signature(m, o, x, form, false);
    return call_record_fill(m, x, form, number, call);
}

/* The record of a new call; NULL without memory. */
static inline struct adi3_call_record *new_record(struct adi3_comm *c, int form, uint32_t number)
{
    struct adi3_call_history *calls = c->calls[form];

    if (__builtin_expect(!calls, 0) && !(calls = adi3_collchk_history(c, form)))
        return NULL;
    calls->newest = number;
    return &calls->call[number % ADI3_CALLS_KEPT];
}

static void sign_in_group(const struct coll_operation *o, struct coll *x, int form, uint32_t number)
{
    struct adi3_comm *home = x->comm->local;
    struct adi3_call_record *call = new_record(home, form, number), unknown;

    x->other_tag = describe_between(o, x, form, number, call ? call : &unknown, true);
    if (call)
        adi3_collchk_begin(home, call);
}

__attribute__((noinline)) static int sign_uncached(const struct coll_operation *o, struct coll *x,
                                                   int form)
{
    struct adi3_comm *c = x->comm;
    uint32_t number = c->begun[form]++;

    if (adi3_check == ADI3_CHECK_OFF) {
        int tag = adi3_number_tag(number) + form_tag(form);
        x->other_tag = tag | ADI3_TAG_GROUP;
        return tag;
    }
    struct adi3_call_record *call = new_record(c, form, number), unknown;
    int tag = call_sign(o, x, form, number, call ? call : &unknown);
    if (c->local)
        sign_in_group(o, x, form, number);
    if (call)
        adi3_collchk_begin(c, call);
    return tag;
}

int coll_sign(const struct coll_operation *o, struct coll *x, int form)
{
    struct adi3_comm *c = x->comm;
    struct adi3_call_history *calls = c->calls[form];
    const struct cached_signature *m = &cached[x->rank == x->root];

    if (__builtin_expect(!calls || !is_cached(m, o, x, form), 0))
        return sign_uncached(o, x, form);
    struct adi3_call_record *call = new_record(c, form, c->begun[form]);
    int tag = call_record_fill(m, x, form, c->begun[form]++, call);
    adi3_collchk_begin(c, call);
    return tag;
}
