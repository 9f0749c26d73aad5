/* phases.c — the rounds of a collective access: in each, every aggregator has a window of its
 * domain, and each process sends it the run of its stream that is there, or receives it.
 *
 * The rounds are gone through twice: first to know how much memory they need. */
#include <stdlib.h>
#include <string.h>
#include "mpi/io/phases.h"

#define NOT_YET UINT64_MAX

struct window {
    uint64_t from, to;
};

struct round { /* what this process does in one */
    struct run *run;
    struct window w;          /* of its domain; empty in a process that is no aggregator */
    size_t bytes, packed;     /* of slices that are not in the user's memory; of what it sends */
    bool lost;                /* messages have failed */
    int n;                    /* slices */
    struct adi3_slice *slice; /* by the rank of the process */
};

struct run { /* of this process, all rounds */
    struct coll *x;
    struct phases *p;
    int rank;
    uint64_t *sent, *ends;         /* by aggregator: the run of this process in this round */
    uint64_t *taken;               /* by rank: where the run of the others begins in its domain */
    char *buffer, *bytes, *packed; /* of the window, of slices, of what this process sends */
};

static int rank_of(const struct phases *p, int aggregator)
{
    return (int) ((int64_t) aggregator * p->size / p->aggregators);
}

/* -1: it is no aggregator. */
static int aggregator_of(const struct phases *p, int rank)
{
    int i = (int) (((int64_t) rank * p->aggregators + p->size - 1) / p->size);

    return i < p->aggregators && rank_of(p, i) == rank ? i : -1;
}

static struct window window_of(const struct phases *p, int aggregator, uint64_t round)
{
    uint64_t begin = p->low + (uint64_t) aggregator * p->domain, end = begin + p->domain;
    struct window w = { begin + round * p->window, begin + (round + 1) * p->window };

    end = end < p->high ? end : p->high;
    w.to = w.to < end ? w.to : end;
    w.from = w.from < w.to ? w.from : w.to;
    return w;
}

/* The end of the run of a process in a window; *at is its begin, or NOT_YET before the first
 * round. */
static uint64_t end_of_run(const struct phases *p, int rank, struct window w, uint64_t *at)
{
    const struct adi3_view *views = p->a->file->views;
    const struct wish *wish = &p->all[rank];
    uint64_t end = wish->at + wish->len;

    if (*at == NOT_YET)
        *at = w.from <= wish->low    ? wish->at
              : w.from >= wish->high ? end
                                     : adi3_view_before(&views[rank], w.from);
    if (w.from >= w.to || *at == end || w.to <= wish->low)
        return *at;
    return w.to >= wish->high ? end : adi3_view_before(&views[rank], w.to);
}

/* The user's memory of a run, when it is one range. */
static char *memory_of(const struct run *r, uint64_t at)
{
    const struct adi3_data *d = &r->p->a->data;

    return d->type->contig ? (char *) d->buf + (at - r->p->a->at) : NULL;
}

/* ---- what a round is ------------------------------------------------------------------------- */

/* Finds the slices of all processes in this process's window. */
static void find_slices(struct run *r, struct round *d)
{
    const struct phases *p = r->p;

    d->n = 0;
    d->bytes = 0;
    for (int i = 0; i < p->size; i++) {
        uint64_t end = end_of_run(p, i, d->w, &r->taken[i]);
        struct adi3_slice *slice = &d->slice[d->n];
        *slice = (struct adi3_slice) { .view = &p->a->file->views[i],
                                       .at = r->taken[i],
                                       .len = end - r->taken[i] };
        r->taken[i] = end;
        if (!slice->len)
            continue;
        slice->bytes = i == r->rank ? memory_of(r, slice->at) : NULL;
        d->bytes += slice->bytes ? 0 : (size_t) slice->len;
        d->n++;
    }
}

/* What it sends to other aggregators. */
static void find_runs(struct run *r, struct round *d, uint64_t round)
{
    const struct phases *p = r->p;

    d->packed = 0;
    for (int i = 0; i < p->aggregators; i++) {
        r->ends[i] = end_of_run(p, r->rank, window_of(p, i, round), &r->sent[i]);
        if (rank_of(p, i) != r->rank && !memory_of(r, r->p->a->at))
            d->packed += (size_t) (r->ends[i] - r->sent[i]);
    }
}

