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

int adi3_connected(const struct adi3_comm *inter)
{
    struct links_peers peers;

    assert(adi3_lock_held());
    if (!inter->span) /* both groups are of our job */
        return MPI_SUCCESS;
    int err = links_peers(inter->span, &peers);
    for (int i = 0; i < peers.n && !err; i++)
        if (!peers.proc[i]->dev && !peers.proc[i]->lost)
            err = proc_add(peers.proc[i]);
    free(peers.proc);
    return err;
}

void connected_finalize(void)
{
    links_finalize();
    keys_finalize();
}

/* ---- the end of a job ------------------------------------------------------------------------ */

static int receive_job_end(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) pkt, (void) payload;
    proc_of(from)->link->ended = true;
    return 0;
}

/* Tells all peers. An error: one is lost. */
static void tell_peers(const struct links_peers *peers, const struct dev_pkt *pkt)
{
    for (int i = 0; i < peers->n; i++) {
        struct adi3_proc *p = peers->proc[i];
        if (!p->lost && (p->dev || !proc_add(p)))
            (void) p2p_control(&p->peer, pkt);
    }
}

static bool all_ends_received(const struct links_peers *peers)
{
    bool all = p2p_with_devices() == 0;

    for (int i = 0; i < peers->n && all; i++) {
        const struct adi3_proc *p = peers->proc[i];
        all = !p->dev || p->lost || p->link->ended;
    }
    return all;
}

void connected_end_exchange(void)
{
    const struct dev_pkt job_end = { .type = PKT_JOB_END };
    struct adi3_wait w = { .what = "the end of a connected job" };
    struct links_peers peers;

    (void) links_peers(NULL, &peers); /* without memory there are none */
    tell_peers(&peers, &job_end);
    while (!all_ends_received(&peers))
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    free(peers.proc);
}

/* ---- abort ----------------------------------------------------------------------------------- */

struct abort_fields {
    uint64_t exit_code;
};
P2P_FIELDS_FIT(struct abort_fields);

static bool told; /* the connected peers know */

static void abort_send_all(int exit_code)
{
    const struct abort_fields fields = { (uint64_t) (unsigned) exit_code };
    struct dev_pkt pkt = { .type = PKT_ABORT };
    struct links_peers peers;

    told = true;
    p2p_put_fields(&pkt, &fields, sizeof fields);
    (void) links_peers(NULL, &peers);
    tell_peers(&peers, &pkt);
    free(peers.proc);
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
