/* collective.c — collective accesses, in two phases where that is better: all processes send their
 * data to the aggregators, which write it in pieces as long as can be; or these read, and send. No
 * byte is written by two, so nothing is locked.
 *
 * A process whose runs are long has nothing to gain: it goes alone, before it asks the others what
 * they want. When all have done so, they have told each other their errors by then, too, and that
 * was all.
 *
 * An aggregator knows the views of all processes, and walks through them itself: no lists of places
 * are sent. A message is a run of the stream of its sender. An error in a round ends no loop, so no
 * process waits for ever; all learn of it at the end. The blocking, nonblocking and split forms
 * take the same steps (coll.h). */
#include <stdlib.h>
#include <string.h>
#include "adi3/adi3_progress.h"
#include "mpi/comm/comm.h"
#include "platform/os.h"
#include "mpi/io/phases.h"

enum {
    BUFFERS = 3,     /* of the window, of what comes and of what goes: together cb_buffer_size */
    LOOKS = 64,      /* runs that are looked at to know how long they are */
    LONG_BLOCKS = 2, /* blocks in a run that each process moves by itself as fast */
    SPARSE = 8,      /* so many times what is wanted is too much to read */
};

struct outcome { /* of one process */
    int64_t errclass;
    uint64_t failed; /* the offset in the file, or 0 when it is not known */
};

struct call { /* a collective access under way */
    struct adi3_access access;
    struct phases p;
    struct wish mine;
    int err;                           /* of this process */
    struct outcome outcome, *outcomes; /* of this process, and of all processes by rank */
    bool shared;                       /* aggregators have moved the data */
    int tag;
    /* Of a nonblocking one. */
    MPI_Request request;
    bool held; /* the file and the type of the data */
};

struct call_coll {
    struct coll x;
    struct call *k;
};

/* ---- what all want --------------------------------------------------------------------------- */

/* The bytes of the file between the first and the last of an access. Reading ends with the file. */
static void find_bounds(const struct adi3_access *a, struct wish *w)
{
    const struct adi3_view *v = &a->file->view;
    uint64_t size, there;

    if (!a->writes && w->len && !adi3_file_size(a->file, &size)) {
        there = adi3_view_before(v, size);
        there = there > a->at ? there - a->at : 0;
        w->len = w->len < there ? w->len : there;
    }
    w->low = w->len ? adi3_view_offset(v, a->at) : 0;
    w->high = w->len ? adi3_view_offset(v, a->at + w->len - 1) + 1 : 0;
}

static bool allows_two_phases(const struct adi3_file *f)
{
    return f->views && !f->view.rep->portable && !f->view.rep->extent && !f->atomic;
}

static enum adi3_choice cb_hint_choice(const struct adi3_access *a, const struct adi3_hints *h)
{
    return a->writes ? h->cb_write : h->cb_read;
}

static bool is_long(const struct adi3_file *f, uint64_t run)
{
    return run >= LONG_BLOCKS * adi3_file_block(f);
}

/* Whether two phases are no gain, whatever the others want. */
static bool is_independent(const struct adi3_access *a, const struct adi3_hints *h,
                           const struct wish *w)
{
    return !w->len || !allows_two_phases(a->file) || cb_hint_choice(a, h) == ADI3_DISABLE
           || (cb_hint_choice(a, h) != ADI3_ENABLE && is_long(a->file, w->run));
}

/* Sets the wish of this process: the part of the access that two phases may do with other
 * processes; nothing (alone) when they are no gain. */
static void find_wish(const struct adi3_access *a, const struct adi3_hints *h, struct wish *w)
{
    const struct adi3_view *v = &a->file->view;

    w->at = a->at;
    w->len = v->tiles->size ? (uint64_t) a->data.count * a->data.type->size : 0;
    w->run = adi3_view_run(v, w->at, w->len, LOOKS);
    if ((w->alone = is_independent(a, h, w)))
        w->len = 0;
    else
        find_bounds(a, w);
}

