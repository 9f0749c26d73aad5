/* finalize_barrier.c — the barriers of MPI_Finalize. No process leaves before all have delivered
 * their messages, so that the end of a process is never taken for a failure.
 *
 * The processes of a node count themselves in its memory. In a job on one node the last one to come
 * ends the barrier; in a job on several nodes one leader of each node exchanges messages with those
 * of the other nodes when its own processes have come, and then ends the barrier on its node. So
 * each process sleeps once, and connections are made between leaders alone. Each process brings a
 * number, and all get the sum. */
#include "adi3/connect/connect.h"
#include "adi3/job/job_impl.h"

enum {
    CONNECTED = 1,
    UNKNOWN = 2, /* the sum says nothing */
    NAMED = 4,   /* it has been said which calls differ */
    WHOLE = 8,   /* of a message: it has come whole */
};

static uint32_t barriers; /* that this process has come to */

static bool all_have_come(void)
{
    uint32_t here = (uint32_t) adi3_node.count;

    return atomic_load_explicit(&node_leaving()->come, memory_order_acquire) >= barriers * here;
}

static bool barrier_is_over(void)
{
    return atomic_load_explicit(&node_leaving()->over, memory_order_acquire) >= barriers;
}

static bool awaited_by_leader; /* which of the two this process waits for */

static bool poll_barrier(void) { return awaited_by_leader ? all_have_come() : barrier_is_over(); }

static struct progress_source source = { .name = "finalize", .poll = poll_barrier };

int finalize_barrier_init(void)
{
    barriers = 0;
    return progress_source_add(&source);
}

/* Whether a process of our job has died. */
static bool any_died(void)
{
    bool died = false;

    for (int i = 0; proc_any_lost && i < adi3_job.size && !died; i++)
        died = adi3_procs[i].lost;
    return died;
}

/* Waits for the processes of this node, or for the end of the barrier. It ends also when a process
 * has died: the launcher says which. */
static void node_await(bool leader)
{
    struct adi3_wait w = { .what = "the other processes" };

    awaited_by_leader = leader;
    progress_want(&source);
    while (!poll_barrier() && !any_died())
        adi3_wait_turn(&w);
    progress_unwant(&source);
    adi3_wait_end(&w);
}

/* ---- between nodes --------------------------------------------------------------------------- */

/* By dissemination: after the step with distance d, a leader has what 2d leaders have brought,
 * itself and those before it (window). With a count that is no power of two the last windows
 * overlap; so the sum consists of windows as long as the bits of the count. */
void finalize_exchange(const struct adi3_node_map *l, struct finalize_brought *b)
{
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);
    struct {
        uint64_t window, sum, facts;
    } ours = { b->sum, 0, b->facts | WHOLE }, theirs = { 0 };

    for (int d = 1; d < l->count; d *= 2) {
        const struct adi3_exchange x = { .out = { &ours, sizeof ours, byte },
                                         .in = { &theirs, sizeof theirs, byte },
                                         .dest = adi3_node_map_leader(l, (l->mine + d) % l->count),
                                         .source = adi3_node_map_leader(l, (l->mine - d + l->count)
                                                                               % l->count),
                                         .sendtag = ADI3_TAG_FINALIZE,
                                         .recvtag = ADI3_TAG_FINALIZE };
        theirs.facts = 0;
        if (adi3_sendrecv(&x, &adi3_world, ADI3_COLL, MPI_STATUS_IGNORE)) {
            ours.facts |= UNKNOWN; /* a process has died; the launcher says which */
            break;
        }
        if (l->count & d)
            ours.sum = ours.window + theirs.sum;
        ours.window += theirs.window;
        ours.facts |= theirs.facts & WHOLE ? theirs.facts : UNKNOWN;
    }
    b->sum = l->count & (l->count - 1) ? ours.sum : ours.window;
    b->facts = (uint32_t) ours.facts;
}

static void leaders_barrier(struct finalize_brought *b)
{
    const struct adi3_node_map *map;

    if (adi3_node_map_find(&map)) /* the launcher does not say */
        b->facts |= UNKNOWN;
    else
        finalize_exchange(map, b);
}

/* ---- on a node ------------------------------------------------------------------------------- */

/* Takes what the processes of this node have brought. They have come, and wait. */
static struct finalize_brought node_brought(struct node_leaving *n)
{
    return (struct finalize_brought) { atomic_exchange(&n->sum, 0), atomic_exchange(&n->facts, 0) };
}

static void end_barrier(struct node_leaving *n, const struct finalize_brought *b)
{
    n->all_sum = b->sum;
    n->all_facts = b->facts;
    atomic_store(&n->over, barriers);
    atomic_thread_fence(memory_order_seq_cst);
    adi3_node.wake_all(&adi3_node);
}

/* This process is the last one of its node to come. */
static void leader_wake(int leader)
{
    int index = node_local(leader);

    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(adi3_node.asleep(&adi3_node, index)) != DEV_AWAKE)
        adi3_node.wake(&adi3_node, index);
}

/* The leader's part, in a job on several nodes. */
static void leader_end_barrier(struct node_leaving *n)
{
    node_await(true);
    struct finalize_brought b = node_brought(n);
    if (!all_have_come())
        b.facts |= UNKNOWN;
    leaders_barrier(&b);
    end_barrier(n, &b);
}

/* Afterwards *b is the sum, and what is true of any process. */
static void finalize_barrier(struct finalize_brought *b)
{
    struct node_leaving *n = node_leaving();
    int leader = adi3_node_leader();
    bool alone = adi3_node.count == adi3_job.size;

    barriers++;
    atomic_fetch_or(&n->facts, b->facts);
    atomic_fetch_add(&n->sum, b->sum);
    bool last = atomic_fetch_add(&n->come, 1) + 1 == barriers * (uint32_t) adi3_node.count;
    if (alone && last) {
        const struct finalize_brought all = node_brought(n);
        end_barrier(n, &all);
    } else if (!alone && leader == adi3_job.rank) {
        leader_end_barrier(n);
    } else if (!alone && last) {
        leader_wake(leader);
    }
    node_await(false);
    if (barrier_is_over())
        *b = (struct finalize_brought) { n->all_sum, n->all_facts };
    if (any_died())
        b->facts |= UNKNOWN;
}

/* What this process has sent is on its way before it comes to the next barrier, since the receiver
 * may leave behind that. */
static void deliver_reports(void)
{
    struct adi3_wait w = { .what = "reports of its calls" };

    while (p2p_with_devices() > 0)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
}

/* Calls on a communicator differ. When no process can say which, the first one says that. */
static void compare_calls(void)
{
    struct finalize_brought b = { .facts = last_calls_compare() ? NAMED : 0 };

    deliver_reports();
    finalize_barrier(&b);
    if (!(b.facts & NAMED) && adi3_world.rank == 0 && adi3_warn)
        adi3_warn("the processes have made different collective calls on a communicator, more than "
                  "16 calls before its end or before many others were freed");
}

void finalize_synchronize(void)
{
    bool known;
    struct finalize_brought b = { .sum = last_calls_sum(&known) };

    b.facts = (connected_any() ? CONNECTED : 0) | (known ? 0 : UNKNOWN);
    finalize_barrier(&b);
    if (b.sum && !(b.facts & (CONNECTED | UNKNOWN)))
        compare_calls();
    if (!(b.facts & CONNECTED))
        return;
    connected_end_exchange();
    finalize_barrier(&(struct finalize_brought) { 0 });
}
