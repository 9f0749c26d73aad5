/* links.c — what connects this process with those of other jobs, and the end of it.
 *
 * Two processes of different jobs are linked by each communicator that spans both; those of windows
 * and files are communicators, too (§10.5.4). A communicator that is freed by MPI_Comm_free links
 * them all the same, and what was freed is remembered as a span; one that is let go does not. With
 * the last link two processes that have talked tell each other that nothing follows (LEAVE), and
 * then both forget.
 *
 * Another thread may connect the two at the same time, and one of them may have the new link before
 * the last one goes, and the other one behind it. No process makes a link by a connect before both
 * are in it. So one that is in a connect tells LEAVE as an answer only, and no connect begins here
 * between LEAVE and the other's: either both are in the connect, and neither tells it, or the one
 * that is not tells it, and both forget before either has the link. */
#include <stdlib.h>
#include "adi3/comm/comm.h"
#include "adi3/connect/connect_impl.h"
#include "adi3/request/request.h"

struct comm_span { /* the groups of a communicator of several jobs */
    struct comm_span *next;
    struct adi3_group *group, *remote; /* remote: NULL, as in struct adi3_comm */
    bool freed;                        /* the communicator is no more */
};

static struct comm_span *spans;

bool links_any(void) { return spans; }

static bool is_of_other_job(int number) { return number >= adi3_job.size; }

/* The group whose processes a member of the communicator is linked with. */
static const struct adi3_group *group_linked(const struct adi3_group *group,
                                             const struct adi3_group *remote)
{
    return remote ? remote : group;
}

