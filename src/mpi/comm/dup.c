/* dup.c — duplicating a communicator.
 *
 * MPI_Comm_idup does not wait. Rank 0 of each group picks the context ids of its group,
 * exchanges them with rank 0 of the other group of an intercommunicator, and broadcasts them in
 * its own. Calls that send no message may use the new communicator at once, others when its ids
 * are known. */
#include "mpi/comm/comm.h"

struct dup {
    struct adi3_comm *c, *made;
    struct mpir_ids ids;
    bool copy_failed; /* a copy function failed here: the schedule only sends for other processes */
};

static struct adi3_data byte_data(void *at, size_t len)
{
    return (struct adi3_data) { at, len, adi3_type_builtin(MPI_BYTE) };
}

static int check_ids(const struct dup *d)
{
    if (d->ids.recv && d->ids.send)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_OTHER, "the id of the new communicator of %d was lost", d->c->size);
}

/* Called when the ids are known or an error ended the schedule. After an error the communicator
 * stays closed until MPI ends: the thread that made it may still hold its handle. */
static int open_comm(void *arg, int err)
{
    const struct dup *d = arg;
    struct adi3_comm *made = d->made;

    if (d->copy_failed) {
        adi3_comm_release(made);
        return err;
    }
    if (!err)
        err = check_ids(d);
    if (!err && d->c->local) {
        const struct adi3_subgroup all = { .size = d->c->size, .me = d->c->rank };
        err = adi3_comm_new(d->c->local, &all, d->ids.local, &made->local);
        if (!err) {
            made->local->closed = ADI3_FREED;
            made->local->inter = made;
        }
    }
    if (!err)
        err = adi3_comm_open(made, d->ids.recv, d->ids.send);
    made->closed = err ? ADI3_FREED : ADI3_OPEN;
    return err;
}

/* Along a binomial tree of the local group. */
static void broadcast_ids(struct adi3_sched *s, struct adi3_comm *home, struct adi3_data d)
{
    int bit = 1;

    while (bit < home->size && !(home->rank & bit))
        bit <<= 1;
    if (home->rank) {
        adi3_sched_recv(s, home, d, home->rank - bit);
        adi3_sched_fence(s);
    }
    while (bit >>= 1)
        if (home->rank + bit < home->size)
            adi3_sched_send(s, home, d, home->rank + bit);
}

static void build_schedule(struct adi3_sched *s, struct dup *d)
{
    struct adi3_comm *c = d->c, *home = c->local ? c->local : c;

    if (home->rank == 0) {
        d->ids = mpir_ids_pick(home);
        d->ids.send = d->ids.recv;
    }
    if (home->rank == 0 && c->remote) {
        adi3_sched_send(s, c, byte_data(&d->ids.recv, sizeof d->ids.recv), 0);
        adi3_sched_recv(s, c, byte_data(&d->ids.send, sizeof d->ids.send), 0);
        adi3_sched_fence(s);
    }
    broadcast_ids(s, home, byte_data(&d->ids, sizeof d->ids));
    adi3_sched_fence(s);
    adi3_sched_call(s, open_comm, d);
}

/* The local communicator of an intercommunicator has numbers of its own, so its tags differ. */
static int tag_of(struct adi3_comm *c)
{
    int number = adi3_number_tag(c->begun[ADI3_FORM_BEGUN]++);

    return ADI3_TAG_BEGUN + number + 1 + (c->remote ? ADI3_TAG_GROUP : 0);
}

/* When a copy function fails here, this process still sends its messages, so that no other process
 * waits for them. */
int mpir_comm_idup(struct adi3_comm *c, struct adi3_comm **made, MPI_Request *request)
{
    struct adi3_sched *s = adi3_sched_new(tag_of(c));
    struct dup *d = s ? adi3_sched_bytes(s, sizeof *d) : NULL;
    int err = d ? adi3_comm_make(c->group, c->remote, made)
                : adi3_no_memory("for a communicator of %d", c->size);

    if (err) {
        adi3_sched_free(s);
        return err;
    }
    mpir_comm_inherit(c, *made);
    int failed = mpir_comm_copy_cache(c, *made);
    (*made)->closed = failed ? ADI3_FREED : ADI3_PENDING;
    *d = (struct dup) { .c = c, .made = *made, .copy_failed = failed != MPI_SUCCESS };
    build_schedule(s, d);
    err = adi3_sched_start(s, c, request);
    if (err && !failed)
        adi3_comm_release(*made);
    if (!err && failed)
        (void) adi3_request_release(adi3_request_get(*request));
    if (failed)
        err = failed;
    return err;
}

static int dup_inter(struct adi3_comm *c, struct adi3_comm **made)
{
    MPI_Request h;
    int err = mpir_comm_idup(c, made, &h);

    if (err)
        return err;
    struct adi3_request *r = adi3_request_get(h);
    adi3_wait_done(r);
    err = adi3_request_finish(r, MPI_STATUS_IGNORE);
    if (err)
        adi3_comm_release(*made);
    return err;
}

int mpir_comm_dup(struct adi3_comm *c, struct adi3_comm **made)
{
    const struct adi3_subgroup all = { .size = c->size, .me = c->rank };

    if (c->remote)
        return dup_inter(c, made);
    int err = mpir_comm_make(c, &all, ADI3_TAG_COMM, made);
    if (err)
        return err;
    err = mpir_comm_copy_cache(c, *made);
    if (err)
        adi3_comm_release(*made);
    return err;
}
