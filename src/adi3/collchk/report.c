/* report.c — mismatch reports: the packets ASK and DIFFERS, and the queries that wait for a call.
 *
 * A report describes a collective call in bytes that can be compared and in text that can be shown.
 * ASK carries the sender's call; the receiver answers only if its own call differs or has failed.
 * LAST carries it, too, and is not answered. DIFFERS carries the sender's call, or relays the error
 * that the call has failed with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/collchk/collchk_impl.h"

void (*adi3_collchk_describe)(const struct adi3_call_record *call, char *text, size_t len);

const char *adi3_collchk_total(int size, size_t a, size_t b)
{
    size_t less = a < b ? a : b, more = a < b ? b : a, n = (size_t) size;

    return size > 1 && less && more % n == 0 && more / n == less
               ? "; one may be the total of all processes, where the count of one belongs"
               : "";
}

/* What the header of both packets carries; see mismatch_report. */
struct fields {
    uint32_t number, others[ADI3_FORMS - 1];
    uint32_t how; /* of DIFFERS: the class of a relayed error; of ASK: mismatch_report.blocked */
    uint64_t len;
    struct adi3_what what;
};
P2P_FIELDS_FIT(struct fields);

/* ---- sending --------------------------------------------------------------------------------- */

struct sending {
    struct dev_send op;
    char text[COLLCHK_TEXT];
};

static void report_sent(struct dev_send *op, int err)
{
    (void) err; /* a process that waits for an answer asks again */
    p2p_lend(-1);
    free(OS_OWNER(op, struct sending, op));
}

void collchk_describe(const struct adi3_call_record *call, char *text, size_t len)
{
    if (adi3_collchk_describe)
        adi3_collchk_describe(call, text, len);
    else
        (void) snprintf(text, len, "%s", call->name);
}

void report_post(struct adi3_proc *to, struct sender from, enum report what,
                 const struct adi3_call_record *call)
{
    static const uint8_t types[] = { [REPORT_ASK] = PKT_ASK,
                                     [REPORT_ASK_BLOCKED] = PKT_ASK,
                                     [REPORT_LAST] = PKT_LAST,
                                     [REPORT_CALL] = PKT_DIFFERS,
                                     [REPORT_ERROR] = PKT_DIFFERS };
    bool relays = what == REPORT_ERROR;
    const char *why = relays ? adi3_error_text(call->err) : NULL;
    struct sending *p = to->lost || (!to->dev && proc_add(to)) ? NULL : malloc(sizeof *p);

    if (!p)
        return;
    if (relays)
        (void) snprintf(p->text, sizeof p->text, "%s", why ? why : "it has failed");
    else
        collchk_describe(call, p->text, COLLCHK_DESCRIPTION);
    size_t len = strlen(p->text);
    const struct fields fields = { .number = call->number,
                                   .others = { call->others[0], call->others[1] },
                                   .how = relays ? (uint32_t) (call->err & ADI3_CLASS_MASK)
                                                 : what == REPORT_ASK_BLOCKED,
                                   .len = call->len,
                                   .what = call->what };
    p->op = (struct dev_send) { .pkt = { .payload = len,
                                         .type = types[what],
                                         .ctx = from.ctx + ADI3_COLL,
                                         .rank = from.rank,
                                         .tag = call->tag },
                                .iov = { { p->text, len } },
                                .iovcnt = 1,
                                .done = report_sent };
    p2p_put_fields(&p->op.pkt, &fields, sizeof fields);
    p2p_lend(1);
    to->dev->ops->send(&to->peer, &p->op);
}

void report_send(struct adi3_comm *c, int rank, enum report what,
                 const struct adi3_call_record *call)
{
    report_post(c->proc[rank], sender_in(c), what, call);
}

void mismatch_ask(struct adi3_comm *c, int rank, const struct adi3_call_record *call)
{
    assert(adi3_lock_held());
    report_send(c, rank, REPORT_ASK, call);
}

/* ---- receiving ------------------------------------------------------------------------------- */

bool report_is_valid(const struct dev_peer *from, const struct dev_pkt *pkt, struct adi3_comm **c)
{
    struct adi3_queues *q = queues_find(pkt->ctx);

    *c = q ? q->comm : NULL;
    if (pkt->payload > COLLCHK_TEXT || (pkt->rank | pkt->tag) < 0 || !(pkt->ctx & ADI3_COLL))
        return false;
    return !*c || comm_has_sender(*c, pkt->rank, from);
}

/* The text comes from another process: it is cut, and what is not printable becomes '?'. */
void report_read(const struct dev_pkt *pkt, const char *text, struct mismatch_report *r)
{
    size_t len = pkt->payload < COLLCHK_TEXT ? (size_t) pkt->payload : COLLCHK_TEXT - 1;
    struct fields fields;

    p2p_get_fields(pkt, &fields, sizeof fields);
    r->number = fields.number;
    r->tag = pkt->tag;
    r->form = tag_form(pkt->tag);
    r->asks = pkt->type == PKT_ASK;
    r->blocked = r->asks && fields.how;
    r->relays = MPI_SUCCESS;
    if (pkt->type == PKT_DIFFERS && fields.how)
        r->relays = adi3_class_name((int) fields.how) ? (int) fields.how : MPI_ERR_OTHER;
    r->len = fields.len;
    memcpy(r->others, fields.others, sizeof r->others);
    r->what = fields.what;
    for (size_t i = 0; i < len; i++)
        r->text[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    r->text[len] = '\0';
}

/* ---- queries --------------------------------------------------------------------------------- */

void query_save(struct adi3_comm *c, int rank, const struct mismatch_report *r)
{
    struct mismatch_query *a = c->asked;

    while (a && a->rank != rank)
        a = a->next;
    if (!a) {
        if (!(a = malloc(sizeof *a)))
            return; /* the process will ask again */
        a->next = c->asked;
        c->asked = a;
    }
    a->rank = rank;
    a->report = *r;
}

struct mismatch_query *query_take(struct adi3_comm *c, const struct adi3_call_record *call)
{
    for (struct mismatch_query **p = &c->asked; *p; p = &(*p)->next) {
        struct mismatch_query *a = *p;
        int form = tag_form(call->tag);
        if (a->report.form != form || call->number - a->report.number > UINT32_MAX / 2
            || (call->number != a->report.number
                && call_record_of_number(c, form, a->report.number)))
            continue;
        *p = a->next;
        return a;
    }
    return NULL;
}

void query_answer(struct adi3_comm *c, const struct adi3_call_record *call)
{
    assert(call->err);
    for (struct mismatch_query *a; (a = query_take(c, call));) {
        if (a->report.number == call->number)
            report_send(c, a->rank, REPORT_ERROR, call);
        free(a);
    }
}

void query_forget(struct adi3_comm *c)
{
    for (struct mismatch_query *a; (a = c->asked);) {
        c->asked = a->next;
        free(a);
    }
}
