/* node.c — the node's segment: memory that the processes of one job share on one node.
 *
 * It is one sparse memfd. The process that binds the job's abstract socket first makes the segment
 * and passes its descriptor to the others, which connect before the launcher's first barrier. No
 * list of hosts is needed: only processes in one network namespace of one kernel can connect. Each
 * process takes a slot. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include "proc_impl.h"

enum { MAX_SLOTS = 4096, PAGE = 4096, MAGIC = 0x53744d52, SIZES = 12 };

static const size_t per_process = 4u << 20, least_per_process = 256u << 10,
                    at_most = (size_t) 16 << 30, spare = 16u << 20;

struct node_head {
    uint32_t magic, capacity;
    uint64_t len;
    char abi[ABI_TEXT];           /* see abi.c */
    _Atomic uint32_t count;       /* slots taken */
    _Atomic uint32_t fences;      /* membarrier() is missing: see dev_node.fences */
    _Atomic uint64_t used;        /* bytes from the start of the segment that are taken */
    _Atomic uint64_t free[SIZES]; /* stacks of released blocks of a page, of two, of four, ... */
    unsigned char keys[NODE_KEYS];
    struct node_slot slot[];
};

static struct node_head *head;
static int segment = -1, listener = -1;
static char job_name[NODE_NAME];

/* ---- names ----------------------------------------------------------------------------------- */

/* Writes 16 digits and the end. */
static void write_hex(char *to, uint64_t x)
{
    for (int i = 0; i < 16; i++, x >>= 4)
        *to++ = "0123456789abcdef"[x & 15];
    *to = '\0';
}

/* Only processes that have the segment know the name, so no other process can bind it before its
 * owner does. */
void node_wake_name(char name[NODE_NAME], int index)
{
    size_t len = strlen(job_name);

    memcpy(name, job_name, len);
    name[len++] = '.';
    write_hex(name + len, head->slot[index].wake.name);
}

/* ---- what devices get ------------------------------------------------------------------------ */

static _Atomic uint32_t *asleep(int index) { return &head->slot[index].asleep; }
static bool alive(int index) { return os_byte_locked(segment, (size_t) index); }

/* Takes memory of the segment: its offset, or 0 with a text in *why. The memory is reserved
 * before it is touched, and only where the cgroup has room for it: so a shortage is an error
 * here and not a signal later. */
static size_t take_memory(size_t len, const char **why)
{
    size_t align = len < PAGE ? OS_LINE : PAGE, size = (len + align - 1) & ~(align - 1);

    if (os_memory_room() < size + spare) {
        *why = "the memory limit of this cgroup is reached";
        return 0;
    }
    uint64_t old = atomic_load(&head->used), at;
    do {
        at = (old + align - 1) & ~(uint64_t) (align - 1);
        if (at + size > head->len) {
            *why = "the node's shared segment is full";
            return 0;
        }
    } while (!atomic_compare_exchange_weak(&head->used, &old, at + size));
    int err = os_reserve(segment, at, size);
    if (err)
        *why = strerror(-err);
    return err ? 0 : at;
}

struct dev_node adi3_node = { .asleep = asleep, .alive = alive, .take = take_memory };

/* Released blocks are a lock-free stack for each length, which a process that dies leaves
 * consistent. The head of a stack is the offset of a block in pages, with the number of changes
 * above it, so that a head is not taken for an earlier one of the same block (the ABA problem). */
enum { OFFSET_BITS = 32 };

struct free_block {
    _Atomic uint64_t next; /* offset of the next block; 0: none */
};

static struct free_block *free_at(uint64_t offset)
{
    return (struct free_block *) (void *) ((char *) head + offset);
}

static _Atomic uint64_t *free_blocks(size_t len)
{
    int i = 0;

    while (i < SIZES - 1 && (size_t) PAGE << i < len)
        i++;
    return &head->free[i];
}

/* The offset of the block in the head of a stack; and the next head, of a block at offset. */
static uint64_t offset_in(uint64_t word) { return (word & UINT32_MAX) * PAGE; }

static uint64_t next_word(uint64_t old, uint64_t offset)
{
    return ((old >> OFFSET_BITS) + 1) << OFFSET_BITS | offset / PAGE;
}

/* Takes a released block; 0 when there is none. */
static size_t take_released(size_t len)
{
    _Atomic uint64_t *first = free_blocks(len);
    uint64_t old = atomic_load(first);

    while (offset_in(old))
        if (atomic_compare_exchange_weak(
                first, &old, next_word(old, atomic_load(&free_at(offset_in(old))->next))))
            return offset_in(old);
    return 0;
}

