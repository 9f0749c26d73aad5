/* segment.c — shared segments: the memory of the processes of one job on one node.
 *
 * A segment is one sparse memfd: a head, guests, a slot for each process, and memory that is taken
 * from the start to the end, by devices for good and by communicators in blocks that can be given
 * back. This process is in the segment of its job (node.c), and a guest in those of other jobs
 * (neighbor.c). */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "adi3/proc/node_segment.h"

static const size_t at_most = (size_t) 16 << 30;
static const char no_room[] = "the memory limit of this cgroup is reached";

struct segment segment_own = { .fd = -1 };
struct dev_node adi3_node = { .asleep = segment_asleep,
                              .wake_all = segment_wake_all,
                              .alive = segment_alive,
                              .guest = segment_guest,
                              .take = segment_take,
                              .lend = segment_lend,
                              .give = segment_give };

static struct segment *segment_of(const struct dev_node *n)
{
    return n == &adi3_node ? &segment_own : &OS_OWNER(n, struct neighbor, node)->segment;
}

/* ---- slots ----------------------------------------------------------------------------------- */

struct node_slot *node_slot_in(const struct dev_node *n, int index)
{
    return &segment_of(n)->head->slot[index];
}

struct node_slot *node_slot(int index) { return &segment_own.head->slot[index]; }
int node_rank(int index) { return segment_own.head->slot[index].rank; }
const unsigned char *node_keys(void) { return segment_own.head->keys; }

char *node_endpoint(const struct dev_node *n, int index, int dev)
{
    return node_slot_in(n, index)->endpoint[dev];
}

/* Writes 16 digits and the end. */
void node_write_hex(char *to, uint64_t x)
{
    for (int i = 0; i < 16; i++, x >>= 4)
        *to++ = "0123456789abcdef"[x & 15];
    *to = '\0';
}

/* Only processes that have the segment know the name, so no other process can bind it before its
 * owner does. */
void node_wake_name(char name[NODE_NAME], const struct dev_node *n, int index)
{
    const struct node_head *head = segment_of(n)->head;
    size_t len = strnlen(head->job, NODE_NAME - 18);

    memcpy(name, head->job, len);
    name[len++] = '.';
    node_write_hex(name + len, head->slot[index].wake.name);
}

struct adi3_proc *node_proc(int index)
{
    const struct node_head *head = segment_own.head;
    const struct proc_job *job = &proc_own_job;
    int rank = -1;

    if (index >= 0 && index < adi3_node.count) {
        rank = head->slot[index].rank;
    } else if (index >= 0 && index % DEV_PLACES >= MAX_SLOTS) {
        const struct node_guest *g = &head->guest[index % DEV_PLACES - MAX_SLOTS];
        uint64_t id = atomic_load(&g->job);
        rank = atomic_load(&g->rank);
        if (guest_index(index % DEV_PLACES - MAX_SLOTS, atomic_load(&g->times)) != index
            || atomic_load(&g->job) != id)
            return NULL; /* it has left, and another guest is here or comes */
        job = proc_job_find(id);
    }
    return job && rank >= 0 && rank < job->dev.size ? proc_at(job->first + rank) : NULL;
}

/* ---- what devices get ------------------------------------------------------------------------ */

_Atomic uint32_t *segment_asleep(const struct dev_node *n, int index)
{
    return &node_slot_in(n, index)->asleep;
}

/* A guest that comes later locks the same byte before it counts itself. */
bool segment_alive(const struct dev_node *n, int index)
{
    const struct segment *s = segment_of(n);
    int at = index % DEV_PLACES, place = at - MAX_SLOTS;

    return os_byte_locked(s->fd, (size_t) at)
           && (place < 0 || guest_index(place, atomic_load(&s->head->guest[place].times)) == index);
}

int segment_guest(const struct dev_node *n, const struct dev_job *job, int rank)
{
    const struct node_head *head = segment_of(n)->head;
    int guests = (int) atomic_load(&head->guests);

    for (int i = 0; i < guests && i < MAX_GUESTS; i++)
        if (atomic_load(&head->guest[i].job) == job->id
            && atomic_load(&head->guest[i].rank) == rank)
            return guest_index(i, atomic_load(&head->guest[i].times));
    return -1;
}

