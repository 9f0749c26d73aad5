/* mismatch.c — what processes tell each other of their collective calls.
 *
 *   ASK, our call ------>  the same call: kept, in case that it fails there
 *                          not begun yet: kept until it is
 *                          another one: it fails there,  <------ DIFFERS, their call
 *                          failed before:                <------ DIFFERS, why
 *
 * Asked is whoever has sent what differs, and whoever is waited for long; after DIFFERS the call
 * fails here, too. The text comes from another process: it is cut and cleaned, and only shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "collchk_impl.h"

enum { MANY = 256 }; /* processes */

struct mismatch_query { /* by one process of the communicator, last */
    struct mismatch_query *next;
    int rank;
    struct mismatch_report letter;
};

/* What the header of both packets carries; see mismatch_report. */
struct fields {
    uint64_t number;
    uint32_t others, relays;
    uint64_t len;
    struct adi3_what what;
};
P2P_FIELDS_FIT(struct fields);

/* ---- sending --------------------------------------------------------------------------------- */

struct post {
    struct dev_send op;
    char text[COLLCHK_TEXT];
};

static void posted(struct dev_send *op, int err)
{
    (void) err; /* who does not hear waits, and asks again */
    p2p_lend(-1);
    free(OS_OWNER(op, struct post, op));
}

void collchk_describe(const struct adi3_call_record *call, char *text, size_t len)
{
    if (adi3_collchk_describe)
        adi3_collchk_describe(call, text, len);
    else
        (void) snprintf(text, len, "%s", call->name);
}

struct sender {   /* this process in a communicator */
    uint32_t ctx; /* of those who receive */
    int rank;
};

static struct sender us_in(const struct adi3_comm *c)
{
    return (struct sender) { c->send_ctx, c->rank };
}

/* Without memory it is not sent. */
static void post(struct adi3_proc *to, struct sender from, enum adi3_pkt_type type,
                 const struct adi3_call_record *call, bool relays)
{
    const char *why = relays ? adi3_error_text(call->err) : NULL;
    struct post *p = to->lost || (!to->dev && proc_add(to)) ? NULL : malloc(sizeof *p);

    if (!p)
        return;
    if (relays)
        (void) snprintf(p->text, sizeof p->text, "%s", why ? why : "it has failed");
    else
        collchk_describe(call, p->text, COLLCHK_DESCRIPTION);
    size_t len = strlen(p->text);
    const struct fields fields = { .number = call->number,
                                   .others = call->others,
                                   .relays = relays ? (uint32_t) (call->err & ADI3_CLASS_MASK) : 0,
                                   .len = call->len,
                                   .what = call->what };
    p->op = (struct dev_send) { .pkt = { .payload = len,
                                         .type = (uint8_t) type,
                                         .ctx = from.ctx + ADI3_COLL,
                                         .rank = from.rank,
                                         .tag = call->tag },
                                .iov = { { p->text, len } },
                                .iovcnt = 1,
                                .done = posted };
    p2p_put_fields(&p->op.pkt, &fields, sizeof fields);
    p2p_lend(1);
    to->dev->ops->send(&to->peer, &p->op);
}

static void send(struct adi3_comm *c, int rank, enum adi3_pkt_type type,
                 const struct adi3_call_record *call, bool relays)
{
    post(c->proc[rank], us_in(c), type, call, relays);
}

