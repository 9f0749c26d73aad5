/* jobs.c — the process table: the processes of our job, and of other jobs as they become known.
 *
 * The processes of our job are an array, whose pages are taken when one of them becomes known.
 * Processes of other jobs are in chunks, so that an entry never moves. The numbers of a job that is
 * known no more are used again. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

enum { CHUNK = 256 /* processes */ };

size_t proc_granted;

static struct adi3_proc **chunks;
static int nchunks;
static int others; /* numbers of processes of other jobs, the unused ones between them included */

/* Other jobs, hashed by id, with at least two slots for each; and in the order of their numbers. */
static struct proc_job **slots, **in_order;
static size_t nslots, njobs;
static int known; /* processes of these jobs */

struct adi3_proc *proc_of_other_job(int number)
{
    int at = number - adi3_job.size;

    assert(at >= 0 && at < others);
    return &chunks[at / CHUNK][at % CHUNK];
}

int proc_count(void) { return adi3_job.size + others; }

static void make_proc(struct adi3_proc *p, const struct proc_job *job, int rank)
{
    *p = (struct adi3_proc) { .peer = { .job = &job->dev, .rank = rank, .local = -1 }, .node = -1 };
}

static size_t own_len(void)
{
    size_t page = os_page(), len = (size_t) adi3_job.size * sizeof *adi3_procs;

    return (len + page - 1) & ~(page - 1);
}

int jobs_init(void)
{
    if (!(adi3_procs = os_map_sparse(own_len())))
        return adi3_no_memory("for %d processes", adi3_job.size);
    return MPI_SUCCESS;
}

void jobs_know(struct adi3_proc *p, const struct dev_node *node, int index)
{
    if (p->peer.job)
        return;
    make_proc(p, &proc_own_job, proc_rank(p));
    p->peer.node = node;
    p->peer.local = (int16_t) index;
    p->credit = (ptrdiff_t) proc_own_job.begin_credit;
}

/* ---- other jobs ------------------------------------------------------------------------------ */

/* The slot of the job with this id, or the free one where it would be. Ids are random. */
static struct proc_job **slot_of(uint64_t id)
{
    size_t s = (size_t) id & (nslots - 1);

    while (slots[s] && slots[s]->dev.id != id)
        s = (s + 1) & (nslots - 1);
    return &slots[s];
}

struct proc_job *proc_job_find(uint64_t id)
{
    if (id == proc_own_job.dev.id)
        return &proc_own_job;
    return nslots ? *slot_of(id) : NULL;
}

static bool grow_slots(void)
{
    struct proc_job **old = slots, **more;
    size_t n = nslots;

    if (2 * (njobs + 1) <= n)
        return true;
    if (!(more = realloc(in_order, (n ? n : 4) * sizeof *more)))
        return false;
    in_order = more;
    if (!(slots = calloc(n ? 2 * n : 8, sizeof *slots))) {
        slots = old;
        return false;
    }
    nslots = n ? 2 * n : 8;
    for (size_t i = 0; i < n; i++)
        if (old[i])
            *slot_of(old[i]->dev.id) = old[i];
    free(old);
    return true;
}

/* Empties a slot, and moves those behind it that may not stay where they are. */
static void clear_slot(struct proc_job **at)
{
    size_t s = (size_t) (at - slots);

    *at = NULL;
    while (slots[s = (s + 1) & (nslots - 1)]) {
        struct proc_job *job = slots[s];
        slots[s] = NULL;
        *slot_of(job->dev.id) = job;
    }
}

/* Chunks for processes with numbers below n. Those that stay empty after an error are used
 * later. */
static bool grow_chunks(int n)
{
    int want = (n - adi3_job.size + CHUNK - 1) / CHUNK;

    struct adi3_proc **more =
        want > nchunks ? realloc(chunks, (size_t) want * sizeof *chunks) : chunks;
    if (!more && want > nchunks)
        return false;
    chunks = more;
    for (; nchunks < want; nchunks++)
        if (!(chunks[nchunks] = malloc(CHUNK * sizeof **chunks)))
            return false;
    return true;
}

/* The first of so many numbers in a row that no process has, and the place of their job in the
 * order. */
static int free_numbers(int size, size_t *place)
{
    int first = adi3_job.size;

    *place = njobs;
    if (known == others)
        return first + others;
    for (size_t i = 0; i < njobs; i++) {
        if (in_order[i]->first - first >= size) {
            *place = i;
            return first;
        }
        first = in_order[i]->first + in_order[i]->dev.size;
    }
    return first;
}

