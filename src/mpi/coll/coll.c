/* coll.c — runs a collective operation, in any of its forms, with the algorithm that a setting
 * forces or the best one. */
#include "mpi/coll/coll.h"
#include "mpi/info/info.h"

/* Field by field: `small` is large, and need not be cleared. */
void coll_begin(struct coll *x, struct adi3_comm *c)
{
    x->comm = c;
    x->other = c->local;
    x->subgroup = NULL;
    x->rank = c->rank;
    x->size = c->size;
    x->tag = 0;
    x->sched = NULL;
    x->args = NULL;
    x->root = 0;
    x->send = x->recv = (struct adi3_data) { 0 };
    x->sendcounts = x->sdispls = x->recvcounts = x->rdispls = (struct mpir_counts) { 0 };
    x->sendtypes = x->recvtypes = NULL;
    x->sends = x->recvs = c->peers;
    x->op = NULL;
    x->in_place = false;
    x->err = MPI_SUCCESS;
    x->stopped = false;
    x->unfenced = 0;
    x->many = NULL;
    x->room = COLL_PENDING;
    x->started = x->finished = 0;
    x->scratch = NULL;
    x->used = 0;
}

static bool algorithm_fits(const struct coll_algorithm *a, const struct coll *x)
{
    return a && (!a->fits || a->fits(x));
}

const struct coll_algorithm *coll_choose(const struct coll_operation *o, const struct coll *x)
{
    if (__builtin_expect(algorithm_fits(o->forced, x), 0))
        return o->forced;
    for (const struct coll_registration *f = o->registered; f; f = f->next)
        if (f->best && algorithm_fits(&f->row, x) && f->best(x))
            return &f->row;
    return o->choose(x);
}

/* Takes all steps of the algorithm. Some of them may still be under way at the end. */
static void run_algorithm(const struct coll_operation *o, struct coll *x)
{
    if (__builtin_expect(x->comm->remote != NULL, 0)) {
        x->tag |= ADI3_TAG_GROUP; /* the communicator of our group alone is used for its own
                                   * operations, too */
        o->inter(x);
        return;
    }
    coll_choose(o, x)->run(x);
}

void coll_switch_comm(struct coll *x)
{
    struct adi3_comm *to = x->other;
    int tag = x->other_tag;

    x->other = x->comm;
    x->other_tag = x->tag;
    x->comm = to;
    x->tag = tag;
}

void coll_run_in_group(struct coll *x, const struct coll_operation *o)
{
    coll_finish(x);
    coll_switch_comm(x);
    const struct coll_algorithm *best = coll_choose(o, x);
    if (x->err)
        coll_fail_phase(x);
    best->run(x);
    coll_finish(x);
    coll_switch_comm(x);
}

static int not_inter(void)
{
    return mpir_error(MPI_ERR_COMM, "this operation is for intracommunicators");
}

int coll_run(const struct coll_operation *o, struct coll *x)
{
    if (__builtin_expect(x->comm->remote != NULL, 0) && !o->inter)
        return not_inter();
    struct adi3_comm *c = x->comm;
    x->tag = coll_sign(o, x, ADI3_FORM_BLOCKING);
    if (__builtin_expect(c->failed, 0))
        return adi3_collchk_refuse(c, x->tag);
    run_algorithm(o, x);
    coll_finish(x);
    coll_free_scratch(x);
    if (__builtin_expect(x->err, 0))
        (void) adi3_collchk_failed(c, x->tag, x->err, x->stopped);
    return __builtin_expect(c->differs || c->local, 0) ? adi3_collchk_end(c, x->err) : x->err;
}

void coll_phase(struct coll *x, const struct coll_subgroup *t, int root,
                const struct coll_operation *o)
{
    const int rank = x->rank, size = x->size, all_root = x->root;

    x->subgroup = t;
    x->rank = t->me;
    x->size = t->size;
    x->root = root;
    const struct coll_algorithm *best = o->choose(x);
    if (x->err)
        coll_fail_phase(x);
    best->run(x);
    coll_finish(x);
    x->subgroup = NULL;
    x->rank = rank;
    x->size = size;
    x->root = all_root;
}