void node_block_release(size_t offset, size_t len)
{
    _Atomic uint64_t *first = free_blocks(len);
    uint64_t old = atomic_load(first);

    assert(adi3_lock_held());
    assert(len >= PAGE && !(len & (len - 1)) && offset && offset % PAGE == 0);
    do
        atomic_store(&free_at(offset)->next, offset_in(old));
    while (!atomic_compare_exchange_weak(first, &old, next_word(old, offset)));
}

/* At most half of the segment becomes blocks: devices need memory as well. */
size_t node_block_take(size_t len)
{
    size_t at = take_released(len);
    const char *why;

    assert(adi3_lock_held());
    assert(len >= PAGE && !(len & (len - 1)));
    if (at || atomic_load(&head->used) + len > head->len / 2)
        return at;
    return take_memory(len, &why);
}

static size_t head_len(uint32_t capacity)
{
    size_t len = sizeof *head + capacity * sizeof(struct node_slot);

    return (len + PAGE - 1) & ~(size_t) (PAGE - 1);
}

void node_rewind(void)
{
    size_t first = head_len(head->capacity);

    os_release(segment, first, atomic_load(&head->used) - first);
    atomic_store(&head->used, first);
    for (int i = 0; i < SIZES; i++)
        atomic_store(&head->free[i], 0);
}

char *node_endpoint(int index, int dev) { return head->slot[index].endpoint[dev]; }
const unsigned char *node_keys(void) { return head->keys; }
struct node_slot *node_slot(int index) { return &head->slot[index]; }
int node_rank(int index) { return head->slot[index].rank; }
const struct os_cpus *node_cpus(int index) { return &head->slot[index].cpus; }

int adi3_node_leader(void)
{
    int leader = adi3_job.rank;

    for (int i = 0; i < adi3_node.count; i++) {
        int rank = node_rank(i);
        leader = rank < leader ? rank : leader;
    }
    return leader;
}

/* ---- joining --------------------------------------------------------------------------------- */

static int node_error(const char *what, int err)
{
    return adi3_error(MPI_ERR_OTHER, "node of job %s: %s: %s", job_name, what, strerror(-err));
}

static int map_segment(size_t len)
{
    if (!(head = os_map(segment, len)))
        return node_error("mapping the shared segment", -ENOMEM);
    adi3_node.base = (char *) head;
    return MPI_SUCCESS;
}

static int make_segment(int size)
{
    uint32_t capacity = size < MAX_SLOTS ? (uint32_t) size : MAX_SLOTS;
    size_t len = head_len(capacity) + capacity * per_process;

    len = len < at_most ? len : at_most;
    if ((segment = os_memfd("starling", len)) == -EFBIG) /* a limit on the size of files */
        segment = os_memfd("starling", len = head_len(capacity) + capacity * least_per_process);
    if (segment < 0)
        return node_error("making the shared segment", segment);
    int err = os_reserve(segment, 0, sizeof *head + sizeof(struct node_slot));
    if (err)
        return node_error("reserving shared memory", err);
    if ((err = map_segment(len)))
        return err;
    head->capacity = capacity;
    head->len = len;
    atomic_store(&head->used, head_len(capacity));
    if ((err = os_random(head->keys, sizeof head->keys)))
        return node_error("getting random bytes", err);
    abi_write(head->abi);
    head->magic = MAGIC;
    return MPI_SUCCESS;
}

/* Gets the segment from the process that made it, which must be of the same user. */
static int find_segment(void)
{
    struct os_cred cred = { 0, 0 };
    struct node_head *peek;
    int s = os_abstract_connect(job_name), err;

    if (s < 0)
        return node_error(
            "the name of the job's abstract socket is taken, and its owner does not answer", s);
    err = os_peer_cred(s, &cred);
    if (!err && cred.uid != geteuid()) {
        (void) close(s);
        return adi3_error(MPI_ERR_OTHER,
                          "node of job %s: process %d of user %u has the job's abstract socket, "
                          "which this user (%u) needs",
                          job_name, (int) cred.pid, (unsigned) cred.uid, (unsigned) geteuid());
    }
    if (!err)
        err = segment = os_fd_receive(s);
    (void) close(s);
    if (err < 0)
        return node_error("receiving the shared segment", err);
    if (!(peek = os_map(segment, sizeof *peek)))
        return node_error("mapping the shared segment", -ENOMEM);
    size_t len = peek->len;
    bool valid = peek->magic == MAGIC && peek->abi[ABI_TEXT - 1] == '\0';
    err = abi_compare(valid ? peek->abi : NULL, "the process that made the node's segment");
    os_unmap(peek, sizeof *peek);
    return err ? err : map_segment(len);
}

