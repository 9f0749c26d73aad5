/* connected.c — jobs that are connected with ours: they end together, and in order.
 *
 * A connection is between two groups. Each process of the larger group and one of the smaller group
 * are connected peers. When all processes of its job are in MPI_Finalize, a process tells its
 * connected peers the end of the job, and waits until they have told the end of theirs. MPI_Abort
 * goes to the connected peers, too, and they pass it on. */
#include <stdlib.h>
#include "adi3/comm/comm.h"
#include "adi3/connect/connect_impl.h"

enum { ABORT_MS = 500 }; /* most that MPI_Abort waits until its packets are sent */

struct connected_peer { /* one of this process */
    struct connected_peer *next;
    struct adi3_proc *proc;
    uint32_t ctx; /* of the intercommunicator that made the connection */
};

static void (*end_job)(int exit_code, const char *why);
static struct connected_peer *connected_peers; /* a process is there once for each connection */

bool connected_any(void) { return connected_peers; }

/* Adds a process that a device reaches. */
static int connected_peer_add(struct adi3_proc *p, uint32_t ctx)
{
    int err = p->dev ? MPI_SUCCESS : proc_add(p);

    if (err)
        return err;
    struct connected_peer *x = malloc(sizeof *x);
    if (!x)
        return adi3_no_memory("for a connection");
    *x = (struct connected_peer) { connected_peers, p, ctx };
    connected_peers = x;
    return MPI_SUCCESS;
}

int adi3_connected(const struct adi3_comm *inter)
{
    const struct adi3_group *ours = inter->group, *theirs = inter->remote;
    int least = ours->size < theirs->size ? ours->size : theirs->size, err = MPI_SUCCESS;

    assert(adi3_lock_held());
    for (int i = inter->rank % least; i < theirs->size && !err; i += least)
        if (inter->rank < least || i == inter->rank % least)
            err = connected_peer_add(proc_at(adi3_group_process(theirs, i)), inter->recv_ctx);
    return err;
}

static void connections_drop(bool all, uint32_t ctx)
{
    for (struct connected_peer **at = &connected_peers; *at;) {
        struct connected_peer *x = *at;
        if (!all && x->ctx != ctx) {
            at = &x->next;
            continue;
        }
        *at = x->next;
        free(x);
    }
}

void adi3_not_connected(const struct adi3_comm *inter)
{
    assert(adi3_lock_held());
    connections_drop(false, inter->recv_ctx);
}

void connected_finalize(void) { connections_drop(true, 0); }

/* ---- the end of a job ------------------------------------------------------------------------ */

static int receive_job_end(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) pkt, (void) payload;
    proc_of(from)->link->ends_received++;
    return 0;
}

/* How many ends of its job p has still to tell: one for each connection. */
static int peer_ends_awaited(const struct adi3_proc *p)
{
    int n = 0;

    for (const struct connected_peer *x = connected_peers; x; x = x->next)
        n += x->proc == p;
    return n - p->link->ends_received;
}

static bool all_ends_received(void)
{
    bool all = p2p_with_devices() == 0;

    for (const struct connected_peer *x = connected_peers; x && all; x = x->next)
        all = x->proc->lost || peer_ends_awaited(x->proc) <= 0;
    return all;
}

void connected_end_exchange(void)
{
    const struct dev_pkt job_end = { .type = PKT_JOB_END };
    struct adi3_wait w = { .what = "the end of a connected job" };

    for (const struct connected_peer *x = connected_peers; x; x = x->next)
        if (!x->proc->lost)
            (void) p2p_control(&x->proc->peer, &job_end); /* an error: it is lost */
    while (!all_ends_received())
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
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

    told = true;
    p2p_put_fields(&pkt, &fields, sizeof fields);
    for (const struct connected_peer *x = connected_peers; x; x = x->next)
        if (!x->proc->lost)
            (void) p2p_control(&x->proc->peer, &pkt);
}

void connected_abort(int exit_code)
{
    uint64_t end = os_time_ns() + ABORT_MS * 1000000ull;

    if (!connected_peers || told)
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
