/* rma_window.c — a window of several processes for tests of its locks, and in place of messages a
 * list of the sync packets that were sent. */
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/node_segment.h"
#include "rma_lock.h"

struct rma_ground *rma_ground;
static struct rma_memory memory;
static char name[] = "halo";
static struct adi3_comm comm;
static struct adi3_win window;
static struct adi3_dev no_device;
static struct adi3_proc procs[RMA_PROCESSES], *by_rank[RMA_PROCESSES];
static struct segment segment = { .fd = -1 }, saved;

struct adi3_win *rma_shared_window(void)
{
    memset(rma_ground, 0, sizeof *rma_ground);
    memory = (struct rma_memory) { .control = rma_ground->control, .count = RMA_PROCESSES };
    comm = (struct adi3_comm) { .size = RMA_PROCESSES, .proc = by_rank, .name = name };
    for (int i = 0; i < RMA_PROCESSES; i++) {
        by_rank[i] = &procs[i];
        procs[i].peer = (struct dev_peer) {
            .job = &proc_own_job.dev, .rank = i, .local = (int16_t) i, .node = &adi3_node
        };
        procs[i].dev = &no_device; /* none is looked for */
        rma_ground->control[i].rank = i;
    }
    free(window.targets);
    window = (struct adi3_win) {
        .comm = &comm, .memory = &memory, .handle = 7, .targets = rma_targets_new(RMA_PROCESSES)
    };
    return &window;
}

void rma_become(int index)
{
    memory.me = index;
    comm.rank = index;
    adi3_node.index = index;
    CHECK(os_lock_byte(segment_own.fd, (size_t) index) == 0);
    (void) os_membarrier_init();
}

void rma_step(int step) { atomic_store(&rma_ground->step, step); }

void rma_await(int step)
{
    while (atomic_load(&rma_ground->step) < step)
        os_yield();
}

/* ---- instead of messages --------------------------------------------------------------------- */

struct rma_sent rma_sent[RMA_SENT];
int rma_nsent, rma_flushes;
bool rma_dead_remote;

int __wrap_rma_sync_send(struct adi3_win *w, int rank, enum rma_sync sync,
                         const struct rma_sync_fields *fields);
int __wrap_rma_sync_send(struct adi3_win *w, int rank, enum rma_sync sync,
                         const struct rma_sync_fields *fields)
{
    (void) w;
    CHECK(rma_nsent < RMA_SENT);
    rma_sent[rma_nsent++] = (struct rma_sent) { rank, sync, *fields };
    return MPI_SUCCESS;
}

/* Each process answers the last sync packet that it has got. */
int __wrap_rma_wait_turn(struct adi3_win *w, struct adi3_wait *wait, int rank);
int __wrap_rma_wait_turn(struct adi3_win *w, struct adi3_wait *wait, int rank)
{
    struct rma_target *t = rma_target(w, rank);
    int i = rma_nsent;

    (void) wait;
    while (i-- > 0 && rma_sent[i].rank != rank)
        ;
    CHECK(i >= 0);
    if (rma_sent[i].sync == RMA_SYNC_LOCK) {
        t->granted = true;
        t->err = rma_dead_remote ? MPI_ERR_OTHER : MPI_SUCCESS;
    }
    if (rma_sent[i].sync == RMA_SYNC_UNLOCK)
        t->answered = rma_sent[i].fields.number;
    return MPI_SUCCESS;
}

int __wrap_rma_await_answer(struct adi3_win *w, const struct rma_target *t, const char *what);
int __wrap_rma_await_answer(struct adi3_win *w, const struct rma_target *t, const char *what)
{
    struct adi3_wait wait = { .on = w, .what = what };

    while (t->answered != t->asked)
        (void) __wrap_rma_wait_turn(w, &wait, t->rank);
    return MPI_SUCCESS;
}

int __wrap_rma_flush(struct adi3_win *w, struct rma_target *t);
int __wrap_rma_flush(struct adi3_win *w, struct rma_target *t)
{
    (void) w, (void) t;
    rma_flushes++;
    return MPI_SUCCESS;
}

int __wrap_rma_flush_local(struct adi3_win *w, struct rma_target *t);
int __wrap_rma_flush_local(struct adi3_win *w, struct rma_target *t)
{
    int err = t->err;

    (void) w;
    t->err = MPI_SUCCESS;
    return err;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* The fake job has fewer slots than the window has processes. */
int rma_setup(void **state)
{
    const struct segment_plan plan = { .job = "rma", .capacity = RMA_PROCESSES, .each = 1 << 16 };
    const char *what;

    (void) state;
    fake_start();
    assert_int_equal(segment_make(&segment, &plan, &what), 0);
    for (int i = 0; i < RMA_PROCESSES; i++)
        segment.head->slot[i].rank = -1;
    saved = segment_own;
    segment_own = segment;
    int fd = os_memfd("rma", sizeof *rma_ground);
    rma_ground = os_map(fd, sizeof *rma_ground);
    assert_non_null(rma_ground);
    return 0;
}

int rma_teardown(void **state)
{
    (void) state;
    segment_own = saved;
    fake_stop();
    return 0;
}
