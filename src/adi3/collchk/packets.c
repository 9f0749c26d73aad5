/* packets.c — the packets of the collective check, also those whose payload is still coming. */
#include <stdlib.h>
#include "collchk_impl.h"

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