/* ---- a user's call --------------------------------------------------------------------------- */

static int operation_resolve(struct mpir_call *call, const struct coll_operation *o,
                             const struct coll_args *a, struct coll *x)
{
    struct adi3_comm *c;
    int err = mpir_comm_arg(call, a->comm, &c);

    if (__builtin_expect(err, 0))
        return err;
    coll_begin(x, c);
    x->args = a;
    if (__builtin_expect(c->remote != NULL, 0) && !o->inter)
        return not_inter();
    err = o->resolve ? o->resolve(x, a) : MPI_SUCCESS;
    if (__builtin_expect(err, 0))
        coll_free_scratch(x);
    return err;
}

int coll_call(struct mpir_call *call, const struct coll_operation *o, const struct coll_args *a)
{
    struct coll x;
    int err = operation_resolve(call, o, a, &x);

    return __builtin_expect(err, 0) ? err : coll_run(o, &x);
}

/* Makes all steps as a schedule. NULL: x->err has the error. */
static struct adi3_sched *operation_schedule(const struct coll_operation *o, struct coll *x,
                                             int tag)
{
    x->tag = tag;
    if (__builtin_expect(x->comm->failed, 0)) {
        coll_error(x, adi3_collchk_refuse(x->comm, tag));
        return NULL;
    }
    x->sched = adi3_sched_new(x->tag);
    if (!x->sched) {
        coll_error(x, adi3_no_memory("for the steps of this operation"));
        return NULL;
    }
    run_algorithm(o, x);
    if (!x->err)
        return x->sched;
    adi3_sched_free(x->sched);
    return NULL;
}

static int begin_resolved(const struct coll_operation *o, struct coll *x, MPI_Request *request)
{
    struct adi3_comm *c = x->comm;
    int err = mpir_out_arg(request, "request");

    if (err)
        return err;
    int tag = coll_sign(o, x, ADI3_FORM_BEGUN);
    struct adi3_sched *s = operation_schedule(o, x, tag);
    err = s ? adi3_sched_start(s, c, request) : x->err;
    return err ? adi3_collchk_failed(c, tag, err, true) : MPI_SUCCESS;
}

int coll_begin_call(struct mpir_call *call, const struct coll_operation *o,
                    const struct coll_args *a, MPI_Request *request)
{
    struct coll x;
    int err = operation_resolve(call, o, a, &x);

    if (err)
        return err;
    err = begin_resolved(o, &x, request);
    coll_free_scratch(&x);
    return err;
}

static int init_resolved(const struct coll_operation *o, struct coll *x, MPI_Info info,
                         MPI_Request *request)
{
    struct adi3_comm *c = x->comm;
    struct mpir_info *hints;
    int err = mpir_info_or_null_arg(info, &hints);

    if (!err)
        err = mpir_out_arg(request, "request");
    if (err)
        return err;
    int tag = coll_sign(o, x, ADI3_FORM_INIT);
    struct adi3_sched *s = operation_schedule(o, x, tag);
    if (!s)
        return adi3_collchk_failed(c, tag, x->err, true);
    err = coll_offload(o, x);
    if (!err)
        err = adi3_sched_init(s, c, request);
    else
        adi3_sched_free(s);
    return err ? adi3_collchk_end(c, adi3_collchk_failed(c, tag, err, true)) : MPI_SUCCESS;
}

int coll_init_call(struct mpir_call *call, const struct coll_operation *o,
                   const struct coll_args *a, MPI_Info info, MPI_Request *request)
{
    struct coll x;
    int err = operation_resolve(call, o, a, &x);

    if (err)
        return err;
    err = init_resolved(o, &x, info, request);
    coll_free_scratch(&x);
    return err;
}