static void find_round(struct run *r, struct round *d, uint64_t round)
{
    int mine = aggregator_of(r->p, r->rank);

    d->run = r;
    d->w = mine < 0 ? (struct window) { 0, 0 } : window_of(r->p, mine, round);
    find_runs(r, d, round);
    find_slices(r, d);
}

static void end_round(struct run *r)
{
    for (int i = 0; i < r->p->aggregators; i++)
        r->sent[i] = r->ends[i];
}

static void place_slices(const struct run *r, struct round *d)
{
    char *bytes = r->bytes;

    for (int i = 0; i < d->n; i++)
        if (!d->slice[i].bytes) {
            d->slice[i].bytes = bytes;
            bytes += d->slice[i].len;
        }
}

/* ---- packing --------------------------------------------------------------------------------- */

struct data_run { /* a run of the stream, in the user's memory or apart */
    struct adi3_access *a;
    uint64_t at, len;
    char *bytes;
};

static int stream_pack(void *arg, int err)
{
    const struct data_run *q = arg;

    (void) err;
    adi3_pack(&q->a->data, (size_t) (q->at - q->a->at), q->bytes, (size_t) q->len);
    return MPI_SUCCESS;
}

static int stream_unpack(void *arg, int err)
{
    const struct data_run *q = arg;

    (void) err;
    adi3_unpack(&q->a->data, (size_t) (q->at - q->a->at), q->bytes, (size_t) q->len);
    return MPI_SUCCESS;
}

/* Packs or unpacks a run, unless it is in the user's memory. */
static void stream_add_work(struct run *r, int (*run)(void *arg, int err), struct data_run q)
{
    struct data_run *kept = r->x->sched ? coll_bytes(r->x, sizeof q) : &q;

    if (q.bytes == memory_of(r, q.at) || r->x->stopped)
        return;
    *kept = q;
    coll_work(r->x, run, kept);
}

/* ---- what this process sends or receives ----------------------------------------------------- */

/* Calls step() for its run in the window of each aggregator but itself; not all processes begin
 * with the same one. */
static void for_runs(struct run *r, void (*step)(struct run *r, struct data_run q, int rank))
{
    const struct phases *p = r->p;
    char *packed = r->packed;

    for (int k = 0; k < p->aggregators; k++) {
        int i = (aggregator_of(p, r->rank) + 1 + k) % p->aggregators;
        struct data_run q = { p->a, r->sent[i], r->ends[i] - r->sent[i], memory_of(r, r->sent[i]) };
        if (rank_of(p, i) == r->rank || !q.len)
            continue;
        if (!q.bytes) {
            q.bytes = packed;
            packed += q.len;
        }
        step(r, q, rank_of(p, i));
    }
}

static void send_run(struct run *r, struct data_run q, int rank)
{
    stream_add_work(r, stream_pack, q);
    coll_start_send(r->x, coll_packed(q.bytes, (size_t) q.len), rank);
}

static void receive_run(struct run *r, struct data_run q, int rank)
{
    coll_start_recv(r->x, coll_packed(q.bytes, (size_t) q.len), rank);
}

static void unpack_run(struct run *r, struct data_run q, int rank)
{
    (void) rank;
    stream_add_work(r, stream_unpack, q);
}

/* ---- what an aggregator does ----------------------------------------------------------------- */

/* Runs without the lock. */
static void round_move(void *round)
{
    struct round *d = round;
    struct adi3_access *a = d->run->p->a;
    uint64_t failed;
    int err = (a->writes ? adi3_file_write_slices : adi3_file_read_slices)(
        a->file, d->slice, d->n, d->run->buffer, d->w.from, &failed);

    if (err && !a->error) {
        a->failed = failed;
        a->error = -err;
    }
}

static int note_lost(void *round, int err)
{
    ((struct round *) round)->lost = err;
    return MPI_SUCCESS;
}

static int start_move(void *round, MPI_Request *request)
{
    struct round *d = round;

    *request = ADI3_REQUEST_COMPLETE;
    if (d->lost)
        return MPI_SUCCESS;
    return adi3_file_run(d->run->p->a->file->comm, round_move, d, request);
}

static void move_slices(struct run *r, struct round *d)
{
    if (!d->n || (!r->x->sched && r->x->err))
        return;
    if (r->x->sched) {
        coll_work(r->x, note_lost, d);
        coll_request(r->x, start_move, d);
        return;
    }
    bool unlocked = adi3_unlock_for(SIZE_MAX);
    round_move(d);
    if (unlocked)
        adi3_lock();
}