static struct proc_job *make_job(const struct proc_job *learned, int first)
{
    size_t len = strlen(learned->name) + 1, size = (size_t) learned->dev.size;
    struct proc_job *job =
        calloc(1, sizeof *job + size * (sizeof *job->node_ids + sizeof *job->links) + len);

    if (!job)
        return NULL;
    *job = *learned;
    job->node_ids = (uint64_t *) (job + 1);
    job->links = (int *) (job->node_ids + size);
    job->name = memcpy(job->links + size, learned->name, len);
    job->first = first;
    return job;
}

/* What all processes of a job begin with, also when it becomes known again. */
static void begin_job(struct proc_job *job)
{
    for (int i = 0; i < job->dev.size; i++)
        make_proc(proc_of_other_job(job->first + i), job, i);
    base_job_added(job->first, job->dev.size);
}

/* The job is known, and was gone: the business cards that come now hold. */
static int know_again(struct proc_job *job, const struct proc_job *learned)
{
    if (!job->gone)
        return MPI_SUCCESS;
    job->business_cards = learned->business_cards;
    job->gone = false;
    begin_job(job);
    return MPI_SUCCESS;
}

int proc_job_add(const struct proc_job *learned, struct proc_job **job)
{
    int size = learned->dev.size, first;
    size_t place;

    assert(adi3_lock_held());
    if ((*job = proc_job_find(learned->dev.id)))
        return (*job)->dev.size == size
                   ? know_again(*job, learned)
                   : adi3_error(MPI_ERR_OTHER, "%s has %d processes, and not %d", learned->name,
                                (*job)->dev.size, size);
    if (size < 1 || size > INT_MAX - CHUNK - proc_count())
        return adi3_error(MPI_ERR_OTHER,
                          "%s has %d processes: this process knows %d and has numbers for %d more",
                          learned->name, size, proc_count(), INT_MAX - CHUNK - proc_count());
    first = free_numbers(size, &place);
    if (!grow_slots() || !grow_chunks(first + size) || !(*job = make_job(learned, first)))
        return adi3_no_memory("for %d processes of %s", size, learned->name);
    *slot_of(learned->dev.id) = *job;
    memmove(in_order + place + 1, in_order + place, (njobs - place) * sizeof *in_order);
    in_order[place] = *job;
    njobs++;
    known += size;
    if (others < first - adi3_job.size + size)
        others = first - adi3_job.size + size;
    begin_job(*job);
    return MPI_SUCCESS;
}

void jobs_forget(struct proc_job *job)
{
    size_t place = 0;

    for (int i = 0; i < job->dev.size; i++)
        *proc_of_other_job(job->first + i) = (struct adi3_proc) { .node = -1 };
    while (in_order[place] != job)
        place++;
    njobs--;
    memmove(in_order + place, in_order + place + 1, (njobs - place) * sizeof *in_order);
    known -= job->dev.size;
    others = njobs ? in_order[njobs - 1]->first + in_order[njobs - 1]->dev.size - adi3_job.size : 0;
    clear_slot(slot_of(job->dev.id));
    free(job);
}

static void free_link(struct adi3_proc *p)
{
    if (p->link) {
        proc_granted -= p->link->granted;
        free(p->link->host);
    }
    free(p->link);
}

void jobs_begin_process(struct adi3_proc *p)
{
    const struct proc_job *job = proc_job_of(p);
    const struct adi3_proc was = *p;

    free_link(p);
    make_proc(p, job, was.peer.rank);
    p->peer.node = was.peer.node;
    p->peer.local = was.peer.local;
    p->node = was.peer.node ? was.node : -1;
    p->credit = (ptrdiff_t) job->begin_credit;
}

void jobs_free(void)
{
    for (int i = 0; adi3_procs && i < proc_count(); i++)
        free_link(proc_at(i));
    for (size_t i = 0; i < nslots; i++) {
        if (slots[i] && slots[i]->free_business_cards && !slots[i]->gone)
            slots[i]->free_business_cards(slots[i]);
        free(slots[i]);
    }
    for (int i = 0; i < nchunks; i++)
        free(chunks[i]);
    free(slots);
    free(in_order);
    free(chunks);
    if (adi3_procs)
        os_unmap(adi3_procs, own_len());
    adi3_procs = NULL;
    free(proc_own_job.node_ids);
    proc_own_job.node_ids = NULL;
    slots = in_order = NULL;
    chunks = NULL;
    nslots = njobs = 0;
    others = nchunks = known = 0;
}