/* Whether the accesses of processes interleave: then many small ones become few long ones. */
static bool accesses_interleave(const struct wish *all, int n)
{
    uint64_t end = 0;

    for (int i = 0; i < n; i++) {
        if (!all[i].len)
            continue;
        if (all[i].low < end)
            return true;
        end = all[i].high;
    }
    return false;
}

/* What a domain has to be a multiple of: cb_block_size, in blocks of the file system. */
static uint64_t unit_of(const struct phases *p)
{
    uint64_t block = adi3_file_block(p->a->file), wanted = p->hints.cb_block_size;

    return wanted > block ? wanted - wanted % block : block;
}

static void file_domains_divide(struct phases *p)
{
    uint64_t low = UINT64_MAX, high = 0, unit = unit_of(p);

    for (int i = 0; i < p->size; i++)
        if (p->all[i].len) {
            low = p->all[i].low < low ? p->all[i].low : low;
            high = p->all[i].high > high ? p->all[i].high : high;
        }
    low -= low % unit;
    uint64_t n = (uint64_t) mpir_io_aggregators(p->a->file, &p->hints);
    uint64_t units = low < high ? (high - low + unit - 1) / unit : 0;
    p->low = low;
    p->high = high;
    p->aggregators = (int) n;
    p->domain = (units + n - 1) / n * unit;
    p->window = p->hints.cb_buffer_size / BUFFERS;
    p->window = p->window > unit ? p->window - p->window % unit : unit;
}

/* ---- how ------------------------------------------------------------------------------------- */

/* Whether runs are so short, and what is read around them so little, that two phases are faster. */
static bool is_two_phase_faster(const struct phases *p)
{
    uint64_t wanted = 0, low = UINT64_MAX, high = 0, runs = 0;

    for (int i = 0; i < p->size; i++) {
        const struct wish *w = &p->all[i];
        if (!w->len)
            continue;
        wanted += w->len;
        runs += w->len / w->run + 1;
        low = w->low < low ? w->low : low;
        high = w->high > high ? w->high : high;
    }
    if (!runs || is_long(p->a->file, wanted / runs))
        return false;
    return p->a->writes || (high - low) / SPARSE <= wanted;
}

static bool is_two_phase(const struct phases *p)
{
    enum adi3_choice choice = cb_hint_choice(p->a, &p->hints);

    if (!allows_two_phases(p->a->file) || choice == ADI3_DISABLE)
        return false;
    return choice == ADI3_ENABLE
           || (accesses_interleave(p->all, p->size) && is_two_phase_faster(p));
}

/* False after an error: a process cannot take part, has failed alone, or makes another call. Then
 * all processes know the error. */
static bool all_take_part(struct call *k)
{
    const struct wish *all = k->p.all;

    for (int i = 1; i < k->p.size && !k->err; i++)
        k->err = mpir_io_same_call(&all->call, &all[i].call, i);
    for (int i = 0; i < k->p.size && !k->err; i++)
        k->err = mpir_io_error_of(i, (int) all[i].errclass,
                                  all[i].alone ? "access the file" : "take part");
    return !k->err;
}

/* When the wishes of all are known. */
static bool anything_left(struct call *k)
{
    if (!all_take_part(k))
        return false;
    for (int i = 0; i < k->p.size; i++)
        if (!k->p.all[i].alone)
            return true;
    return false;
}

/* ---- the steps ------------------------------------------------------------------------------- */

static void independent_move(void *access) { adi3_file_move(access); }

/* Functions of the program are called by a thread of the program. */
static int start_move(void *arg, MPI_Request *request)
{
    struct call *k = arg;

    *request = ADI3_REQUEST_COMPLETE;
    if (!k->access.file->view.rep->extent)
        return adi3_file_run(k->access.file->comm, independent_move, &k->access, request);
    mpir_io_move(&k->access);
    return MPI_SUCCESS;
}

/* Moves the data of this process alone. The other processes take about as long, so the wait for
 * them will, too. */
