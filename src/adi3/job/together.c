/* together.c — the barriers of MPI_Finalize. No process leaves before all have delivered their
 * messages, so that the end of a process is never taken for a failure.
 *
 * In a job on one node the processes count themselves in the node's memory, and the last one wakes
 * the others: each sleeps once. By messages each would sleep once for each step. */
#include "connect.h"
#include "job_impl.h"

static uint32_t expected; /* the count of processes when all have come */

static bool all_have_come(void)
{
    _Atomic uint32_t *connected;

    return atomic_load_explicit(node_leaving(&connected), memory_order_acquire) >= expected;
}

static struct progress_source source = { .name = "finalize", .poll = all_have_come };

int together_init(void)
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

static bool barrier_on_node(bool any)
{
    struct adi3_wait w = { .what = "the other processes" };
    _Atomic uint32_t *connected, *come = node_leaving(&connected);

    expected += (uint32_t) adi3_job.size;
    if (any)
        atomic_store(connected, 1);
    if (atomic_fetch_add(come, 1) + 1 == expected) {
        atomic_thread_fence(memory_order_seq_cst);
        adi3_node.wake_all(&adi3_node);
    }
    progress_want(&source);
    while (!all_have_come() && !any_died()) /* the launcher says which */
        adi3_wait_turn(&w);
    progress_unwant(&source);
    adi3_wait_end(&w);
    return atomic_load(connected);
}

/* By dissemination. */
static bool barrier_by_messages(bool any)
{
    enum { BARRIER_TAG = 0x1fffff01 };
    struct adi3_comm *c = &adi3_world;
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);

    for (int step = 1; step < c->size; step *= 2) {
        bool theirs = false;
        const struct adi3_exchange x = { .out = { &any, 1, byte },
                                         .in = { &theirs, 1, byte },
                                         .dest = (c->rank + step) % c->size,
                                         .source = (c->rank - step + c->size) % c->size,
                                         .sendtag = BARRIER_TAG,
                                         .recvtag = BARRIER_TAG };
        if (adi3_sendrecv(&x, c, ADI3_COLL, MPI_STATUS_IGNORE))
            break; /* a process has died; the launcher says which */
        any |= theirs;
    }
    return any;
}

/* Returns whether `any` is true in any process. */
static bool barrier(bool any)
{
    return adi3_node.count == adi3_job.size ? barrier_on_node(any) : barrier_by_messages(any);
}

void end_together(void)
{
    if (!barrier(connected_any()))
        return;
    connected_goodbye();
    (void) barrier(false);
}
