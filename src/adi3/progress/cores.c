/* cores.c — separates processes of one node that wait for each other on one core.
 *
 * The kernel wakes a sleeper on its waker's core and leaves both there, so a waiter moves to a free
 * core itself, or to one with fewer processes where all have some. It is not bound to it: the
 * kernel may move it again, and several jobs do not end up bound to the same cores. */
#include "adi3/progress/progress_impl.h"

enum {
    LEAVE_NS = 1000000,
    LOOK_NS_EACH = 10000, /* between two looks at the slots, for each of them: 1% of the time */
};

bool core_has_others;

int core_of(const struct dev_node *n, int index)
{
    return atomic_load_explicit(&node_slot_in(n, index)->cpu, memory_order_relaxed);
}

/* Whether a process was on this core when it waited last, and does not sleep. */
static bool is_on(const struct dev_node *n, int index, int cpu)
{
    return core_of(n, index) == cpu
           && !atomic_load_explicit(n->asleep(n, index), memory_order_relaxed);
}

static void core_set(int cpu)
{
    if (core_of(&adi3_node, adi3_node.index) != cpu)
        atomic_store_explicit(&node_slot(adi3_node.index)->cpu, cpu, memory_order_relaxed);
}

void core_note(void) { core_set(os_cpu()); }

bool core_shared(const struct adi3_wait *w)
{
    int cpu = os_cpu();

    core_set(cpu);
    const struct adi3_proc *p = w->peer ? proc_of(w->peer) : NULL;
    const struct dev_node *n = p ? proc_node(p) : NULL;
    if (n && (n != &adi3_node || proc_local(p) != adi3_node.index))
        return is_on(n, proc_local(p), cpu);
    for (n = &adi3_node; n; n = node_next(n))
        for (int i = 0; i < n->count; i++)
            if (i != n->index && is_on(n, i, cpu))
                return true;
    return false;
}

/* The next core behind `from` that this process may use and that is not the last core of any
 * process of the node; -1: there is none. */
static int free_core(int from)
{
    struct os_cpus left;

    os_cpus_allowed(&left);
    for (const struct dev_node *n = &adi3_node; n; n = node_next(n))
        for (int i = 0; i < n->count; i++) {
            unsigned cpu = (unsigned) core_of(n, i);
            if (cpu < OS_CPUS)
                left.bits[cpu / 64] &= ~(1ull << cpu % 64);
        }
    for (int i = 1; i < OS_CPUS; i++) {
        int cpu = (from + i) % OS_CPUS;
        if (left.bits[cpu / 64] >> cpu % 64 & 1)
            return cpu;
    }
    return -1;
}

bool core_leave(void)
{
    static uint64_t last;
    uint64_t now = os_time_ns();

    if (now - last < LEAVE_NS)
        return false;
    last = now;
    int cpu = free_core(os_cpu());
    if (cpu < 0 || !os_cpu_move(cpu))
        return false;
    core_set(cpu);
    return true;
}

/* Counts the processes that do not sleep, on each core where they waited last, and in all. */
static unsigned count_on_cores(uint16_t *count)
{
    unsigned all = 0;

    for (const struct dev_node *n = &adi3_node; n; n = node_next(n))
        for (int i = 0; i < n->count; i++) {
            unsigned cpu = (unsigned) core_of(n, i);
            if (cpu < OS_CPUS && !atomic_load_explicit(n->asleep(n, i), memory_order_relaxed)) {
                count[cpu]++;
                all++;
            }
        }
    return all;
}

/* The core with the fewest processes if `here` has two more than it and more than its share, else
 * -1. */
static int emptier_core(int here)
{
    uint16_t count[OS_CPUS] = { 0 };
    unsigned all = count_on_cores(count), cores = (unsigned) adi3_node.cores;
    struct os_cpus allowed;
    int least = here;

    if ((unsigned) here >= OS_CPUS || count[here] <= (all + cores - 1) / cores)
        return -1;
    os_cpus_allowed(&allowed);
    for (int i = 0; i < OS_CPUS; i++)
        if (allowed.bits[i / 64] >> i % 64 & 1 && count[i] < count[least])
            least = i;
    return count[here] >= count[least] + 2 ? least : -1;
}

void core_balance(uint64_t now)
{
    static uint64_t last;

    core_note();
    if (now - last < LEAVE_NS + (uint64_t) LOOK_NS_EACH * (uint64_t) adi3_node.count)
        return;
    last = now;
    int cpu = emptier_core(core_of(&adi3_node, adi3_node.index));
    if (cpu >= 0 && os_cpu_move(cpu))
        core_set(cpu);
}

void core_look(void)
{
    static uint64_t last;
    const struct adi3_wait any = { .on = NULL };
    uint64_t now = os_time_ns();

    if (now - last < (uint64_t) LOOK_NS_EACH * (uint64_t) adi3_node.count)
        return;
    last = now;
    core_has_others = adi3_node.oversubscribed || core_shared(&any);
}

void progress_begin(void)
{
    const struct adi3_wait any = { .on = NULL };

    assert(adi3_lock_held());
    core_note();
    if (!adi3_node.oversubscribed && core_shared(&any))
        (void) core_leave();
    core_has_others = adi3_node.oversubscribed;
}
