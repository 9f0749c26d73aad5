/* shared_window.c — the memory of a window that processes of a test share. */
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include "shared_window.h"

struct shared_window window;
_Alignas(4096) char window_private[WINDOW_BYTES];

enum { PAGE = 4096, ALL = PAGE * (1 + WINDOW_PROCESSES * WINDOW_BYTES / PAGE) + WINDOW_COUNTS };
_Static_assert(WINDOW_PROCESSES * sizeof(struct rma_control) <= PAGE, "they fit a page");

static _Atomic int *arrived; /* the last bytes of counts */

/* A process that the test has killed is waited for before anyone looks. */
static bool alive(const struct dev_node *n, int index)
{
    (void) n;
    return kill((pid_t) window.memory.control[index].pid, 0) == 0;
}

static void look(int index)
{
    struct rma_memory *m = &window.memory;

    m->control = m->share.at;
    m->me = index;
    m->control[index].pid = (int32_t) getpid();
    m->control[index].base = (uint64_t) (uintptr_t) window_part(index);
    window.counts = (char *) m->share.at + ALL - WINDOW_COUNTS;
    arrived = (_Atomic int *) (void *) (window.counts + WINDOW_COUNTS - OS_LINE);
    assert_true(os_membarrier_init());
}

void window_make(int count)
{
    struct node_share *s = &window.memory.share;

    assert_true((s->fd = os_memfd("test-window", ALL)) >= 0);
    assert_non_null(s->at = os_map(s->fd, s->len = ALL));
    window.memory.count = count;
    struct rma_control *c = s->at;
    for (int i = 0; i < count; i++) {
        c[i].rank = 10 * i;
        c[i].local = i;
        c[i].size = WINDOW_BYTES;
        c[i].offset = (uint64_t) (PAGE + i * WINDOW_BYTES);
    }
    window.memory.control = c;
    adi3_node.alive = alive;
    adi3_node.fences = false;
    look(0);
    (void) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* the others copy from here and to it */
}

void window_drop(void)
{
    os_unmap(window.memory.share.at, window.memory.share.len);
    (void) close(window.memory.share.fd);
}

int window_set_up(void **state)
{
    (void) state;
    window_make(WINDOW_PROCESSES);
    return 0;
}

int window_tear_down(void **state)
{
    (void) state;
    window_drop();
    return 0;
}

struct start {
    int index;
    void (*body)(void *arg);
    void *arg;
};

static void child(void *arg)
{
    struct start *s = arg;
    struct node_share *share = &window.memory.share;
    void *before = share->at;

    CHECK((share->at = os_map(share->fd, ALL)));
    os_unmap(before, ALL);
    look(s->index);
    for (int i = 0; i < s->index * 1000; i++) /* other random numbers than the others */
        (void) unit_random(2);
    s->body(s->arg);
}

pid_t window_fork(int index, void (*body)(void *arg), void *arg)
{
    return unit_fork(child, &(struct start) { index, body, arg });
}

bool window_run(void (*body)(void *arg), void *arg)
{
    pid_t pid[WINDOW_PROCESSES];
    bool well = true;

    atomic_store(arrived, 0);
    for (int i = 1; i < window.memory.count; i++)
        pid[i] = window_fork(i, body, arg);
    body(arg);
    for (int i = 1; i < window.memory.count; i++)
        well &= unit_ended_well(pid[i]);
    return well;
}

void window_start_together(void)
{
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < window.memory.count)
        os_yield();
}

struct rma_place window_place(int owner)
{
    struct rma_control *c = &window.memory.control[owner];

    return (struct rma_place) { &window.memory, c, c->offset || owner == window.memory.me };
}

char *window_part(int owner)
{
    return (char *) window.memory.share.at + PAGE + owner * WINDOW_BYTES;
}

void window_make_private(int owner, const void *base)
{
    window.memory.control[owner].offset = 0;
    window.memory.control[owner].base = (uint64_t) (uintptr_t) base;
}

int window_do(const struct rma_place *p, void *at, struct adi3_type *t, size_t n, MPI_Op op,
              const void *in, void *old)
{
    const struct adi3_data d = { at, n, t };

    return rma_accumulate(p, &d,
                          &(struct rma_packed) { .len = n * t->size, .packed = in, .fetched = old },
                          adi3_op_builtin(op));
}

bool window_has_cma(void)
{
    char from = 'c', to;

    return !os_cma_read(getpid(), &to, &from, 1);
}