/* The kernel walks a list of all locks for each answer of alive(). Where all processes ask about
 * all others that takes as long as the cube of their number, so each asks about a few in turn. */
int node_turn(const struct dev_node *n, int *first)
{
    enum { MOST = 16 };
    struct segment *s = segment_of(n);
    uint32_t deaths = atomic_load(&s->head->deaths);
    bool all = deaths != s->deaths || n->count <= MOST;

    s->deaths = deaths;
    *first = all ? 0 : (int) ((s->turn + (uint32_t) n->index) % (uint32_t) n->count);
    s->turn += MOST;
    return all ? n->count : MOST;
}

void node_found_dead(const struct dev_node *n)
{
    atomic_fetch_add(&segment_of(n)->head->deaths, 1);
}

static void process_wake(const struct dev_node *n, int index)
{
    if (atomic_load_explicit(segment_asleep(n, index), memory_order_relaxed) != DEV_AWAKE)
        n->wake(n, index);
}

void segment_wake_all(const struct dev_node *n)
{
    const struct node_head *head = segment_of(n)->head;
    int guests = (int) atomic_load(&head->guests);

    for (int i = 0; i < n->count; i++)
        process_wake(n, i);
    for (int i = 0; i < guests && i < MAX_GUESTS; i++) {
        const struct adi3_proc *p = node_proc(guest_index(i, atomic_load(&head->guest[i].times)));
        if (p && p->peer.node)
            process_wake(p->peer.node, p->peer.local);
    }
}

static size_t head_len(uint32_t capacity, uint32_t ranks)
{
    size_t len =
        sizeof(struct node_head) + capacity * sizeof(struct node_slot) + node_table_len(ranks);

    return (len + PAGE - 1) & ~(size_t) (PAGE - 1);
}

/* Whether the cgroup has room for what the processes of the node take from byte `from` of the
 * segment up to `to`. A look takes longer than it takes to reserve a little memory: so the first of
 * them looks, and later one of them when all have taken LOOK bytes more. */
static bool has_room(const struct segment *s, uint64_t from, uint64_t to)
{
    enum { LOOK = 1 << 20 };
    _Static_assert(LOOK <= NODE_HEADROOM / 4, "what is taken without a look is spared");
    bool first = from == head_len(s->capacity, s->ranks);

    return (!first && from / LOOK == to / LOOK) || os_memory_room() >= to - from + NODE_HEADROOM;
}

/* Takes `room` bytes of the segment, of which `len` will be used: the offset, or 0 with a text in
 * *why. The memory is reserved before it is touched, and only where the cgroup has room for it: so
 * a shortage is an error here and not a signal later. */
static size_t take_new(const struct segment *s, size_t room, size_t len, const char **why)
{
    struct node_head *head = s->head;
    size_t align = room < PAGE ? OS_LINE : PAGE, size = (room + align - 1) & ~(align - 1);

    uint64_t old = atomic_load(&head->used), at;
    do {
        at = (old + align - 1) & ~(uint64_t) (align - 1);
        if (at + size > s->len) {
            *why = "the node's shared segment is full";
            return 0;
        }
        if (!has_room(s, at, at + len)) {
            *why = no_room;
            return 0;
        }
    } while (!atomic_compare_exchange_weak(&head->used, &old, at + size));
    int err = os_reserve(s->fd, at, len);
    if (err)
        *why = strerror(-err);
    return err ? 0 : at;
}