static const struct adi3_group *linked_by(const struct comm_span *s)
{
    return group_linked(s->group, s->remote);
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* All members have the span, or none has it, since they let the communicator go together: also one
 * that it links with no process of another job, as the whole other group is of its own. */
static int comm_made(struct adi3_comm *c)
{
    const struct adi3_group *g = group_linked(c->group, c->remote);

    if (!c->group->others && !g->others)
        return MPI_SUCCESS;
    struct comm_span *s = malloc(sizeof *s);
    if (!s)
        return adi3_no_memory("for the links of a communicator of %d processes", g->size);
    *s = (struct comm_span) { .next = spans, .group = c->group, .remote = c->remote };
    s->group->refs++;
    if (s->remote)
        s->remote->refs++;
    for (int i = 0; i < g->size; i++)
        if (is_of_other_job(adi3_group_process(g, i)))
            proc_link_add(proc_at(adi3_group_process(g, i)));
    spans = c->span = s;
    return MPI_SUCCESS;
}

static void span_drop(struct comm_span *s)
{
    const struct adi3_group *g = linked_by(s);
    struct comm_span **at = &spans;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    for (int i = 0; i < g->size; i++)
        if (is_of_other_job(adi3_group_process(g, i)))
            proc_link_drop(proc_at(adi3_group_process(g, i)));
    adi3_group_release(s->group);
    adi3_group_release(s->remote);
    free(s);
}

static bool is_member(const struct adi3_group *g, int i, struct adi3_group *of)
{
    int rank = MPI_UNDEFINED;

    return !adi3_group_translate(g, 1, &i, of, &rank) && rank >= 0;
}

static bool has_members(struct adi3_group *of, const struct adi3_group *g)
{
    int i = 0;

    while (i < g->size && is_member(g, i, of))
        i++;
    return i == g->size;
}

/* Whether t links all pairs that s does. One of two groups links no two members of one of them. */
static bool span_covers(const struct comm_span *t, const struct comm_span *s)
{
    if (!has_members(t->group, s->group))
        return false;
    if (t->remote && !s->remote)
        return false;
    return !s->remote || has_members(t->remote ? t->remote : t->group, s->remote);
}

/* Whether the span of another freed communicator links all that this one does. All members of this
 * one have that one, too. */
static bool is_covered(const struct comm_span *s)
{
    const struct comm_span *t = spans;

    while (t && (t == s || !t->freed || !span_covers(t, s)))
        t = t->next;
    return t;
}

static void comm_ends(struct adi3_comm *c)
{
    struct comm_span *s = c->span;

    c->span = NULL;
    if (!s)
        return;
    s->freed = true;
    if (is_covered(s))
        span_drop(s);
}

void adi3_comm_unlink(struct adi3_comm *c)
{
    if (c->local && c->local->span)
        span_drop(c->local->span);
    if (c->local)
        c->local->span = NULL;
    if (c->span)
        span_drop(c->span);
    c->span = NULL;
}

void links_finalize(void)
{
    while (spans)
        span_drop(spans);
}

/* ---- connected peers ------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* Sorts the numbers of the members of our job, or of those of other jobs. Returns how many. */
static int sort_members(const struct adi3_group *g, bool others, int *number)
{
    int n = 0;

    for (int i = 0; i < g->size; i++)
        if (is_of_other_job(adi3_group_process(g, i)) == others)
            number[n++] = adi3_group_process(g, i);
    qsort(number, (size_t) n, sizeof *number, compare_numbers);
    return n;
}

/* Each process of the larger side and one of the smaller side are peers. */
static bool is_pair(int mine, int ours, int its, int theirs)
{
    int least = ours < theirs ? ours : theirs;

    return its % least == mine % least && (mine < least || its < least);
}

/* Sets the marks of the peers in a span; `number` is memory for all members. */
static void mark_peers(const struct comm_span *s, int *number, bool *mark)
{
    int ours = sort_members(s->group, false, number), mine = 0;

    while (number[mine] != adi3_job.rank)
        mine++;
    int n = sort_members(linked_by(s), true, number);
    for (int first = 0, next; first < n; first = next) {
        const struct proc_job *job = proc_job_of_number(number[first]);
        for (next = first; next < n && number[next] - job->first < job->dev.size;)
            next++;
        for (int i = first; i < next; i++)
            if (is_pair(mine, ours, i - first, next - first))
                mark[number[i]] = true;
    }
}

int links_peers(const struct comm_span *one, struct links_peers *peers)
{
    int n = proc_count(), *number = malloc((size_t) n * sizeof *number);
    bool *mark = calloc((size_t) n, sizeof *mark);

    assert(adi3_lock_held());
    *peers = (struct links_peers) { .proc = malloc((size_t) n * sizeof(struct adi3_proc *)) };
    bool memory = number && mark && peers->proc;
    for (const struct comm_span *s = one ? one : spans; s && memory; s = one ? NULL : s->next)
        mark_peers(s, number, mark);
    for (int i = adi3_job.size; i < n && memory; i++)
        if (mark[i])
            peers->proc[peers->n++] = proc_at(i);
    free(mark);
    free(number);
    return memory ? MPI_SUCCESS : adi3_no_memory("for the processes of %d jobs", n);
}

/* ---- letting go: nothing is under way -------------------------------------------------------- */

static bool is_under_way(const struct adi3_comm *c)
{
    struct adi3_request *r = NULL;

    while ((r = adi3_next(&adi3_requests, r)))
        if (adi3_request_comm(r) == c && !adi3_request_done(r) && !adi3_request_inactive(r))
            return true;
    return false;
}

void adi3_comm_drain(const struct adi3_comm *c)
{
    struct adi3_wait w = { .what = "operations of a communicator that is let go" };

    assert(adi3_lock_held());
    while (is_under_way(c))
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
}

/* ---- letting go ------------------------------------------------------------------------------ */

/* The processes that a thread leaves: those of a group, or of a job. */
struct leaving {
    const struct adi3_group *g; /* NULL: of the job */
    const struct proc_job *job;
    int n;
};

static int receive_leave(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) pkt, (void) payload;
    proc_of(from)->link->left = true;
    return 0;
}

