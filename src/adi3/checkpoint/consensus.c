/* consensus.c — before a quiesce, all processes of the job find out together whether it can be.
 *
 * A checkpoint is of one job. While it is connected with another one, messages of that job may be
 * on their way, and no process there sends markers. Perhaps only some processes of our job know
 * that job. While a process has an open port, another job may connect at any moment. So each
 * process tells all others, in the steps of a dissemination barrier, before any holds back
 * anything. A process goes on with the steps after an error: then no other one waits for it. */
#include <string.h>
#include "adi3/checkpoint/checkpoint_impl.h"
#include "adi3/p2p/p2p.h"

enum { NAME = 48 };

struct view {       /* of one process, then of more and more */
    char job[NAME]; /* a job that is connected with ours; "": none is known */
    int32_t failed; /* 1 + the rank of a process with an error; 0: none is known */
    int32_t port;   /* likewise, of one with an open port */
};

/* A job counts until all its processes with a connection to this process are lost. */
static const struct proc_job *connected_job(void)
{
    for (int i = adi3_job.size; i < proc_count(); i++) {
        const struct adi3_proc *p = proc_at(i);
        if (p->dev && !p->lost)
            return proc_job_of(p);
    }
    return NULL;
}

static struct adi3_data bytes_of(struct view *v)
{
    return (struct adi3_data) { v, sizeof *v, adi3_type_builtin(MPI_BYTE) };
}

int quiesce_lost(void)
{
    for (int i = 0; proc_any_lost && i < adi3_job.size; i++)
        if (proc_at(i)->lost)
            return proc_error(proc_at(i), proc_at(i)->lost);
    return MPI_SUCCESS;
}

/* One step. Neither half is left out when the other one fails. */
static int consensus_exchange(struct view *v, int step)
{
    struct adi3_comm *c = &adi3_world;
    struct view theirs = { .failed = 0 };
    const struct adi3_data out = bytes_of(v), in = bytes_of(&theirs);
    MPI_Request handle = MPI_REQUEST_NULL;
    int dest = (c->rank + step) % c->size, source = (c->rank - step + c->size) % c->size;
    int err = adi3_irecv(&in, source, ADI3_TAG_QUIESCE, c, ADI3_COLL, &handle);
    int sent = adi3_send(&out, dest, ADI3_TAG_QUIESCE, c, ADI3_COLL);

    if (err)
        return err;
    struct adi3_request *r = adi3_request_get(handle);
    adi3_wait_done(r);
    err = adi3_request_finish(r, MPI_STATUS_IGNORE);
    if (!v->job[0])
        memcpy(v->job, theirs.job, NAME - 1);
    if (!v->failed)
        v->failed = theirs.failed;
    if (!v->port)
        v->port = theirs.port;
    if (!err)
        err = sent;
    return err;
}

static int view_error(const struct view *v)
{
    if (v->failed)
        return adi3_error(MPI_ERR_OTHER, "process %d of MPI_COMM_WORLD could not begin a quiesce",
                          (int) v->failed - 1);
    if (v->job[0])
        return adi3_error(MPI_ERR_OTHER,
                          "this job is connected with %s: a checkpoint is of one job, and can be "
                          "taken when they are disconnected",
                          v->job);
    if (v->port)
        return adi3_error(MPI_ERR_OTHER,
                          "process %d of MPI_COMM_WORLD has an open port, where other jobs may "
                          "connect: a checkpoint can be taken when it is closed",
                          (int) v->port - 1);
    return MPI_SUCCESS;
}

int quiesce_consensus(void)
{
    const struct proc_job *job = connected_job();
    struct view v = { .port = base_invites() ? 1 + adi3_job.rank : 0 };
    int err = quiesce_lost();

    assert(adi3_lock_held());
    if (job)
        (void) strncpy(v.job, job->name, NAME - 1);
    for (int step = 1; step < adi3_job.size; step *= 2) {
        if (err)
            v.failed = 1 + adi3_job.rank;
        int rc = consensus_exchange(&v, step);
        if (!err)
            err = rc;
    }
    if (!err)
        err = view_error(&v);
    return err;
}
