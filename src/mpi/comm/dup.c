/* dup.c — making a communicator like another one.
 *
 * Without waiting: the first process of each group picks the ids of its half, tells the other half
 * its own, and then all of its half. The new communicator is there at once, for calls that need no
 * messages; for all others when its ids are known. */
#include "comm/comm.h"

struct dup {
    struct adi3_comm *c, *made;
    struct mpir_ids ids;
    bool unwanted; /* it has failed here already: only the others need the messages */
};

static struct adi3_data bytes(void *at, size_t len)
{
    return (struct adi3_data) { at, len, adi3_type_builtin(MPI_BYTE) };
}

static int without_id(const struct dup *d)
{
    if (d->ids.recv && d->ids.send)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_OTHER, "the id of the new communicator of %d was lost", d->c->size);
}

/* The ids are here, or there is an error: then the communicator stays closed until MPI ends, as
 * whoever began it may still look at it. */
static int open(void *arg, int err)
{
    const struct dup *d = arg;
    struct adi3_comm *made = d->made;

    if (d->unwanted) {
        adi3_comm_release(made);
        return err;
    }
    if (!err)
        err = without_id(d);
    if (!err && d->c->local) {
        const struct adi3_subgroup all = { .size = d->c->size, .me = d->c->rank };
        err = adi3_comm_new(d->c->local, &all, d->ids.local, &made->local);
        if (!err)
            made->local->closed = ADI3_FREED;
    }
    if (!err)
        err = adi3_comm_open(made, d->ids.recv, d->ids.send);
    made->closed = err ? ADI3_FREED : ADI3_OPEN;
    return err;
}

/* Down a binomial tree of our half. */
static void spread(struct adi3_sched *s, struct adi3_comm *home, struct adi3_data d)
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

static void fill(struct adi3_sched *s, struct dup *d)
{
    struct adi3_comm *c = d->c, *home = c->local ? c->local : c;

    if (home->rank == 0) {
        d->ids = mpir_ids_pick();
        d->ids.send = d->ids.recv;
    }
    if (home->rank == 0 && c->remote) {
        adi3_sched_send(s, c, bytes(&d->ids.recv, sizeof d->ids.recv), 0);
        adi3_sched_recv(s, c, bytes(&d->ids.send, sizeof d->ids.send), 0);
        adi3_sched_fence(s);
    }
    spread(s, home, bytes(&d->ids, sizeof d->ids));
    adi3_sched_fence(s);
    adi3_sched_call(s, open, d);
}

/* The local communicator of an intercommunicator has numbers of its own. */
static int tag_of(struct adi3_comm *c)
{
    return adi3_number_tag(c->operations++) + 1 + (c->remote ? ADI3_TAG_GROUP : 0);
}

/* Where the cache cannot be copied the others are not left waiting, and nor is the caller. */
int mpir_comm_idup(struct adi3_comm *c, struct adi3_comm **made, MPI_Request *request)
{
    struct adi3_sched *s = adi3_sched_new(tag_of(c));
    struct dup *d = s ? adi3_sched_bytes(s, sizeof *d) : NULL;
    int err = d ? adi3_comm_make(c->group, c->remote, made)
                : mpir_error(MPI_ERR_NO_MEM, "no memory for a communicator of %d", c->size);

    if (err) {
        adi3_sched_free(s);
        return err;
    }
    mpir_comm_inherit(c, *made);
    int failed = mpir_comm_copy_cache(c, *made);
    (*made)->closed = failed ? ADI3_FREED : ADI3_PENDING;
    *d = (struct dup) { .c = c, .made = *made, .unwanted = failed != MPI_SUCCESS };
    fill(s, d);
    if ((err = adi3_sched_start(s, c, request)) && !failed)
        adi3_comm_release(*made);
    if (!err && failed)
        (void) adi3_request_release(adi3_request_get(*request));
    return failed ? failed : err;
}

static int dup_inter(struct adi3_comm *c, struct adi3_comm **made)
{
    MPI_Request h;
    int err = mpir_comm_idup(c, made, &h);

    if (err)
        return err;
    struct adi3_request *r = adi3_request_get(h);
    adi3_wait_done(r);
    if ((err = adi3_request_finish(r, MPI_STATUS_IGNORE)))
        adi3_comm_release(*made);
    return err;
}

int mpir_comm_dup(struct adi3_comm *c, struct adi3_comm **made)
{
    const struct adi3_subgroup all = { .size = c->size, .me = c->rank };

    if (c->remote)
        return dup_inter(c, made);
    int err = mpir_comm_make(c, &all, 0, made);
    if (!err && (err = mpir_comm_copy_cache(c, *made)))
        adi3_comm_release(*made);
    return err;
}
