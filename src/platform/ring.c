/* ring.c — reads and writes that the kernel does many at a time: io_uring, by its system calls, so
 * that no library is needed. A ring is of one thread. */
#include <errno.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "platform/os.h"

struct os_ring {
    int fd;
    unsigned room, new;  /* places; operations that the kernel has not taken yet */
    unsigned tail, head; /* of the queue of operations; of that of results */
    _Atomic unsigned *sq_tail, *cq_head, *cq_tail;
    unsigned cq_mask;
    struct io_uring_sqe *sqes;
    struct io_uring_cqe *cqes;
    void *queues;
    size_t len; /* of these */
};

static size_t sqes_len(const struct os_ring *r) { return r->room * sizeof *r->sqes; }

static void *ring_map_memory(int fd, size_t len, off_t what)
{
    void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, what);

    return p == MAP_FAILED ? NULL : p;
}

/* Maps the queues. Operation n is always in place n modulo room, so the array is set once. */
static bool map_queues(struct os_ring *r, const struct io_uring_params *p)
{
    size_t sq = p->sq_off.array + p->sq_entries * sizeof(unsigned);
    size_t cq = p->cq_off.cqes + p->cq_entries * sizeof *r->cqes;

    r->room = p->sq_entries;
    r->len = sq > cq ? sq : cq;
    r->queues = ring_map_memory(r->fd, r->len, IORING_OFF_SQ_RING);
    r->sqes = ring_map_memory(r->fd, sqes_len(r), IORING_OFF_SQES);
    if (!r->queues || !r->sqes)
        return false;
    char *base = r->queues;
    r->sq_tail = (void *) (base + p->sq_off.tail);
    r->cq_head = (void *) (base + p->cq_off.head);
    r->cq_tail = (void *) (base + p->cq_off.tail);
    r->cqes = (void *) (base + p->cq_off.cqes);
    r->cq_mask = p->cq_entries - 1;
    unsigned *array = (void *) (base + p->sq_off.array);
    for (unsigned i = 0; i < r->room; i++)
        array[i] = i;
    return true;
}

/* The next place, cleared; the caller fills it in, then calls sqes_publish(). */
static struct io_uring_sqe *sqe_get_next(struct os_ring *r)
{
    struct io_uring_sqe *e = &r->sqes[r->tail % r->room];

    memset(e, 0, sizeof *e);
    return e;
}

static void sqes_publish(struct os_ring *r, unsigned tail)
{
    r->new += tail - r->tail;
    r->tail = tail;
    atomic_store_explicit(r->sq_tail, tail, memory_order_release);
}

/* A filter of the process may let it make a ring, and not use it. */
static bool is_ring_usable(struct os_ring *r)
{
    int64_t result = -1;

    struct io_uring_sqe *e = sqe_get_next(r);
    e->opcode = IORING_OP_NOP;
    e->user_data = (uintptr_t) r;
    sqes_publish(r, r->tail + 1);
    return !os_ring_go(r) && os_ring_pop(r, &result) == r && result == 0;
}

struct os_ring *os_ring_open(unsigned room)
{
    /* One that keeps all results (5.5), and reads without a list of buffers (5.6). */
    const unsigned wanted = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_RW_CUR_POS;
    struct io_uring_params p = { 0 };
    struct os_ring *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->fd = os_new_fd((int) syscall(SYS_io_uring_setup, room, &p));
    if (r->fd >= 0 && (p.features & wanted) == wanted && map_queues(r, &p) && is_ring_usable(r))
        return r;
    os_ring_close(r);
    return NULL;
}

void os_ring_close(struct os_ring *r)
{
    if (r->sqes)
        (void) munmap(r->sqes, sqes_len(r));
    if (r->queues)
        (void) munmap(r->queues, r->len);
    if (r->fd >= 0)
        (void) close(r->fd);
    free(r);
}

void os_ring_push(struct os_ring *r, const struct os_ring_op *op, void *arg)
{
    struct io_uring_sqe *e = sqe_get_next(r);

    e->opcode = op->writes ? IORING_OP_WRITE : IORING_OP_READ;
    e->fd = op->fd;
    e->addr = (uintptr_t) op->buf;
    e->len = op->len;
    e->off = op->at;
    e->user_data = (uintptr_t) arg;
    sqes_publish(r, r->tail + 1);
}

int os_ring_go(struct os_ring *r)
{
    long n = syscall(SYS_io_uring_enter, r->fd, r->new, 1, IORING_ENTER_GETEVENTS, NULL, 0);

    if (n < 0)
        return -errno;
    r->new -= (unsigned) n;
    return 0;
}

void *os_ring_take_back(struct os_ring *r)
{
    if (!r->new)
        return NULL;
    sqes_publish(r, r->tail - 1);
    return (void *) (uintptr_t) r->sqes[r->tail % r->room].user_data;
}

void *os_ring_pop(struct os_ring *r, int64_t *result)
{
    if (r->head == atomic_load_explicit(r->cq_tail, memory_order_acquire))
        return NULL;
    const struct io_uring_cqe *e = &r->cqes[r->head & r->cq_mask];
    void *arg = (void *) (uintptr_t) e->user_data;
    *result = e->res;
    atomic_store_explicit(r->cq_head, ++r->head, memory_order_release);
    return arg;
}
