/* finalize_barrier.c — the barriers of MPI_Finalize. No process leaves before all have delivered
 * their messages, so that the end of a process is never taken for a failure.
 *
 * In a job on one node the processes count themselves in the node's memory, and the last one wakes
 * the others: each sleeps once. By messages each would sleep once for each step. Each process
 * brings a number, and all get the sum. */
#include "adi3/connect/connect.h"
#include "adi3/job/job_impl.h"

enum {
    CONNECTED = 1,
    UNKNOWN = 2, /* the sum says nothing */
    NAMED = 4,   /* it has been said which calls differ */
    WHOLE = 8,   /* of a message: it has come whole */
};

struct brought {
    uint64_t sum;
    uint32_t facts; /* what is true of any process */
};

static uint32_t expected; /* the count of processes when all have come */

static bool all_have_come(void)
{
    return atomic_load_explicit(&node_leaving()->come, memory_order_acquire) >= expected;
}

static struct progress_source source = { .name = "finalize", .poll = all_have_come };

int finalize_barrier_init(void)
{
    expected = 0;
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

static void barrier_on_node(struct brought *b)
{
    struct adi3_wait w = { .what = "the other processes" };
    struct node_leaving *all = node_leaving();

    expected += (uint32_t) adi3_job.size;
    atomic_fetch_or(&all->facts, b->facts);
    atomic_fetch_add(&all->sum, b->sum);
    if (atomic_fetch_add(&all->come, 1) + 1 == expected) {
        atomic_thread_fence(memory_order_seq_cst);
        adi3_node.wake_all(&adi3_node);
    }
    progress_want(&source);
    while (!all_have_come() && !any_died()) /* the launcher says which */
        adi3_wait_turn(&w);
    progress_unwant(&source);
    adi3_wait_end(&w);
    *b = (struct brought) { atomic_load(&all->sum), atomic_load(&all->facts) };
}

/* By dissemination: after the step with distance d, a process has what 2d processes have brought,
 * itself and those before it (window). With a size that is no power of two the last windows
 * overlap; so the sum consists of windows as long as the bits of the size. */
static void barrier_by_messages(struct brought *b)
{
    struct adi3_comm *c = &adi3_world;
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);
    struct {
        uint64_t window, sum, facts;
    } ours = { b->sum, 0, b->facts | WHOLE }, theirs = { 0 };

    for (int d = 1; d < c->size; d *= 2) {
        const struct adi3_exchange x = { .out = { &ours, sizeof ours, byte },
                                         .in = { &theirs, sizeof theirs, byte },
                                         .dest = (c->rank + d) % c->size,
                                         .source = (c->rank - d + c->size) % c->size,
                                         .sendtag = ADI3_TAG_FINALIZE,
                                         .recvtag = ADI3_TAG_FINALIZE };
        theirs.facts = 0;
        if (adi3_sendrecv(&x, c, ADI3_COLL, MPI_STATUS_IGNORE)) {
            ours.facts |= UNKNOWN; /* a process has died; the launcher says which */
            break;
        }
        if (c->size & d)
            ours.sum = ours.window + theirs.sum;
        ours.window += theirs.window;
        ours.facts |= theirs.facts & WHOLE ? theirs.facts : UNKNOWN;
    }
    b->sum = c->size & (c->size - 1) ? ours.sum : ours.window;
    b->facts = (uint32_t) ours.facts;
}

/* Afterwards *b is the sum, and what is true of any process. */
static void finalize_barrier(struct brought *b)
{
    if (adi3_node.count == adi3_job.size)
        barrier_on_node(b);
    else
        barrier_by_messages(b);
    if (any_died())
        b->facts |= UNKNOWN;
}

/* Calls on a communicator differ. When no process can say which, the first one says that. */
static void compare_calls(void)
{
    struct brought b = { .facts = last_calls_compare() ? NAMED : 0 };

    finalize_barrier(&b);
    if (!(b.facts & NAMED) && adi3_world.rank == 0 && adi3_warn)
        adi3_warn("the processes have made different collective calls on a communicator, more than "
                  "16 calls before its end or before many others were freed");
}

void finalize_synchronize(void)
{
    bool known;
    struct brought b = { .sum = last_calls_sum(&known) };

    b.facts = (connected_any() ? CONNECTED : 0) | (known ? 0 : UNKNOWN);
    finalize_barrier(&b);
    if (b.sum && !(b.facts & (CONNECTED | UNKNOWN)))
        compare_calls();
    if (!(b.facts & CONNECTED))
        return;
    connected_end_exchange();
    finalize_barrier(&(struct brought) { 0 });
}
