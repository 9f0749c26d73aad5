/* p2p.c — the settings of messages, and what this room registers with the rooms below: packets,
 * kinds of requests, sources of progress, hooks. */
#include "adi3/p2p/packets_impl.h"

const struct setting p2p_settings[] = {
    { "EAGER_CREDIT", SETTING_SIZE, &proto_credit, "0",
      "Bytes of messages that one sender may leave at a receiver before they are received. Further "
      "messages wait at the sender until the receiver asks for them. 0: 64m for all senders "
      "together, but at least 256k and at most 4m for each. A sender of another job begins with "
      "256k at most, and gets the rest while all of them have less than 64m more." },
    { "CHECK", SETTING_STRING, &check_setting, "basic",
      "Which mistakes are looked for beside wrong arguments. basic: those that cost next to "
      "nothing; collective calls that differ fail, and one line warns of a ready send that came "
      "before its receive. strict: such a receive fails; so do calls with buffers that are not "
      "mapped, about which each call asks the kernel, and predefined operations on datatypes that "
      "other libraries allow and the standard does not; one line for each window warns of "
      "one-sided "
      "operations of one epoch that overlap. off: none." },
    { 0 }
};

/* ---- kinds of requests ----------------------------------------------------------------------- */

/* A send whose handle was released and that is done. Its bytes may be in the attached buffer. */
static int release_send(struct adi3_request *r)
{
    if (r->flags & REQUEST_BUFFERED)
        bsend_left(r);
    request_free(r);
    return MPI_SUCCESS;
}

static const struct request_kind send_kind = { .name = "a send",
                                               .start = persistent_start,
                                               .cancel = cancel_send,
                                               .release = release_send,
                                               .end = persistent_end },
                                 receive_kind = { .name = "a receive",
                                                  .start = persistent_start,
                                                  .cancel = cancel_receive,
                                                  .end = persistent_end },
                                 message_kind = { .name = "a probed message" };

/* ---- the end of requests --------------------------------------------------------------------- */

bool p2p_fail_request(struct adi3_request *r, const struct adi3_comm *c, int number, int err)
{
    assert(adi3_lock_held() && err);
    if (r->state != ADI3_STARTED || tag_number(r->posted.tag) != number)
        return false;
    if (r->kind == ADI3_RECV && r->queue == c->queue[1]) {
        match_unpost(r->queue, &r->posted);
        r->error = err;
        request_done(r);
        return true;
    }
    if (r->kind != ADI3_SEND || r->awaits != PKT_CTS || r->op.pkt.ctx != c->send_ctx + 1)
        return false;
    r->error = err;
    (void) cancel_send(r);
    return true;
}

void p2p_end_request(struct adi3_request *r)
{
    assert(adi3_lock_held());
    if (r->state == ADI3_STARTED && r->kind == ADI3_RECV)
        match_unpost(r->queue, &r->posted);
    if (r->kind == ADI3_MESSAGE)
        probe_drop(r);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_read_idle(void) { return !proto_reads && !p2p_reading; }

static void buffers_finalize(void)
{
    bsend_finalize();
    noncontig_finalize();
    unexpected_finalize();
}

static struct progress_source watch_source = { .name = "watch", .tick = watch_tick };
static const struct base_hooks hooks = {
    .name = "p2p",
    .job_added = credit_job_added,
    .peer_lost = p2p_peer_lost,
    .quiet = is_read_idle,
    .finalize = buffers_finalize,
};

static int add_packets(void)
{
    static const struct {
        enum adi3_pkt_type type;
        const struct p2p_packet *row;
    } rows[] = { { PKT_EAGER, &eager_packet },   { PKT_RTS, &rts_packet },
                 { PKT_CTS, &cts_packet },       { PKT_DATA, &data_packet },
                 { PKT_FIN, &fin_packet },       { PKT_CREDIT, &credit_packet },
                 { PKT_CANCEL, &cancel_packet }, { PKT_CANCELLED, &cancelled_packet } };
    int err = MPI_SUCCESS;

    for (size_t i = 0; i < sizeof rows / sizeof *rows && !err; i++)
        err = p2p_packet_add(rows[i].type, rows[i].row);
    return err;
}

static int add_kinds(void)
{
    int err = request_kind_add(ADI3_SEND, &send_kind);

    if (!err)
        err = request_kind_add(ADI3_RECV, &receive_kind);
    if (!err)
        err = request_kind_add(ADI3_MESSAGE, &message_kind);
    return err;
}

int p2p_init(void)
{
    int err = check_init();

    if (!err)
        err = add_packets();
    if (!err)
        err = add_kinds();
    if (!err)
        err = progress_source_add(&read_source);
    if (!err)
        err = progress_source_add(&watch_source);
    if (!err)
        err = base_hooks_add(&hooks);
    return err;
}
