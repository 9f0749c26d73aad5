/* jobs.c — the process table: the processes of our job, and of other jobs as they become known.
 *
 * The processes of our job are an array, whose pages are taken when one of them becomes known.
 * Processes of other jobs are in chunks, so that an entry never moves. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

enum { CHUNK = 256 /* processes */ };

static struct adi3_proc **chunks;
static int nchunks;
static int others; /* processes of other jobs */

/* Other jobs, hashed by id, with at least two slots for each. */
static struct proc_job **slots;
static size_t nslots, njobs;

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
    p->credit = (ptrdiff_t) proc_own_job.pair;
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
    struct proc_job **old = slots;
    size_t n = nslots;

    if (2 * (njobs + 1) <= n)
        return true;
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

/* Chunks for n processes more. Those that stay empty after an error are used later. */
static bool grow_chunks(int n)
{
    int want = (others + n + CHUNK - 1) / CHUNK;

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

static struct proc_job *make_job(const struct proc_job *learned)
{
    size_t len = strlen(learned->name) + 1;
    struct proc_job *job = malloc(sizeof *job + len);

    if (!job)
        return NULL;
    *job = *learned;
    job->name = memcpy(job + 1, learned->name, len);
    job->first = proc_count();
    return job;
}

int proc_job_add(const struct proc_job *learned, struct proc_job **job)
{
    int size = learned->dev.size;

    assert(adi3_lock_held());
    if ((*job = proc_job_find(learned->dev.id)))
        return (*job)->dev.size == size
                   ? MPI_SUCCESS
                   : adi3_error(MPI_ERR_OTHER, "%s has %d processes, and not %d", learned->name,
                                (*job)->dev.size, size);
    if (size < 1 || size > INT_MAX - CHUNK - proc_count())
        return adi3_error(MPI_ERR_OTHER,
                          "%s has %d processes: this process knows %d and has numbers for %d more",
                          learned->name, size, proc_count(), INT_MAX - CHUNK - proc_count());
    if (!grow_slots() || !grow_chunks(size) || !(*job = make_job(learned)))
        return adi3_no_memory("for %d processes of %s", size, learned->name);
    *slot_of(learned->dev.id) = *job;
    njobs++;
    others += size;
    for (int i = 0; i < size; i++)
        make_proc(proc_of_other_job((*job)->first + i), *job, i);
    base_job_added((*job)->first, size);
    return MPI_SUCCESS;
}

static void free_link(struct adi3_proc *p)
{
    if (p->link)
        free(p->link->host);
    free(p->link);
}

void jobs_free(void)
{
    for (int i = 0; adi3_procs && i < proc_count(); i++)
        free_link(proc_at(i));
    for (size_t i = 0; i < nslots; i++) {
        if (slots[i] && slots[i]->free_business_cards)
            slots[i]->free_business_cards(slots[i]);
        free(slots[i]);
    }
    for (int i = 0; i < nchunks; i++)
        free(chunks[i]);
    free(slots);
    free(chunks);
    if (adi3_procs)
        os_unmap(adi3_procs, own_len());
    adi3_procs = NULL;
    slots = NULL;
    chunks = NULL;
    nslots = njobs = 0;
    others = nchunks = 0;
}
