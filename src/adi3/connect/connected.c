/* connected.c — jobs that are connected with ours: they end together, and in order.
 *
 * Connected peers are some pairs of processes that are linked (links.c). When all processes of its
 * job are in MPI_Finalize, a process tells its connected peers the end of the job, and waits until
 * they have told the end of theirs. MPI_Abort goes to the connected peers, too, and they pass it
 * on. */
#include <stdlib.h>
#include "adi3/comm/comm.h"
#include "adi3/connect/connect_impl.h"

enum { ABORT_MS = 500 }; /* most that MPI_Abort waits until its packets are sent */

static void (*end_job)(int exit_code, const char *why);

bool connected_any(void) { return links_any(); }

static int unreachable; /* the error of the first peer that no device reaches */

static void reach_peer(struct adi3_proc *p)
{
    if (!unreachable && !p->dev && !p->lost)
        unreachable = proc_add(p);
}

int adi3_connected(const struct adi3_comm *inter)
{
    assert(adi3_lock_held() && inter->span);
    unreachable = MPI_SUCCESS;
    int err = links_each_peer(inter->span, reach_peer);
    if (err)
        return err;
    return unreachable;
}

void connected_finalize(void) { links_finalize(); }

/* ---- the end of a job ------------------------------------------------------------------------ */

static int receive_job_end(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) pkt, (void) payload;
    proc_of(from)->link->ended = true;
    return 0;
}

static void tell_end(struct adi3_proc *p)
{
    static const struct dev_pkt job_end = { .type = PKT_JOB_END };

    if (!p->lost && (p->dev || !proc_add(p)))
        (void) p2p_control(&p->peer, &job_end); /* an error: it is lost */
}

static bool awaited; /* a peer has still to tell the end of its job */

static void look_at_end(struct adi3_proc *p) { awaited |= p->dev && !p->lost && !p->link->ended; }

void connected_end_exchange(void)
{
    struct adi3_wait w = { .what = "the end of a connected job" };

    awaited = links_each_peer(NULL, tell_end) == MPI_SUCCESS;
    while (awaited) {
        awaited = p2p_with_devices() > 0;
        (void) links_each_peer(NULL, look_at_end);
        if (awaited)
            adi3_wait_turn(&w);
    }
    adi3_wait_end(&w);
}

/* ---- abort ----------------------------------------------------------------------------------- */

struct abort_fields {
    uint64_t exit_code;
};
P2P_FIELDS_FIT(struct abort_fields);

static bool told; /* the connected peers know */
static struct dev_pkt abort_pkt = { .type = PKT_ABORT };

static void send_abort(struct adi3_proc *p)
{
    if (!p->lost && (p->dev || !proc_add(p)))
        (void) p2p_control(&p->peer, &abort_pkt);
}

static void abort_send_all(int exit_code)
{
    const struct abort_fields fields = { (uint64_t) (unsigned) exit_code };

    told = true;
    p2p_put_fields(&abort_pkt, &fields, sizeof fields);
    (void) links_each_peer(NULL, send_abort);
}

void connected_abort(int exit_code)
{
    uint64_t end = os_time_ns() + ABORT_MS * 1000000ull;

    if (!links_any() || told)
        return;
    abort_send_all(exit_code);
    while (p2p_with_devices() && os_time_ns() < end)
        (void) progress_poll();
}

/* This is an upcall, in which no device may be polled: what the connected peers of this process do
 * not get in time they see as its end. */
static int receive_abort(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    char title[ADI3_TITLE];
    struct abort_fields fields;

    (void) payload;
    p2p_get_fields(pkt, &fields, sizeof fields);
    if (!told)
        abort_send_all((int) fields.exit_code);
    int err = adi3_error(MPI_ERR_OTHER, "a connected job aborts, says %s",
                         proc_title(proc_of(from), title));
    end_job((int) fields.exit_code, adi3_error_text(err));
    return 0;
}

int connected_init(void (*end)(int exit_code, const char *why))
{
    static const struct p2p_packet job_end = { .name = "JOB_END", .whole = receive_job_end },
                                   abort = { .name = "ABORT", .whole = receive_abort };
    int err = p2p_packet_add(PKT_JOB_END, &job_end);

    end_job = end;
    if (!err)
        err = p2p_packet_add(PKT_ABORT, &abort);
    return err;
}
