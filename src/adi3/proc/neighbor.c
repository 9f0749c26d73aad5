/* neighbor.c — the segments of other jobs on this node, in which this process is a guest: a process
 * of another job that writes into them.
 *
 * A process writes its messages into the segment of the receiver's job, so two processes of
 * different jobs on a node are each a guest in the other's segment. */
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

/* Makes this process a guest. */
static int take_place(struct neighbor *n)
{
    struct node_head *head = n->segment.head;
    uint32_t at = atomic_fetch_add(&head->guests, 1);

    if (at >= MAX_GUESTS)
        return adi3_error(MPI_ERR_OTHER,
                          "the shared segment of %s has had %d guests and takes no more",
                          n->job->name, MAX_GUESTS);
    struct node_guest *g = &head->guest[at];
    int err = os_reserve(n->segment.fd, (size_t) ((char *) g - (char *) head), sizeof *g);
    if (!err)
        err = os_lock_byte(n->segment.fd, MAX_SLOTS + at);
    if (err)
        return join_error(n->job, "taking a place", err);
    g->rank = adi3_job.rank;
    atomic_store(&g->job, proc_own_job.dev.id);
    n->node.index = MAX_SLOTS + (int) at;
    return MPI_SUCCESS;
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

/* Counts the cores of the processes that share memory here, of all jobs: more processes than cores
 * are oversubscribed. */
static void count_cores(void)
{
    struct os_cpus all = { { 0 } };
    int processes = 0;

    for (const struct dev_node *n = &adi3_node; n; n = node_next(n)) {
        processes += n->count;
        for (int i = 0; i < n->count; i++)
            os_cpus_join(&all, node_cpus(n, i));
    }
    adi3_node.cores = os_cpus_count(&all);
    adi3_node.oversubscribed = processes > adi3_node.cores;
}

int neighbor_join(const struct proc_job *job, int fd)
{
    struct neighbor *n = find_neighbor(job);

    assert(adi3_lock_held());
    if (n) {
        (void) close(fd);
        return MPI_SUCCESS;
    }
    if (!(n = calloc(1, sizeof *n))) {
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

void neighbors_leave(void)
{
    for (struct neighbor *n = neighbors, *next; n; n = next) {
        next = n->next;
        segment_unmap(&n->segment);
        free(n);
    }
    neighbors = NULL;
}
