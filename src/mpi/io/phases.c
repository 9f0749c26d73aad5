/* phases.c — the rounds of a collective access: in each, every aggregator has a window of its
 * domain, and each process sends it the run of its stream that is there, or receives it. */
#include <stdlib.h>
#include <string.h>
#include "coll/coll.h"
#include "os.h"
#include "phases.h"

enum { BUFFER = 4 << 20 }; /* bytes of a window */
#define NOT_YET UINT64_MAX

struct run { /* of one process, from all rounds */
    struct coll x;
    struct phases *p;
    uint64_t *sent;  /* by aggregator: where the run of this process begins in this round */
    uint64_t *taken; /* by rank: likewise of the others in this process's domain */
    struct adi3_part *parts;
    char *buffer; /* of the window, of the parts, and of what this process has packed */
    char *bytes, *packed;
    size_t room, packed_room;
};

struct window {
    uint64_t from, to;
};

static struct window window_of(const struct phases *p, int aggregator, uint64_t round)
{
    uint64_t begin = p->low + (uint64_t) aggregator * p->domain, end = begin + p->domain;
    struct window w = { begin + round * BUFFER, begin + (round + 1) * BUFFER };

    end = end < p->high ? end : p->high;
    w.to = w.to < end ? w.to : end;
    w.from = w.from < w.to ? w.from : w.to;
    return w;
}

/* The end of the run of a process in a window; *at is its begin, or NOT_YET before the first
 * round. */
static uint64_t end_of_run(const struct phases *p, int rank, struct window w, uint64_t *at)
{
    const struct wish *wish = &p->all[rank];
    uint64_t end = wish->at + wish->len, to;

    if (*at == NOT_YET)
        *at = w.from <= wish->low    ? wish->at
              : w.from >= wish->high ? end
                                     : adi3_view_before(&p->views[rank], w.from);
    if (w.from >= w.to || *at == end || w.to <= wish->low)
        return *at;
    to = w.to >= wish->high ? end : adi3_view_before(&p->views[rank], w.to);
    return to;
}

/* Memory that grows. Without it the call fails, and takes no more steps. */
static char *grow(struct run *r, char **memory, size_t *room, size_t len)
{
    if (len > *room) {
        free(*memory);
        *memory = malloc(len);
        *room = *memory ? len : 0;
        if (!*memory) {
            coll_error(&r->x, mpir_error(MPI_ERR_NO_MEM, "no memory for %zu bytes of a file", len));
            r->x.stopped = true;
        }
    }
    return *memory;
}

/* ---- what this process sends or receives ----------------------------------------------------- */

/* The user's memory of a run, when it is one range. */
static char *memory_of(const struct run *r, uint64_t at)
{
    const struct adi3_data *d = &r->p->a->data;

    return d->type->contig ? (char *) d->buf + (at - r->p->a->at) : NULL;
}

static void exchange(struct run *r, uint64_t at, uint64_t len, int aggregator, char *packed)
{
    struct adi3_access *a = r->p->a;
    char *memory = memory_of(r, at);
    const struct adi3_data d = coll_packed(memory ? memory : packed, (size_t) len);

    if (!a->writes) {
        coll_start_recv(&r->x, d, aggregator);
        return;
    }
    if (!memory)
        adi3_pack(&a->data, (size_t) (at - a->at), packed, (size_t) len);
    coll_start_send(&r->x, d, aggregator);
}

/* With all aggregators but this process, which takes its own. */
static void exchange_all(struct run *r, const uint64_t *ends)
{
    size_t len = 0;

    for (int i = 0; i < r->p->aggregators; i++)
        len += i == r->x.rank || memory_of(r, 0) ? 0 : (size_t) (ends[i] - r->sent[i]);
    char *packed = grow(r, &r->packed, &r->packed_room, len);
    for (int k = 1; k < r->x.size && !r->x.stopped; k++) { /* not all begin with the same one */
        int i = (r->x.rank + k) % r->x.size;
        if (i >= r->p->aggregators || ends[i] == r->sent[i])
            continue;
        exchange(r, r->sent[i], ends[i] - r->sent[i], i, packed);
        packed += memory_of(r, 0) ? 0 : ends[i] - r->sent[i];
    }
}

/* What has been received into `packed` goes to the user's memory. */
static void unpack_all(struct run *r, const uint64_t *ends)
{
    const struct adi3_access *a = r->p->a;
    const char *packed = r->packed;

    for (int k = 1; k < r->x.size && !memory_of(r, 0) && !r->x.stopped; k++) {
        int i = (r->x.rank + k) % r->x.size;
        if (i >= r->p->aggregators || ends[i] == r->sent[i])
            continue;
        adi3_unpack(&a->data, (size_t) (r->sent[i] - a->at), packed,
                    (size_t) (ends[i] - r->sent[i]));
        packed += ends[i] - r->sent[i];
    }
}

/* ---- what an aggregator does ----------------------------------------------------------------- */

/* Finds the parts of all processes in the window; sets *len to their bytes, without this process's
 * where its memory is one range. */
