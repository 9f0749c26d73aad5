/* packets.c — the packets of the collective check, also those whose payload is still coming. */
#include <stdlib.h>
#include "adi3/collchk/collchk_impl.h"

static int mismatch_receive(struct dev_peer *from, const struct dev_pkt *pkt, const void *text)
{
    struct adi3_comm *c;
    struct mismatch_report r;

    if (!report_is_valid(from, pkt, &c))
        return p2p_refuse(from, pkt);
    report_read(pkt, text, &r);
    if (!c) {
        if (r.asks)
            mismatch_answer_freed(from, pkt->rank, pkt->ctx, &r);
        return 0;
    }
    struct adi3_call_record *call = call_record_of_number(c, r.form, r.number);
    bool known = call && tag_number(call->tag) == tag_number(r.tag);
    bool to_come = !call && !call_has_begun(c, r.form, r.number);
    if (mismatch_at_end && to_come && r.asks)
        mismatch_refuse(c->proc[pkt->rank], sender_in(c), &r,
                        mismatch_instead(mismatch_ends, c->rank, pkt->rank, group_suffix(c), &r));
    else if (!call && !to_come && c->failed && r.asks) /* the call is no longer remembered */
        mismatch_refuse(c->proc[pkt->rank], sender_in(c), &r, c->failed);
    else if (to_come && call_order_ask(c, pkt->rank, &r))
        return 0;
    else if (to_come || (known && !mismatch_compare(c, call, pkt->rank, &r) && r.asks))
        query_save(c, pkt->rank, &r);
    return 0;
}

struct partial_report {
    struct dev_peer *from;
    struct dev_pkt pkt;
    int (*whole)(struct dev_peer *from, const struct dev_pkt *pkt, const void *text);
    char text[COLLCHK_TEXT];
};

static int begin_report(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    struct adi3_comm *c;
    struct partial_report *a = report_is_valid(from, pkt, &c) ? malloc(sizeof *a) : NULL;

    if (!a)
        return p2p_refuse(from, pkt);
    a->from = from;
    a->pkt = *pkt;
    a->whole = pkt->type == PKT_LAST ? last_receive : mismatch_receive;
    target->iov[0] = (struct iovec) { a->text, pkt->payload };
    target->iovcnt = pkt->payload > 0;
    target->cookie = a;
    return 0;
}

static void end_report(struct dev_target *target, int err)
{
    struct partial_report *a = target->cookie;

    if (!err)
        (void) a->whole(a->from, &a->pkt, a->text);
    free(a);
}

int packets_add(void)
{
    static const struct {
        enum adi3_pkt_type type;
        struct p2p_packet row;
    } rows[] = {
        { PKT_ASK, { "ASK", true, mismatch_receive, begin_report, end_report } },
        { PKT_DIFFERS, { "DIFFERS", true, mismatch_receive, begin_report, end_report } },
        { PKT_LAST, { "LAST", true, last_receive, begin_report, end_report } },
    };
    int err = MPI_SUCCESS;

    for (size_t i = 0; i < sizeof rows / sizeof *rows && !err; i++)
        err = p2p_packet_add(rows[i].type, &rows[i].row);
    return err;
}