static int take_slot(int rank)
{
    uint32_t index = atomic_fetch_add(&head->count, 1);

    if (index >= head->capacity)
        return node_error("more processes than slots", -ENOSPC);
    struct node_slot *s = &head->slot[index];
    int err = os_reserve(segment, (size_t) ((char *) s - (char *) head), sizeof *s);
    if (!err)
        err = os_lock_byte(segment, index);
    if (err)
        return node_error("taking a slot", err);
    if ((err = os_random(&s->wake, sizeof s->wake)))
        return node_error("getting random bytes", err);
    s->rank = rank;
    os_cpus_allowed(&s->cpus);
    atomic_store(&s->cpu, os_cpu());
    adi3_node.index = (int) index;
    if (!os_membarrier_init())
        atomic_store(&head->fences, 1);
    return MPI_SUCCESS;
}

/* Makes a name that only this job of this user has, of safe characters: the launcher's name of the
 * job may have any. */
static void name_job(const struct pmi_job *job)
{
    uint64_t hash = 14695981039346656037u ^ geteuid();
    static const char prefix[] = "starling-";
    char *to = job_name + sizeof prefix - 1;

    memcpy(job_name, prefix, sizeof prefix);
    for (const char *s = job->name; *s; s++)
        hash = (hash ^ (unsigned char) *s) * 1099511628211u;
    if (job->singleton)
        hash ^= (uint64_t) getpid() << 32 ^ os_time_ns();
    write_hex(to, hash);
}

int node_join(const struct pmi_job *job)
{
    name_job(job);
    int err = 0;
    if (!job->singleton)
        err = listener = os_abstract_listen(job_name);
    if (err == -EADDRINUSE)
        err = find_segment();
    else if (err >= 0)
        err = make_segment(job->size);
    else
        err = node_error("binding an abstract socket", err);
    return err ? err : take_slot(job->rank);
}

/* Passes the segment to one process that has connected. */
static int pass_segment(void)
{
    struct os_cred cred = { 0, 0 };
    int s = os_accept(listener);

    if (s == -EAGAIN || s == -ECONNABORTED)
        return MPI_SUCCESS;
    if (s < 0)
        return node_error("passing on the shared segment", s);
    if (!os_peer_cred(s, &cred) && cred.uid == geteuid())
        (void) os_fd_send(s, segment); /* the receiver reports a failure */
    (void) close(s);
    return MPI_SUCCESS;
}

/* Passes the segment to processes that connect, until the launcher's answer is there. */
static int serve_segment(void)
{
    struct pollfd p[2] = { { pmi_fd(), POLLIN, 0 }, { listener, POLLIN, 0 } };

    for (int err = MPI_SUCCESS; !err && !p[0].revents;) {
        if (poll(p, 2, -1) < 0)
            err = errno == EINTR ? MPI_SUCCESS : node_error("waiting for the launcher", -errno);
        else if (p[1].revents)
            err = pass_segment();
        if (err)
            return err;
    }
    return MPI_SUCCESS;
}

int node_barrier(void)
{
    assert(adi3_lock_held());
    if (adi3_job.singleton)
        return MPI_SUCCESS;
    int bad = pmi_barrier_start(), err = MPI_SUCCESS;
    if (!bad && listener >= 0)
        err = serve_segment();
    if (!bad && !err)
        bad = pmi_barrier_finish();
    return bad ? adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()) : err;
}

void node_ready(void)
{
    struct os_cpus all = { { 0 } };

    if (listener >= 0)
        (void) close(listener);
    listener = -1;
    adi3_node.count = (int) atomic_load(&head->count);
    adi3_node.fences = atomic_load(&head->fences);
    for (int i = 0; i < adi3_node.count; i++)
        os_cpus_join(&all, &head->slot[i].cpus);
    adi3_node.oversubscribed = adi3_node.count > os_cpus_count(&all);
}

void node_leave(void)
{
    if (!head)
        return;
    atomic_store(&head->slot[adi3_node.index].state, NODE_ENDS);
    os_unmap(head, head->len);
    head = NULL;
    (void) close(segment);
    segment = -1;
    os_place_end();
}
