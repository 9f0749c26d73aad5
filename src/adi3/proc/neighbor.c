/* neighbor.c — the segments of other jobs on this node, in which this process is a guest: a process
 * of another job that writes into them.
 *
 * A process writes its messages into the segment of the receiver's job, so two processes of
 * different jobs on a node are each a guest in the other's segment. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/proc/node_segment.h"

static struct neighbor *neighbors;

const struct dev_node *node_next(const struct dev_node *n)
{
    const struct neighbor *next =
        n == &adi3_node ? neighbors : OS_OWNER(n, const struct neighbor, node)->next;

    return next ? &next->node : NULL;
}

const struct proc_job *node_job(const struct dev_node *n)
{
    return n == &adi3_node ? &proc_own_job : OS_OWNER(n, const struct neighbor, node)->job;
}

static struct neighbor *find_neighbor(const struct proc_job *job)
{
    struct neighbor *n = neighbors;

    while (n && n->job != job)
        n = n->next;
    return n;
}

static int join_error(const struct proc_job *job, const char *what, int err)
{
    return adi3_error(MPI_ERR_OTHER, "joining the shared segment of %s: %s: %s", job->name, what,
                      strerror(-err));
}

/* Locks the byte of a place. -EBUSY: another guest has it. */
static int lock_place(const struct neighbor *n, int place)
{
    struct node_guest *g = &n->segment.head->guest[place];
    int err =
        os_reserve(n->segment.fd, (size_t) ((char *) g - (char *) n->segment.head), sizeof *g);

    if (!err)
        err = os_lock_byte(n->segment.fd, (size_t) MAX_SLOTS + (size_t) place);
    return err == -EAGAIN || err == -EACCES ? -EBUSY : err;
}

/* Locks a place that is free: which, or a negative errno. Those of guests that have died are used
 * when there is no other. */
static int find_place(const struct neighbor *n)
{
    struct node_head *head = n->segment.head;
    int known = (int) atomic_load(&head->guests), err = -EBUSY, i = 0;

    for (; i < known && i < MAX_GUESTS && err == -EBUSY; i++)
        if (!atomic_load(&head->guest[i].job))
            err = lock_place(n, i);
    while (err == -EBUSY && (i = (int) atomic_fetch_add(&head->guests, 1) + 1) <= MAX_GUESTS)
        err = lock_place(n, i - 1);
    if (atomic_load(&head->guests) > MAX_GUESTS)
        atomic_store(&head->guests, MAX_GUESTS);
    if (err == -EBUSY)
        for (i = 0; i < MAX_GUESTS && err == -EBUSY; i++)
            err = lock_place(n, i);
    if (err)
        return err;
    return i - 1;
}

/* Makes this process a guest. */
static int take_place(struct neighbor *n)
{
    int place = find_place(n);

    if (place == -EBUSY)
        return adi3_error(MPI_ERR_OTHER, "the shared segment of %s has %d guests and takes no more",
                          n->job->name, MAX_GUESTS);
    if (place < 0)
        return join_error(n->job, "taking a place", place);
    struct node_guest *g = &n->segment.head->guest[place];
    atomic_store(&g->job, 0);
    atomic_store(&g->rank, adi3_job.rank);
    n->node.index = guest_index(place, atomic_fetch_add(&g->times, 1) + 1);
    atomic_store(&g->job, proc_own_job.dev.id);
    return MPI_SUCCESS;
}

/* No process of the job writes to this one any more, nor the other way. */
static void leave_place(const struct neighbor *n)
{
    atomic_store(&n->segment.head->guest[n->node.index % DEV_PLACES - MAX_SLOTS].job, 0);
}

/* The processes of the job that have no device yet are reached through the segment. */
static void place_processes(const struct neighbor *n)
{
    int leader = node_leader(&n->node);

    for (int i = 0; i < n->node.count; i++) {
        int rank = node_slot_in(&n->node, i)->rank;
        if (rank < 0 || rank >= n->job->dev.size)
            continue;
        struct adi3_proc *p = proc_at(n->job->first + rank);
        if (p->dev)
            continue;
        p->peer.node = &n->node;
        p->peer.local = (int16_t) i;
        p->node = leader;
    }
}

struct crowd { /* processes of this node, and the cores that any of them may use */
    int processes;
    struct os_cpus cores;
};

static void crowd_add(struct crowd *c, const struct dev_node *n)
{
    c->processes += n->count;
    for (int i = 0; i < n->count; i++)
        os_cpus_join(&c->cores, node_cpus(n, i));
}

/* Counts the cores of the processes that share memory here, of all jobs: more processes than cores
 * are oversubscribed. */
static void count_cores(void)
{
    struct crowd all = { .processes = 0 };

    for (const struct dev_node *n = &adi3_node; n; n = node_next(n))
        crowd_add(&all, n);
    adi3_node.cores = os_cpus_count(&all.cores);
    adi3_node.oversubscribed = all.processes > adi3_node.cores;
}

static bool has_process(const struct dev_node *n, const struct adi3_comm *c, const int *ranks,
                        int count)
{
    int i = 0;

    while (i < count && proc_node(c->proc[ranks ? ranks[i] : i]) != n)
        i++;
    return i < count;
}

bool node_crowded(const struct adi3_comm *c, const int *ranks, int n)
{
    struct crowd all = { .processes = 0 };

    if (!neighbors)
        return adi3_node.oversubscribed;
    for (const struct dev_node *s = &adi3_node; s; s = node_next(s))
        if (has_process(s, c, ranks, n))
            crowd_add(&all, s);
    return all.processes > os_cpus_count(&all.cores);
}

bool neighbor_known(const struct proc_job *job) { return find_neighbor(job); }

int neighbor_join(const struct proc_job *job, int fd)
{
    struct neighbor *n = calloc(1, sizeof *n);

    assert(adi3_lock_held() && !find_neighbor(job));
    if (!n) {
        (void) close(fd);
        return adi3_no_memory("for the segment of %s", job->name);
    }
    n->job = job;
    n->segment.fd = fd;
    int err = segment_map(&n->segment, job->name);
    if (!err)
        err = take_place(n);
    if (err) {
        segment_unmap(&n->segment);
        free(n);
        return err;
    }
    int index = n->node.index;
    n->node = adi3_node;
    n->node.index = index;
    n->node.base = (char *) n->segment.head;
    uint32_t count = atomic_load(&n->segment.head->count), most = n->segment.capacity;
    n->node.count = (int) (count < most ? count : most);
    adi3_node.fences |= atomic_load(&n->segment.head->fences) != 0;
    n->next = neighbors;
    neighbors = n;
    place_processes(n);
    count_cores();
    return MPI_SUCCESS;
}

static void neighbor_drop(struct neighbor *n)
{
    leave_place(n);
    segment_unmap(&n->segment);
    free(n);
}

void neighbor_leave(const struct proc_job *job)
{
    struct neighbor **at = &neighbors, *n;

    assert(adi3_lock_held());
    while (*at && (*at)->job != job)
        at = &(*at)->next;
    if (!(n = *at))
        return;
    *at = n->next;
    for (int i = 0; i < job->dev.size; i++) {
        struct adi3_proc *p = proc_at(job->first + i);
        p->peer.node = NULL;
        p->peer.local = -1;
        p->node = -1;
    }
    neighbor_drop(n);
    count_cores();
}

void neighbors_leave(void)
{
    for (struct neighbor *n = neighbors, *next; n; n = next) {
        next = n->next;
        neighbor_drop(n);
    }
    neighbors = NULL;
}