static void move_alone(struct coll *x, struct call *k)
{
    if (x->sched) {
        coll_request(x, start_move, k);
        return;
    }
    uint64_t begin = os_time_ns();
    mpir_io_move(&k->access);
    adi3_expect_wait(os_time_ns() - begin);
}

static void move_together(struct coll *x, struct call *k)
{
    uint64_t begin = os_time_ns();

    k->shared = true;
    file_domains_divide(&k->p);
    phases_run(x, &k->p);
    coll_finish(x);
    if (!x->sched)
        adi3_expect_wait(os_time_ns() - begin);
}

static int note_result(void *arg, int err)
{
    struct call *k = arg;

    if (!k->err)
        k->err = err;
    if (!k->err)
        k->err = adi3_file_result(&k->access);
    k->outcome.errclass = k->err & ADI3_CLASS_MASK;
    k->outcome.failed = k->access.error ? k->access.failed : 0;
    return MPI_SUCCESS;
}

static int note_result_alone(void *arg, int err)
{
    struct call *k = arg;

    (void) note_result(arg, err);
    k->mine.errclass = k->outcome.errclass;
    return MPI_SUCCESS;
}

/* An aggregator has failed: of this process's data what is before the first such place has been
 * moved. What is behind it may have been, or not. */
static void cut_short(struct call *k, uint64_t failed)
{
    const struct adi3_file *f = k->access.file;
    const struct wish *w = &k->p.all[f->comm->rank];
    uint64_t end = adi3_view_before(&f->view, failed), done = end > w->at ? end - w->at : 0;

    if (done < w->len)
        k->access.moved -= w->len - done;
}

static int note_errors(void *arg, int err)
{
    struct call *k = arg;
    uint64_t failed = err ? 0 : UINT64_MAX;

    if (!k->err)
        k->err = err;
    for (int i = 0; i < k->p.size && !err; i++) {
        const struct outcome *o = &k->outcomes[i];
        if (o->errclass && o->failed < failed)
            failed = o->failed;
        if (!k->err)
            k->err = mpir_io_error_of(i, (int) o->errclass, "access the file");
    }
    if (k->shared && failed < UINT64_MAX)
        cut_short(k, failed);
    return MPI_SUCCESS;
}

static void collective_allgather(struct coll *x, const void *mine, size_t len, void *all)
{
    x->send = coll_packed(mine, len);
    x->recv = coll_packed(all, len);
    coll_choose(&coll_allgather, x)->run(x);
    coll_finish(x);
}

static void collective_run_rest(struct coll *x, struct call *k)
{
    if (is_two_phase(&k->p))
        move_together(x, k);
    else if (!k->mine.alone)
        move_alone(x, k);
    coll_work(x, note_result, k);
    collective_allgather(x, &k->outcome, sizeof k->outcome, k->outcomes);
    coll_work(x, note_errors, k);
}

/* Of a nonblocking call: the rest is a schedule of its own. */
static int start_rest(void *arg, MPI_Request *request)
{
    struct call *k = arg;
    struct coll x;

    *request = ADI3_REQUEST_COMPLETE;
    if (!anything_left(k))
        return MPI_SUCCESS;
    coll_begin(&x, k->access.file->comm);
    x.tag = k->tag;
    if (!(x.sched = adi3_sched_new(x.tag)))
        return adi3_no_memory("for the steps of this operation");
    adi3_sched_serve(x.sched);
    collective_run_rest(&x, k);
    return adi3_sched_start(x.sched, x.comm, request);
}

/* Saves an error of the exchange of wishes: without them the process takes no part in the rest. */
static int note_lost(void *arg, int err)
{
    struct call *k = arg;

    if (!k->err)
        k->err = err;
    return MPI_SUCCESS;
}