bool links_end(const struct proc_job *job)
{
    for (int i = 0; i < job->dev.size && job != &proc_own_job; i++) {
        const struct adi3_proc *p = proc_at(job->first + i);
        if (p->link && !p->lost && (p->link->told || p->link->left))
            return true;
    }
    return false;
}

/* Tells p that nothing follows, unless it was told. While a connect is under way p has to tell it
 * first: p may have made the connect's link already, and then this process will, too. */
static void tell_leave(struct adi3_proc *p)
{
    static const struct dev_pkt leave = { .type = PKT_LEAVE };

    if (!p->link->told && (p->link->left || !proc_job_of(p)->connecting))
        p->link->told = p->dev->ops->inject(&p->peer, &leave, NULL) != DEV_AGAIN;
}

/* True when there is no more to do: the process has no link with this one and is forgotten, or has
 * a new link. Several threads may be leaving it. */
static bool leave_process(int number)
{
    if (!is_of_other_job(number))
        return true;
    struct adi3_proc *p = proc_at(number);
    if (!p->dev || proc_links(p) || !(p->link->known || p->lost))
        return true;
    if (!p->lost)
        tell_leave(p);
    if (!p->lost && !(p->link->told && p->link->left))
        return false;
    proc_forget(p);
    return true;
}

/* All are looked at in each turn, as each may be waiting for what it is told. */
static void leave_all(const struct leaving *l)
{
    struct adi3_wait w = { .what = "a process of a connected job to leave" };
    int over = 0; /* so many of the first have been left */

    for (;;) {
        for (int i = 0; i < l->n; i++)
            if (leave_process(l->g ? adi3_group_process(l->g, i) : l->job->first + i) && i == over)
                over++;
        if (over == l->n)
            break;
        adi3_wait_turn(&w);
    }
    adi3_wait_end(&w);
}

void links_leave_job(const struct proc_job *job)
{
    const struct leaving l = { .job = job, .n = job->dev.size };

    leave_all(&l);
}

/* The jobs of the members stay known; and no longer. */
static void leave_jobs(const struct adi3_group *g, bool begin)
{
    for (int i = 0; i < g->size; i++)
        if (is_of_other_job(adi3_group_process(g, i)))
            proc_job_leaves(proc_job_of_number(adi3_group_process(g, i)), begin);
}

/* Both ends have a device then, and both know that the other one has. */
static void know_peers(const struct adi3_comm *c, const unsigned char *known)
{
    const struct adi3_group *g = group_linked(c->group, c->remote);

    for (int i = 0; i < g->size; i++) {
        if (!known[i] || !is_of_other_job(adi3_group_process(g, i)))
            continue;
        if (!c->proc[i]->dev)
            (void) proc_add(c->proc[i]); /* an error: it is lost */
        if (c->proc[i]->dev)
            c->proc[i]->link->known = true;
    }
}

void adi3_comm_leave(struct adi3_comm *c, const unsigned char *known)
{
    struct adi3_group *g = (struct adi3_group *) (uintptr_t) group_linked(c->group, c->remote);
    const struct leaving l = { .g = g, .n = g->size };

    assert(adi3_lock_held() && c->span);
    g->refs++;
    leave_jobs(g, true);
    know_peers(c, known);
    span_drop(c->span);
    c->span = NULL;
    leave_all(&l);
    leave_jobs(g, false);
    adi3_group_release(g);
}

void adi3_comm_known(const struct adi3_comm *c, unsigned char *known)
{
    for (int i = 0; i < c->peers; i++)
        known[i] = c->proc[i]->dev != NULL;
}

int links_init(void)
{
    static const struct base_hooks hooks = { .name = "connect",
                                             .comm_made = comm_made,
                                             .comm_ends = comm_ends };
    static const struct p2p_packet leave = { .name = "LEAVE", .whole = receive_leave };
    int err = base_hooks_add(&hooks);

    if (!err)
        err = p2p_packet_add(PKT_LEAVE, &leave);
    return err;
}