/* Calls step() for the slice of each other process, and packs or unpacks its own. */
static void for_slices(struct run *r, const struct round *d, int (*own)(void *arg, int err),
                       void (*step)(struct coll *x, struct adi3_data data, int rank))
{
    for (int i = 0; i < d->n; i++) {
        const struct adi3_slice *slice = &d->slice[i];
        int rank = (int) (slice->view - r->p->a->file->views);
        if (rank == r->rank)
            stream_add_work(r, own,
                            (struct data_run) { r->p->a, slice->at, slice->len, slice->bytes });
        else
            step(r->x, coll_packed(slice->bytes, (size_t) slice->len), rank);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void write_round(struct run *r, struct round *d)
{
    for_slices(r, d, stream_pack, coll_start_recv);
    for_runs(r, send_run);
    coll_finish(r->x);
    move_slices(r, d);
}

static void read_round(struct run *r, struct round *d)
{
    for_runs(r, receive_run);
    move_slices(r, d);
    for_slices(r, d, stream_unpack, coll_start_send);
    coll_finish(r->x);
    for_runs(r, unpack_run);
}

/* A schedule keeps all its rounds; a blocking call needs one at a time. */
static struct round *new_round(struct coll *x, const struct phases *p)
{
    size_t head = (sizeof(struct round) + 15) / 16 * 16;
    char *bytes = coll_bytes(x, head + (size_t) p->size * sizeof(struct adi3_slice));
    struct round *d = (struct round *) (void *) bytes;

    if (d)
        *d = (struct round) { .slice = (struct adi3_slice *) (void *) (bytes + head) };
    return d;
}

static void rounds_reset(struct run *r)
{
    memset(r->sent, 0xff, (size_t) r->p->aggregators * sizeof *r->sent);
    memset(r->taken, 0xff, (size_t) r->p->size * sizeof *r->taken);
}

/* Of blocking accesses there is one at a time: memory that is there need not be asked for again. */
static char *buffer_of(struct run *r, size_t len)
{
    struct adi3_file *f = r->p->a->file;

    if (r->x->sched)
        return coll_bytes(r->x, len);
    if (len > f->room) {
        free(f->buffer);
        f->buffer = malloc(len);
        f->room = f->buffer ? len : 0;
        if (!f->buffer) {
            coll_error(r->x, adi3_no_memory("for %zu bytes of '%s'", len, f->path));
            r->x->stopped = true;
        }
    }
    return f->buffer;
}

/* Gets the memory that the largest round needs. */
static void rounds_measure(struct run *r, struct round *d)
{
    uint64_t window = r->p->window < r->p->domain ? r->p->window : r->p->domain;
    size_t bytes = 0, packed = 0;

    rounds_reset(r);
    for (uint64_t round = 0; round * r->p->window < r->p->domain; round++) {
        find_round(r, d, round);
        end_round(r);
        bytes = d->bytes > bytes ? d->bytes : bytes;
        packed = d->packed > packed ? d->packed : packed;
    }
    rounds_reset(r);
    if (aggregator_of(r->p, r->rank) < 0)
        window = 0;
    r->buffer = buffer_of(r, (size_t) window + bytes + packed + 1);
    r->bytes = r->buffer + window;
    r->packed = r->bytes + bytes;
}

void phases_run(struct coll *x, struct phases *p)
{
    size_t n = (size_t) p->size;
    struct run *r = coll_bytes(x, sizeof *r);
    struct round *d = new_round(x, p);
    uint64_t *ends = coll_bytes(x, 3 * n * sizeof *ends);

    coll_widen(x, (unsigned) (2 * p->size + 2));
    if (x->stopped)
        return;
    *r = (struct run) { x, p, x->rank, ends, ends + n, ends + 2 * n, NULL, NULL, NULL };
    rounds_measure(r, d);
    for (uint64_t round = 0; round * p->window < p->domain && !x->stopped; round++) {
        if (round && x->sched && !(d = new_round(x, p)))
            break;
        find_round(r, d, round);
        place_slices(r, d);
        (p->a->writes ? write_round : read_round)(r, d);
        end_round(r);
    }
    p->a->moved += p->all[x->rank].len;
}