static int find_parts(struct run *r, struct window w, size_t *len)
{
    int n = 0;

    *len = 0;
    for (int i = 0; i < r->p->size; i++) {
        uint64_t end = end_of_run(r->p, i, w, &r->taken[i]);
        struct adi3_part *part = &r->parts[n];
        *part = (struct adi3_part) { .view = &r->p->views[i],
                                     .at = r->taken[i],
                                     .len = end - r->taken[i] };
        if (!part->len)
            continue;
        part->bytes = i == r->x.rank ? memory_of(r, part->at) : NULL;
        *len += part->bytes ? 0 : (size_t) part->len;
        n++;
    }
    return n;
}

static int rank_of(const struct run *r, const struct adi3_part *part)
{
    return (int) (part->view - r->p->views);
}

static void place_parts(struct run *r, int n, char *bytes)
{
    for (int i = 0; i < n; i++)
        if (!r->parts[i].bytes) {
            r->parts[i].bytes = bytes;
            bytes += r->parts[i].len;
        }
}

static void own_part(struct run *r, const struct adi3_part *part)
{
    const struct adi3_access *a = r->p->a;

    if (memory_of(r, part->at))
        return;
    if (a->writes)
        adi3_pack(&a->data, (size_t) (part->at - a->at), part->bytes, (size_t) part->len);
    else
        adi3_unpack(&a->data, (size_t) (part->at - a->at), part->bytes, (size_t) part->len);
}

static void move_parts(struct run *r, struct window w, int n)
{
    struct adi3_access *a = r->p->a;
    bool unlocked = adi3_unlock_for(SIZE_MAX);
    int err = (a->writes ? adi3_file_write_parts : adi3_file_read_parts)(a->file, r->parts, n,
                                                                         r->buffer, w.from);

    if (unlocked)
        adi3_lock();
    if (err && !a->error) {
        a->error = -err;
        a->failed = w.from;
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void write_round(struct run *r, struct window w, const uint64_t *ends, int n)
{
    for (int i = 0; i < n; i++)
        if (rank_of(r, &r->parts[i]) != r->x.rank)
            coll_start_recv(&r->x, coll_packed(r->parts[i].bytes, (size_t) r->parts[i].len),
                            rank_of(r, &r->parts[i]));
        else
            own_part(r, &r->parts[i]);
    exchange_all(r, ends);
    coll_finish(&r->x);
    if (n && !r->x.err)
        move_parts(r, w, n);
}

static void read_round(struct run *r, struct window w, const uint64_t *ends, int n)
{
    exchange_all(r, ends);
    if (n && !r->x.err)
        move_parts(r, w, n);
    for (int i = 0; i < n; i++)
        if (rank_of(r, &r->parts[i]) != r->x.rank)
            coll_start_send(&r->x, coll_packed(r->parts[i].bytes, (size_t) r->parts[i].len),
                            rank_of(r, &r->parts[i]));
        else
            own_part(r, &r->parts[i]);
    coll_finish(&r->x);
    unpack_all(r, ends);
}

static void do_round(struct run *r, uint64_t round, uint64_t *ends)
{
    struct window w = { 0, 0 };
    size_t len;

    for (int i = 0; i < r->p->aggregators; i++)
        ends[i] = end_of_run(r->p, r->x.rank, window_of(r->p, i, round), &r->sent[i]);
    if (r->x.rank < r->p->aggregators)
        w = window_of(r->p, r->x.rank, round);
    int n = find_parts(r, w, &len);
    place_parts(r, n, grow(r, &r->bytes, &r->room, len));
    if (r->x.stopped)
        return;
    (r->p->a->writes ? write_round : read_round)(r, w, ends, n);
    for (int i = 0; i < r->p->aggregators; i++)
        r->sent[i] = ends[i];
    for (int i = 0; i < n; i++)
        r->taken[rank_of(r, &r->parts[i])] += r->parts[i].len;
}

static void run(struct coll *x)
{
    struct run *r = OS_OWNER(x, struct run, x);
    uint64_t *ends = r->sent + 2 * r->p->size;

    coll_widen(x, (unsigned) (2 * r->p->size + 2));
    for (uint64_t round = 0; round * BUFFER < r->p->domain && !x->stopped; round++)
        do_round(r, round, ends);
}

static const struct coll_algorithm table[] = { { .name = "phases", .run = run }, { .name = NULL } };

static const struct coll_algorithm *choose(const struct coll *x)
{
    (void) x;
    return table;
}

int phases_run(struct phases *p)
{
    static const struct coll_operation file = { .kind = COLL_FILE,
                                                .table = table,
                                                .choose = choose };
    size_t n = (size_t) p->size;
    struct run r = { .p = p,
                     .sent = calloc(3 * n, sizeof *r.sent),
                     .parts = malloc(n * sizeof *r.parts),
                     .buffer = malloc(p->domain < BUFFER ? (size_t) p->domain : BUFFER) };
    int err = r.sent && r.parts && r.buffer
                  ? MPI_SUCCESS
                  : mpir_error(MPI_ERR_NO_MEM, "no memory for a window of a file");

    err = mpir_io_agree(p->a->file->comm, err, "access the file");
    r.taken = r.sent + n;
    if (!err) {
        memset(r.sent, 0xff, 2 * n * sizeof *r.sent);
        coll_begin(&r.x, p->a->file->comm);
        err = coll_run(&file, &r.x);
        p->a->moved = p->all[p->a->file->comm->rank].len;
    }
    free(r.sent);
    free(r.parts);
    free(r.buffer);
    free(r.bytes);
    free(r.packed);
    return err;
}
