/* last.c — calls that no process waits for, compared in MPI_Finalize.
 *
 * A process that only sends, such as the root of MPI_Bcast, returns before the other processes have
 * called anything. When these call nothing, or become roots themselves, no process waits for a
 * message, and no message shows that calls differ. So a process makes a digest of the last calls on
 * each communicator. Rank 0 of a communicator subtracts its digest once for each other rank; the
 * other ranks add their digests: the sum is 0 when all digests are equal. The barrier of
 * MPI_Finalize adds up the sums of the processes. Only when the total is not 0, the processes send
 * their last calls to rank 0 of each communicator, which compares them with its own calls. */
#include "adi3/collchk/collchk_impl.h"
#include "platform/golden_ratio.h"

enum {
    END_KIND = 0xff, /* in a record: the process has called nothing after its last call */
    PATIENCE_MS = 1000,
};

static uint64_t ended_sum; /* of communicators that have been freed */
static bool failed;        /* calls on one of them differed, as an error has said */
static bool found;

/* ---- digests --------------------------------------------------------------------------------- */

static uint64_t mix_digest(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * GOLDEN_RATIO_64;
    return digest ^ digest >> 29;
}

/* Lengths and types are left out: not all processes know them. */
static uint64_t digest_of(const struct adi3_call_history *calls, uint64_t digest)
{
    uint32_t begun = calls ? calls->newest + 1 : 0;

    digest = mix_digest(digest, begun);
    for (uint32_t i = begun < ADI3_CALLS_KEPT ? 0 : begun - ADI3_CALLS_KEPT; i != begun; i++) {
        const struct adi3_call_record *call = &calls->call[i % ADI3_CALLS_KEPT];
        const struct adi3_what *w = &call->what;
        digest = mix_digest(digest, (uint64_t) (uint32_t) w->root << 32
                                        | (unsigned) (w->kind << 16 | w->form << 8 | w->op));
        digest = mix_digest(digest, (uint64_t) call->others[0] << 32 | call->others[1]);
    }
    return digest;
}

static uint64_t sum_of(const struct adi3_comm *c)
{
    if (!comm_is_compared(c))
        return 0;
    uint64_t digest = mix_digest(1, c->recv_ctx);
    for (int i = 0; i < ADI3_FORMS; i++)
        digest = digest_of(c->calls[i], digest);
    return c->rank ? digest : -digest * (uint64_t) (c->size - 1);
}

void last_comm_ends(const struct adi3_comm *c)
{
    failed |= c->failed != MPI_SUCCESS;
    ended_sum += sum_of(c);
}

uint64_t last_calls_sum(bool *known)
{
    uint64_t sum = ended_sum + sum_of(&adi3_world);
    bool differed = failed || adi3_world.failed || call_order_told();

    assert(adi3_lock_held());
    for (const struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));) {
        differed |= c->failed != MPI_SUCCESS;
        sum += sum_of(c);
    }
    *known = !differed && adi3_check != ADI3_CHECK_OFF;
    return sum;
}

/* ---- sending the last calls ------------------------------------------------------------------ */

static void send_calls(struct adi3_proc *to, struct sender us,
                       struct adi3_call_history *const calls[ADI3_FORMS])
{
    static const int tags[] = { 0, ADI3_TAG_BEGUN, ADI3_TAG_INIT };

    for (int form = 0; form < ADI3_FORMS; form++) {
        uint32_t begun = calls[form] ? calls[form]->newest + 1 : 0;
        uint32_t i = begun < ADI3_CALLS_KEPT ? 0 : begun - ADI3_CALLS_KEPT;
        const struct adi3_call_record end = { .name = "nothing",
                                              .number = begun,
                                              .tag = tags[form],
                                              .what = { .kind = END_KIND, .root = ADI3_NO_ROOT } };
        for (; i != begun; i++)
            report_post(to, us, REPORT_LAST, &calls[form]->call[i % ADI3_CALLS_KEPT]);
        report_post(to, us, REPORT_LAST, &end);
    }
}

/* Rank 0: true when the calls of c are to be compared. Other ranks: sends their calls to rank 0. */
static bool exchange_calls(const struct adi3_comm *c)
{
    if (!comm_is_compared(c))
        return false;
    if (c->rank)
        send_calls(c->proc[0], sender_in(c), c->calls);
    return c->rank == 0;
}

static bool exchange_all(void)
{
    bool waits = exchange_calls(&adi3_world);

    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));)
        waits |= exchange_calls(c);
    for (struct ended_comm *e = NULL; (e = ended_next(e));) {
        if (!e->first)
            continue;
        if (e->us.rank && !queues_find(e->ctx))
            send_calls(e->first, e->us, e->calls);
        waits |= !e->us.rank;
    }
    return waits;
}

bool last_calls_compare(void)
{
    uint64_t begin = os_time_ns();
    struct adi3_wait w = { .on = NULL };

    assert(adi3_lock_held());
    bool waits = exchange_all();
    while (waits && !found && !call_order_told() && os_time_ns() - begin < PATIENCE_MS * 1000000ull)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    return found || call_order_told();
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool call_differs(const struct adi3_call_record *ours, const struct mismatch_report *theirs)
{
    const struct adi3_what *a = &ours->what, *b = &theirs->what;

    return a->kind != b->kind || a->form != b->form || a->root != b->root || a->op != b->op;
}

/* Compares a call of `rank` with the calls of this process, rank 0. Reports the first difference,
 * once. */
static void compare_call(struct adi3_call_history *const calls[ADI3_FORMS], int rank,
                         const struct mismatch_report *r)
{
    const struct adi3_call_history *h = calls[r->form];
    const struct adi3_call_record *call = h ? &h->call[r->number % ADI3_CALLS_KEPT] : NULL;
    char words[COLLCHK_DESCRIPTION] = "nothing";
    bool end = r->what.kind == END_KIND, begun = h && (int32_t) (h->newest - r->number) >= 0;

    if (!found && begun && !end && call->number == r->number && !call_differs(call, r))
        call_order_compare(call, rank, r);
    if (!found && end && !begun && r->form == ADI3_FORMS - 1)
        call_order_end(rank);
    if (found || (begun && (call->number != r->number || !call_differs(call, r)))
        || (!begun && end))
        return;
    if (begun)
        collchk_describe(call, words, sizeof words);
    int err = adi3_error(MPI_ERR_OTHER,
                         "rank 0 called %s, while rank %d called %s, as %soperation %u of a "
                         "communicator; nobody waited for it",
                         words, rank, end ? "nothing" : r->text, form_word(r->form),
                         (unsigned) r->number + 1);
    found = true;
    if (adi3_warn)
        adi3_warn(adi3_error_text(err));
}

int last_receive(struct dev_peer *from, const struct dev_pkt *pkt, const void *text)
{
    struct adi3_comm *c;
    struct mismatch_report r;
    const struct ended_comm *e;

    if (!report_is_valid(from, pkt, &c))
        return p2p_refuse(from, pkt);
    report_read(pkt, text, &r);
    if (c && comm_is_compared(c) && !c->rank)
        compare_call(c->calls, pkt->rank, &r);
    else if (!c && (e = ended_find(pkt->ctx - ADI3_COLL)) && e->first && !e->us.rank)
        compare_call(e->calls, pkt->rank, &r);
    return 0;
}