size_t segment_take(const struct dev_node *n, size_t len, const char **why)
{
    return take_new(segment_of(n), len, len, why);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Released blocks are a lock-free stack for each length, which a process that dies leaves
 * consistent. The head of a stack is the offset of a block in pages, with the number of changes
 * above it, so that a head is not taken for an earlier one of the same block (the ABA problem). */
enum { OFFSET_BITS = 32 };

struct free_block {
    _Atomic uint64_t next; /* offset of the next block; 0: none */
};

static struct free_block *free_at(const struct segment *s, uint64_t offset)
{
    return (struct free_block *) (void *) ((char *) s->head + offset);
}

/* The index of the stack of blocks of len bytes, or of the least that are larger. */
static int stack_of(size_t len)
{
    int i = 0;

    while (i < SIZES - 1 && (size_t) PAGE << i < len)
        i++;
    return i;
}

/* The offset of the block in the head of a stack; and the next head, of a block at offset. */
static uint64_t offset_in(uint64_t word) { return (word & UINT32_MAX) * PAGE; }

static uint64_t next_word(uint64_t old, uint64_t offset)
{
    return ((old >> OFFSET_BITS) + 1) << OFFSET_BITS | offset / PAGE;
}

/* Takes a block from a stack; 0 when there is none. */
static size_t pop_block(const struct segment *s, _Atomic uint64_t *stack)
{
    uint64_t old = atomic_load(stack);

    while (offset_in(old))
        if (atomic_compare_exchange_weak(
                stack, &old, next_word(old, atomic_load(&free_at(s, offset_in(old))->next))))
            return offset_in(old);
    return 0;
}

static void push_block(const struct segment *s, _Atomic uint64_t *stack, size_t offset)
{
    uint64_t old = atomic_load(stack);

    do
        atomic_store(&free_at(s, offset)->next, offset_in(old));
    while (!atomic_compare_exchange_weak(stack, &old, next_word(old, offset)));
}

/* ---- memory lent to guests ------------------------------------------------------------------- */

size_t segment_lend(const struct dev_node *n, size_t len, const char **why)
{
    const struct segment *s = segment_of(n);
    int i = stack_of(len), err;

    if (len > (size_t) PAGE << i || len > s->len) {
        *why = "the node's shared segment has no blocks as long as that";
        return 0;
    }
    size_t at = pop_block(s, &s->head->given[i]);
    if (!at || at > s->len - len)
        return take_new(s, (size_t) PAGE << i, len, why);
    err = os_memory_room() < len + NODE_HEADROOM ? -ENOMEM : os_reserve(s->fd, at, len);
    if (!err) {
        memset((char *) s->head + at, 0, PAGE);
        return at;
    }
    *why = err == -ENOMEM ? no_room : strerror(-err);
    push_block(s, &s->head->given[i], at);
    return 0;
}

/* All pages but the first one, which holds the word of the stack, go back to the system. What
 * another process says of offset and length may be wrong. */
void segment_give(const struct dev_node *n, size_t offset, size_t len)
{
    const struct segment *s = segment_of(n);
    size_t size = (size_t) PAGE << stack_of(len);

    assert(adi3_lock_held());
    if (!offset || offset % PAGE || len > size || offset >= s->len || size > s->len - offset)
        return;
    if (size > PAGE)
        os_release(s->fd, offset + PAGE, size - PAGE);
    push_block(s, &s->head->given[stack_of(len)], offset);
}

/* ---- blocks of our own segment --------------------------------------------------------------- */

void node_block_release(size_t offset, size_t len)
{
    assert(adi3_lock_held());
    assert(len >= PAGE && !(len & (len - 1)) && offset && offset % PAGE == 0);
    push_block(&segment_own, &segment_own.head->free[stack_of(len)], offset);
}

/* At most half of the segment becomes blocks: devices need memory as well. */
size_t node_block_room(void)
{
    size_t used = atomic_load(&segment_own.head->used),
           most = (segment_own.len - segment_own.lent) / 2;

    return used < most ? most - used : 0;
}

size_t node_block_take(size_t len)
{
    size_t at = pop_block(&segment_own, &segment_own.head->free[stack_of(len)]);
    const char *why;

    assert(adi3_lock_held());
    assert(len >= PAGE && !(len & (len - 1)));
    if (at || node_block_room() < len)
        return at;
    return segment_take(&adi3_node, len, &why);
}

_Atomic uint64_t *node_world(void) { return &segment_own.head->world; }

struct node_leaving *node_leaving(void) { return &segment_own.head->leaving; }

/* ---- life ------------------------------------------------------------------------------------ */

/* Makes memory of *len bytes, or gives this length to memory that there is. Memory that a process
 * has begun to make a segment of, and that died, keeps its length: *len, and loses its contents. */
static int make_memory(struct segment *s, size_t *len)
{
    size_t sealed;

    if (s->fd < 0)
        return (s->fd = os_memfd("starling", *len)) < 0 ? s->fd : 0;
    if (!(sealed = os_sealed_len(s->fd)))
        return os_memfd_seal(s->fd, *len);
    os_release(s->fd, 0, sealed);
    *len = sealed;
    return 0;
}

/* Reserves what each process writes when it joins. */
static int local_reserve(const struct segment *s)
{
    size_t offset = (size_t) ((char *) node_table_of(s).local - (char *) s->head);

    return s->ranks ? os_reserve(s->fd, offset, node_table_local_len(s->ranks)) : 0;
}

int segment_make(struct segment *s, const struct segment_plan *plan, const char **what)
{
    size_t first = head_len(plan->capacity, plan->ranks), len = first + plan->capacity * plan->each;

    len = (len < at_most ? len : at_most) + plan->lent;
    *what = "making the shared segment";
    int err = make_memory(s, &len);
    if (!err && len < first)
        err = -EINVAL;
    if (err)
        return err;
    *what = "reserving shared memory";
    err = os_reserve(s->fd, 0, offsetof(struct node_head, guest));
    if (err)
        return err;
    *what = "mapping the shared segment";
    if (!(s->head = os_map(s->fd, len)))
        return -ENOMEM;
    s->len = len;
    s->lent = s->head->lent = plan->lent;
    s->capacity = plan->capacity;
    s->ranks = plan->ranks;
    *what = "reserving shared memory";
    err = local_reserve(s);
    if (err)
        return err;
    s->head->capacity = plan->capacity;
    s->head->ranks = plan->ranks;
    s->head->len = len;
    memcpy(s->head->job, plan->job, strnlen(plan->job, NODE_NAME - 1));
    atomic_store(&s->head->used, first);
    abi_write(s->head->abi);
    *what = "getting random bytes";
    err = os_random(s->head->keys, sizeof s->head->keys);
    if (err)
        return err;
    atomic_store(&s->head->magic, MAGIC); /* the last: see segment_elect() */
    return 0;
}

static int map_error(const char *whose, const char *what)
{
    return adi3_error(MPI_ERR_OTHER, "the shared segment of %s: %s", whose, what);
}

int segment_map(struct segment *s, const char *whose)
{
    const struct node_head *peek = NULL;
    size_t len = os_sealed_len(s->fd), first = sizeof(struct node_head);
    const char *wrong = NULL;
    int err = MPI_SUCCESS;

    if (len < first)
        wrong = "the descriptor is no memory of that kind, or can be made shorter";
    else if (!(peek = os_map(s->fd, first)))
        wrong = strerror(ENOMEM);
    if (peek) {
        bool valid = atomic_load(&peek->magic) == MAGIC && peek->abi[ABI_TEXT - 1] == '\0';
        s->capacity = peek->capacity;
        s->ranks = peek->ranks;
        s->lent = peek->lent < len ? peek->lent : 0;
        err = abi_compare(valid ? peek->abi : NULL, whose);
        if (!err
            && (peek->len != len || s->capacity > MAX_SLOTS || head_len(s->capacity, s->ranks) > len
                || peek->job[NODE_NAME - 1]))
            wrong = "its head is wrong";
        os_unmap((void *) (uintptr_t) peek, first);
    }
    if (!wrong && !err && !(s->head = os_map(s->fd, len)))
        wrong = strerror(ENOMEM);
    s->len = len;
    if (!err && wrong)
        err = map_error(whose, wrong);
    if (err)
        segment_unmap(s);
    return err;
}

void segment_unmap(struct segment *s)
{
    if (s->head)
        os_unmap(s->head, s->len);
    if (s->fd >= 0)
        (void) close(s->fd);
    *s = (struct segment) { .fd = -1 };
}

void node_rewind(void)
{
    struct node_head *head = segment_own.head;
    size_t first = head_len(segment_own.capacity, segment_own.ranks);

    os_release(segment_own.fd, first, atomic_load(&head->used) - first);
    atomic_store(&head->used, first);
    for (int i = 0; i < SIZES; i++) {
        atomic_store(&head->free[i], 0);
        atomic_store(&head->given[i], 0);
    }
    atomic_store(&head->world, 0);
}