void mismatch_ask(struct adi3_comm *c, int rank, const struct adi3_call_record *call)
{
    send(c, rank, PKT_ASK, call, false);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Is what we gave as root, and another process, not of the same operation? Of two groups one has
 * the root, MPI_ROOT to itself and MPI_PROC_NULL to the others; the other group gives its rank. */
static bool roots_differ(const struct adi3_comm *c, int ours, int rank, int theirs)
{
    if (!c->remote || ours == ADI3_NO_ROOT)
        return ours >= 0 || theirs >= 0 ? ours != theirs : ours == MPI_ROOT && theirs == MPI_ROOT;
    if (ours >= 0)
        return theirs != (rank == ours ? MPI_ROOT : MPI_PROC_NULL);
    return ours == MPI_ROOT ? theirs != c->rank : theirs < 0 || theirs == c->rank;
}

/* The first that differs says of which class the error is; MPI_SUCCESS when all agree. */
static int class_of(const struct adi3_comm *c, const struct adi3_call_record *ours, int rank,
                    const struct mismatch_report *theirs)
{
    const struct adi3_what *a = &ours->what, *b = &theirs->what;
    int differ = ours->tag ^ theirs->tag;

    if (a->kind != b->kind || a->form != b->form)
        return MPI_ERR_OTHER;
    if (roots_differ(c, a->root, rank, b->root))
        return MPI_ERR_ROOT;
    if (a->op != b->op)
        return MPI_ERR_OP;
    if (!tag_agrees(ours->tag, theirs->tag))
        return differ & ADI3_SIGN_WHAT  ? MPI_ERR_OTHER
               : differ & ADI3_SIGN_LEN ? MPI_ERR_TRUNCATE
                                        : MPI_ERR_TYPE;
    bool lens = ours->tag & ADI3_SIGN_LEN && theirs->tag & ADI3_SIGN_LEN;
    return lens && ours->len != theirs->len ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

static int differs(const struct adi3_comm *c, const struct adi3_call_record *call, int rank,
                   const struct mismatch_report *l)
{
    char ours[COLLCHK_DESCRIPTION];

    if (l->relays)
        return adi3_error(l->relays, "%s", l->text);
    collchk_describe(call, ours, sizeof ours);
    return adi3_error(class_of(c, call, rank, l),
                      "rank %d called %s, while rank %d%s called %.*s, as %soperation %u of this "
                      "communicator",
                      c->rank, ours, rank, c->remote ? " of the other group" : "",
                      COLLCHK_DESCRIPTION, l->text, l->init ? "persistent " : "",
                      (unsigned) call->number + 1);
}

/* Whoever has not asked yet: it may wait for what never comes, or take what we have sent for right.
 * Many are not told all at once, by many. */
static void tell_all(struct adi3_comm *c, const struct adi3_call_record *call)
{
    for (int rank = 0; c->peers <= MANY && rank < c->peers; rank++)
        if (rank != c->rank || c->remote)
            send(c, rank, PKT_DIFFERS, call, true);
}

void mismatch_fail(struct adi3_comm *c, struct adi3_call_record *call, int err)
{
    bool init = call->tag >= ADI3_TAG_INIT;

    collchk_fail(c, call, err);
    tell_all(c, call);
    struct adi3_comm *other = collchk_sibling(c);
    if (other && (call = call_record_of_number(other, init, call->number)))
        tell_all(other, call);
}

/* A letter about a call of ours; false when there is nothing to do. */
static bool compare(struct adi3_comm *c, struct adi3_call_record *call, int rank,
                    const struct mismatch_report *l)
{
    bool same = class_of(c, call, rank, l) == MPI_SUCCESS;

    if (same && !call->err && !l->relays)
        return false;
    int err = same && !l->relays ? MPI_SUCCESS : differs(c, call, rank, l);
    if (l->asks)
        send(c, rank, PKT_DIFFERS, call, same);
    if (!err || call->err)
        return true;
    if (l->relays)
        collchk_fail(c, call, err);
    else
        mismatch_fail(c, call, err);
    return true;
}

/* ---- what was asked -------------------------------------------------------------------------- */

static void keep(struct adi3_comm *c, int rank, const struct mismatch_report *l)
{
    struct mismatch_query *a = c->asked;

    while (a && a->rank != rank)
        a = a->next;
    if (!a) {
        if (!(a = malloc(sizeof *a)))
            return; /* it will ask again */
        a->next = c->asked;
        c->asked = a;
    }
    a->rank = rank;
    a->letter = *l;
}

/* Takes the next one out that is about this call, or about none that is remembered. */
static struct mismatch_query *take(struct adi3_comm *c, const struct adi3_call_record *call)
{
    for (struct mismatch_query **p = &c->asked; *p; p = &(*p)->next) {
        struct mismatch_query *a = *p;
        bool init = call->tag >= ADI3_TAG_INIT;
        if (a->letter.init != init || call->number - a->letter.number > UINT32_MAX / 2
            || (call->number != a->letter.number
                && call_record_of_number(c, init, a->letter.number)))
            continue;
        *p = a->next;
        return a;
    }
    return NULL;
}

void mismatch_call_begun(struct adi3_comm *c, struct adi3_call_record *call)
{
    struct mismatch_query *again = NULL;

    for (struct mismatch_query *a; (a = take(c, call));) {
        if (a->letter.number == call->number && !compare(c, call, a->rank, &a->letter)) {
            a->next = again;
            again = a;
            continue;
        }
        free(a);
    }
    for (struct mismatch_query *a; (a = again);) {
        again = a->next;
        a->next = c->asked;
        c->asked = a;
    }
}

void mismatch_answer(struct adi3_comm *c, const struct adi3_call_record *call)
{
    for (struct mismatch_query *a; (a = take(c, call));) {
        if (a->letter.number == call->number)
            send(c, a->rank, PKT_DIFFERS, call, true);
        free(a);
    }
}

void mismatch_forget(struct adi3_comm *c)
{
    for (struct mismatch_query *a; (a = c->asked);) {
        c->asked = a->next;
        free(a);
    }
}

/* ---- the end of all calls -------------------------------------------------------------------- */

static const char ENDS[] = "called MPI_Finalize", FREES[] = "has freed the communicator";
static bool over;

/* Communicators that are gone: the last ones. */
static struct gone {
    uint32_t ctx;
    struct sender us;
    const char *whose; /* ranks the others' are; NULL: no communicator */
    uint32_t begun[2]; /* calls, and persistent ones */
    int err;           /* of calls that differed; or MPI_SUCCESS */
} gone[64];
static unsigned next_gone;

/* Whoever waits for a call of which nothing is known here hears err instead. */
static void tell(struct adi3_proc *to, struct sender us, const struct mismatch_report *l, int err)
{
    const struct adi3_call_record none = {
        .number = l->number, .tag = l->tag, .what = l->what, .err = err
    };

    post(to, us, PKT_DIFFERS, &none, true);
}

static const char *whose(const struct adi3_comm *c)
{
    return c->remote ? " of the other group" : "";
}

/* The error of whoever waits for a call of ours that will not come. */
static int instead(const char *did, int us, int rank, const char *whose,
                   const struct mismatch_report *l)
{
    return adi3_error(MPI_ERR_OTHER,
                      "rank %d %s, while rank %d%s called %.*s, as %soperation %u of this "
                      "communicator",
                      us, did, rank, whose, COLLCHK_DESCRIPTION, l->text,
                      l->init ? "persistent " : "", (unsigned) l->number + 1);
}

/* All who have asked, and wait for what is not going to be begun. */
static void tell_ends(struct adi3_comm *c, const char *did)
{
    for (struct mismatch_query *a = c->asked; a; a = a->next)
        if (a->letter.asks && !call_has_begun(c, a->letter.init, a->letter.number))
            tell(c->proc[a->rank], us_in(c), &a->letter,
                 instead(did, c->rank, a->rank, whose(c), &a->letter));
}

void mismatch_comm_ends(struct adi3_comm *c)
{
    struct gone *g = &gone[next_gone++ % (sizeof gone / sizeof *gone)];

    *g = (struct gone) { .ctx = c->recv_ctx, .us = us_in(c), .whose = whose(c), .err = c->failed };
    for (int i = 0; i < 2; i++)
        g->begun[i] = c->calls[i] ? c->calls[i]->newest + 1 : 0;
    if (!over)
        tell_ends(c, FREES);
}

/* On a communicator that is not here any more: what was begun here is over, without an error. */
static void tell_late(struct dev_peer *from, int rank, uint32_t ctx,
                      const struct mismatch_report *l)
{
    for (unsigned i = 0; i < sizeof gone / sizeof *gone; i++) {
        const struct gone *g = &gone[i];
        if (!g->whose || g->ctx + ADI3_COLL != ctx)
            continue;
        if (g->err || (int32_t) (g->begun[l->init] - l->number) <= 0)
            tell(proc_of(from), g->us, l,
                 g->err ? g->err : instead(FREES, g->us.rank, rank, g->whose, l));
        return;
    }
}

/* Persistent calls have numbers of their own, but all calls have one order: is there a call of ours
 * in the place of theirs, which has not been begun here? Both fail. */
static bool out_of_order(struct adi3_comm *c, int rank, const struct mismatch_report *l)
{
    bool begun = l->asks && call_has_begun(c, !l->init, l->others);
    struct adi3_call_record *ours = begun ? call_record_of_number(c, !l->init, l->others) : NULL;
    char did[COLLCHK_DESCRIPTION + 8] = "called ";

    if (!ours)
        return false;
    collchk_describe(ours, did + strlen(did), COLLCHK_DESCRIPTION);
    int err = ours->err ? ours->err : instead(did, c->rank, rank, whose(c), l);
    tell(c->proc[rank], us_in(c), l, err);
    if (!ours->err)
        mismatch_fail(c, ours, err);
    return true;
}

bool mismatch_peer_finalizes(int rank, uint32_t number)
{
    const struct mismatch_query *a = adi3_world.asked;

    while (a && a->rank != rank)
        a = a->next;
    return a && a->letter.relays && a->letter.number == number;
}

static void ends(struct adi3_comm *c)
{
    if (over)
        tell_ends(c, ENDS);
    else
        mismatch_forget(c);
}

/* At first those who have asked are told; then nobody is there any more. */
void mismatch_finalizing(bool is)
{
    over = is;
    ends(&adi3_world);
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));)
        ends(c);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* The communicator of a letter: one that is not known here (any more) is none of ours; false when
 * it makes no sense. */