static void collective_call_run(struct coll *x)
{
    struct call *k = OS_OWNER(x, struct call_coll, x)->k;
    size_t n = (size_t) x->size;

    k->tag = x->tag;
    k->p.a = &k->access;
    k->p.size = x->size;
    k->p.all = coll_bytes(x, n * sizeof *k->p.all);
    k->outcomes = coll_bytes(x, n * sizeof *k->outcomes);
    if (k->mine.alone && k->access.data.count && k->access.data.type->size) {
        move_alone(x, k);
        coll_work(x, note_result_alone, k);
    }
    collective_allgather(x, &k->mine, sizeof k->mine, k->p.all);
    coll_work(x, note_lost, k);
    if (x->sched)
        coll_request(x, start_rest, k);
    else if (anything_left(k))
        collective_run_rest(x, k);
}

static const struct coll_algorithm table[] = { { .name = "phases", .run = collective_call_run },
                                               { .name = NULL } };

static const struct coll_algorithm *io_algorithm_choose(const struct coll *x)
{
    (void) x;
    return table;
}

static const struct coll_operation file = { .kind = COLL_FILE,
                                            .table = table,
                                            .choose = io_algorithm_choose };

/* ---- the call -------------------------------------------------------------------------------- */

static void collective_call_prepare(struct call *k, const char *name, const struct adi3_access *a,
                                    int err)
{
    *k = (struct call) { .access = *a, .err = err };
    k->access.moved = 0;
    k->p.hints = a->file->hints;
    k->access.error = k->access.code = 0;
    k->mine.call = mpir_io_call_of(name);
    k->mine.errclass = err & ADI3_CLASS_MASK;
    if (!err)
        find_wish(a, &k->p.hints, &k->mine);
}

static int blocking_call_run(const char *name, struct adi3_access *a, int err)
{
    struct call k;
    struct call_coll c = { .k = &k };

    collective_call_prepare(&k, name, a, err);
    coll_begin(&c.x, a->file->comm);
    err = coll_run(&file, &c.x);
    adi3_expect_wait(0);
    *a = k.access;
    if (k.err)
        err = k.err;
    return err;
}

static int collective_call_end(void *arg, int err)
{
    struct call *k = arg;

    if (k->held) {
        k->access.file->under_way--;
        adi3_type_release(k->access.data.type);
        adi3_request_count(k->request, (size_t) k->access.moved);
    }
    k->held = false;
    if (k->err)
        err = k->err;
    return err;
}

static int call_later(const char *name, const struct adi3_access *a, int err, MPI_Request *request)
{
    struct adi3_comm *comm = a->file->comm;
    struct call_coll c;

    coll_begin(&c.x, comm);
    int tag = c.x.tag = coll_sign(&file, &c.x, ADI3_FORM_BEGUN);
    if (comm->failed)
        return adi3_collchk_refuse(comm, tag);
    if (!(c.x.sched = adi3_sched_new(tag)))
        return adi3_collchk_failed(comm, tag, adi3_no_memory("for the steps of this operation"),
                                   true);
    if ((c.k = coll_bytes(&c.x, sizeof *c.k))) {
        collective_call_prepare(c.k, name, a, err);
        collective_call_run(&c.x);
    }
    if (c.x.err) {
        adi3_sched_free(c.x.sched);
        return adi3_collchk_failed(comm, tag, c.x.err, true);
    }
    /* A call that has failed here has no request: the program does not wait for its end. */
    if (!err && comm->size > 1 && !a->file->view.rep->extent)
        adi3_sched_serve(c.x.sched);
    if ((c.k->held = !err)) {
        a->file->under_way++;
        a->data.type->refs++;
    }
    coll_work(&c.x, collective_call_end, c.k);
    err = adi3_sched_start(c.x.sched, comm, &c.k->request);
    if (err)
        return adi3_collchk_failed(comm, tag, err, true);
    *request = c.k->request;
    return MPI_SUCCESS;
}

int mpir_io_collective(const char *name, struct adi3_access *a, int err, MPI_Request *request)
{
    MPI_Request failed;

    if (!request)
        return blocking_call_run(name, a, err);
    if (!err)
        return call_later(name, a, err, request);
    if (!call_later(name, a, err, &failed))
        (void) adi3_request_release(adi3_request_get(failed));
    return err;
}
