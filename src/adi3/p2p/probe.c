/* probe.c — probes, and matched probes, which take the message out of the unexpected queue.
 *
 * A message that MPI_Mprobe has taken is a request of the kind ADI3_MESSAGE: it has the envelope
 * and as much of the payload as has come. MPI_Mrecv turns it into a receive. */
#include "adi3/p2p/p2p_impl.h"

static bool has_unexpected_match(int source, int tag, struct adi3_comm *c, MPI_Status *status)
{
    struct match_message *u = match_unexpected(c->queue[0], source, tag);

    if (u)
        request_status(status, u->pkt.rank, u->pkt.tag, u->pkt.len);
    return u;
}

/* poll: once, where no message is there yet. Inlined, since programs probe in loops. */
static inline __attribute__((always_inline)) int
probe_once(int source, int tag, struct adi3_comm *c, bool poll, bool *found, MPI_Status *status)
{
    assert(adi3_lock_held());
    *found = true;
    if (source == MPI_PROC_NULL) {
        request_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return MPI_SUCCESS;
    }
    if (has_unexpected_match(source, tag, c, status))
        return MPI_SUCCESS;
    *found = poll && adi3_poll() && has_unexpected_match(source, tag, c, status);
    watch_probed = *found || source < 0 ? NULL : c->proc[source];
    return !*found && proc_any_lost ? proc_lost_error(c, source) : MPI_SUCCESS;
}

int adi3_iprobe(int source, int tag, struct adi3_comm *c, bool *found, MPI_Status *status)
{
    return probe_once(source, tag, c, true, found, status);
}

int adi3_probe(int source, int tag, struct adi3_comm *c, MPI_Status *status)
{
    struct adi3_wait w = { .on = NULL };
    bool found;
    int err = adi3_iprobe(source, tag, c, &found, status);

    while (!err && !found) {
        adi3_wait_turn(&w);
        err = probe_once(source, tag, c, false, &found, status);
    }
    adi3_wait_end(&w);
    return err;
}

/* ---- matched probes -------------------------------------------------------------------------- */

static int take_message(struct match_message *u, struct adi3_comm *c, MPI_Message *message)
{
    struct adi3_request *r = request_new(ADI3_MESSAGE, c, u->pkt.rank, u->pkt.tag);

    if (!r)
        return adi3_no_memory("for a request");
    match_take(c->queue[0], u);
    r->flags = REQUEST_RELEASED; /* to the program it is no request */
    r->state = ADI3_ACTIVE;
    r->message = u;
    u->claimed = r;
    *message = request_user_acquire(r);
    return MPI_SUCCESS;
}

static int improbe_once(int source, int tag, struct adi3_comm *c, bool poll, MPI_Message *message,
                        MPI_Status *status)
{
    bool found;
    int err = probe_once(source, tag, c, poll, &found, status);

    *message = MPI_MESSAGE_NULL;
    if (err || !found)
        return err;
    if (source == MPI_PROC_NULL) {
        *message = MPI_MESSAGE_NO_PROC;
        return MPI_SUCCESS;
    }
    return take_message(match_unexpected(c->queue[0], source, tag), c, message);
}

int adi3_improbe(int source, int tag, struct adi3_comm *c, MPI_Message *message, MPI_Status *status)
{
    return improbe_once(source, tag, c, true, message, status);
}

int adi3_mprobe(int source, int tag, struct adi3_comm *c, MPI_Message *message, MPI_Status *status)
{
    struct adi3_wait w = { .on = NULL };
    int err = adi3_improbe(source, tag, c, message, status);

    while (!err && *message == MPI_MESSAGE_NULL) {
        adi3_wait_turn(&w);
        err = improbe_once(source, tag, c, false, message, status);
    }
    adi3_wait_end(&w);
    return err;
}

struct adi3_request *adi3_message_get(MPI_Message handle)
{
    struct adi3_request *r = adi3_get(&adi3_requests, handle);

    return r && r->kind == ADI3_MESSAGE ? r : NULL;
}

void probe_broken(struct adi3_request *message, int err)
{
    struct match_message *u = message->message;

    assert(message->kind == ADI3_MESSAGE && u);
    message->error = proc_error(proc_of(u->from), err);
    message->message = NULL;
    unexpected_free(u);
}

void probe_drop(struct adi3_request *message)
{
    struct match_message *u = message->message;

    assert(message->kind == ADI3_MESSAGE);
    if (u && (u->pkt.type == PKT_RTS || u->complete))
        unexpected_free(u);
    else if (u)
        u->claimed = NULL; /* it is freed when the rest has come */
}