static bool sane(const struct dev_peer *from, const struct dev_pkt *pkt, struct adi3_comm **c)
{
    struct adi3_queues *q = queues_find(pkt->ctx);
    struct fields fields;

    p2p_get_fields(pkt, &fields, sizeof fields);
    *c = q ? q->comm : NULL;
    if (pkt->payload > COLLCHK_TEXT || fields.number > UINT32_MAX || (pkt->rank | pkt->tag) < 0
        || !(pkt->ctx & ADI3_COLL))
        return false;
    return !*c || comm_has_sender(*c, pkt->rank, from);
}

static void read_report(const struct dev_pkt *pkt, const char *text, struct mismatch_report *l)
{
    size_t len = pkt->payload < COLLCHK_TEXT ? (size_t) pkt->payload : COLLCHK_TEXT - 1;
    struct fields fields;

    p2p_get_fields(pkt, &fields, sizeof fields);
    l->number = (uint32_t) fields.number;
    l->tag = pkt->tag;
    l->init = pkt->tag >= ADI3_TAG_INIT;
    l->asks = pkt->type == PKT_ASK;
    l->relays = MPI_SUCCESS;
    if (pkt->type == PKT_DIFFERS && fields.relays)
        l->relays = adi3_class_name((int) fields.relays) ? (int) fields.relays : MPI_ERR_OTHER;
    l->len = fields.len;
    l->others = fields.others;
    l->what = fields.what;
    for (size_t i = 0; i < len; i++)
        l->text[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    l->text[len] = '\0';
}

static int arrived(struct dev_peer *from, const struct dev_pkt *pkt, const void *text)
{
    struct adi3_comm *c;
    struct mismatch_report l;

    if (!sane(from, pkt, &c))
        return p2p_refuse(from, pkt);
    read_report(pkt, text, &l);
    if (!c) {
        if (l.asks)
            tell_late(from, pkt->rank, pkt->ctx, &l);
        return 0;
    }
    struct adi3_call_record *call = call_record_of_number(c, l.init, l.number);
    bool known = call && tag_number(call->tag) == tag_number(l.tag);
    bool to_come = !call && !call_has_begun(c, l.init, l.number);
    if (over && to_come && l.asks)
        tell(c->proc[pkt->rank], us_in(c), &l, instead(ENDS, c->rank, pkt->rank, whose(c), &l));
    else if (!call && !to_come && c->failed && l.asks) /* long ago */
        tell(c->proc[pkt->rank], us_in(c), &l, c->failed);
    else if (to_come && out_of_order(c, pkt->rank, &l))
        return 0;
    else if (to_come || (known && !compare(c, call, pkt->rank, &l) && l.asks))
        keep(c, pkt->rank, &l);
    return 0;
}

/* ---- one that comes in pieces ---------------------------------------------------------------- */

struct arriving {
    struct dev_peer *from;
    struct dev_pkt pkt;
    char text[COLLCHK_TEXT];
};

static int begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    struct adi3_comm *c;
    struct arriving *a = sane(from, pkt, &c) ? malloc(sizeof *a) : NULL;

    if (!a)
        return p2p_refuse(from, pkt);
    a->from = from;
    a->pkt = *pkt;
    target->iov[0] = (struct iovec) { a->text, pkt->payload };
    target->iovcnt = pkt->payload > 0;
    target->cookie = a;
    return 0;
}

static void end(struct dev_target *target, int err)
{
    struct arriving *a = target->cookie;

    if (!err)
        (void) arrived(a->from, &a->pkt, a->text);
    free(a);
}

const struct p2p_packet ask_packet = {
    .name = "ASK", .payload = true, .whole = arrived, .begin = begin, .end = end
};
const struct p2p_packet differs_packet = {
    .name = "DIFFERS", .payload = true, .whole = arrived, .begin = begin, .end = end
};
