/* share.c — memory that some processes of this node share beside their segments: for a window, for
 * a job, for a collective segment.
 *
 * The memory is a memfd of its own, so it is freed with its last mapping, stays valid for the other
 * processes when a process dies, and is kept when devices are opened again. Its maker accounts for
 * all of it before any process uses it. Each process reserves the part that it is going to use
 * most, near its core; or the memory is promised alone, and its pages are taken when they are
 * used. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "adi3/proc/node_segment.h"

enum { UNSEEN = 1 << 20 };
_Static_assert(UNSEEN <= NODE_HEADROOM / 4,
               "what is taken without a look does not fill what is spared");

/* Whether len bytes fit beside what is promised already. */
static int has_room(size_t len, uint64_t promised, uint64_t machine)
{
    uint64_t group = os_memory_room(), room = group < machine ? group : machine;

    if (room > NODE_HEADROOM && len <= room - NODE_HEADROOM
        && promised <= room - NODE_HEADROOM - len)
        return MPI_SUCCESS;
    const char *what = group < machine ? "the memory limit of this cgroup" : "this machine";
    if (!promised)
        return adi3_error(MPI_ERR_NO_MEM, "no %zu bytes of shared memory: %s has %llu left", len,
                          what, (unsigned long long) room);
    return adi3_error(MPI_ERR_NO_MEM,
                      "no %zu bytes of shared memory: %s has %llu left, of which other windows may "
                      "use %llu",
                      len, what, (unsigned long long) room, (unsigned long long) promised);
}

/* A look takes longer than it takes to make a small window: so small amounts add up first.
 * row: of the promise of these bytes; 0: there is none. */
static int look_for_room(size_t len, int row)
{
    static size_t unseen; /* bytes that were taken since the last look */

    assert(adi3_lock_held());
    if (len < UNSEEN - unseen) {
        unseen += len;
        return MPI_SUCCESS;
    }
    unseen = 0;
    return has_room(len, promise_sum(row), os_memory_free());
}

int node_room(size_t len) { return look_for_room(len, 0); }

static int shared_memory_error(size_t len, const char *what, int err)
{
    return adi3_error(err == -ENOMEM || err == -ENOSPC ? MPI_ERR_NO_MEM : MPI_ERR_OTHER,
                      "%s %zu bytes of shared memory: %s", what, len, strerror(-err));
}

static int create_share(size_t len, size_t now, struct node_share *s)
{
    *s = (struct node_share) { .len = len, .fd = -1 };
    s->fd = os_memfd("starling-share", len);
    if (s->fd < 0)
        return shared_memory_error(len, "making", s->fd);
    int err = os_reserve(s->fd, 0, now);
    if (!err && !(s->at = os_map(s->fd, len)))
        err = -ENOMEM;
    if (!err)
        return MPI_SUCCESS;
    node_share_drop(s);
    return shared_memory_error(len, "getting", err);
}

int node_share_create(size_t len, size_t used, size_t now, struct node_share *s)
{
    int err = node_room(used);

    *s = (struct node_share) { .len = len, .fd = -1 };
    if (!err)
        err = create_share(len, now, s);
    return err;
}

/* Enters the promise before the look for room: two processes that look at once see both
 * promises. */
int node_share_promise(size_t len, size_t used, size_t now, struct node_share *s)
{
    int err = create_share(len, now, s);

    if (err)
        return err;
    s->promised = promise_enter(used, s->fd);
    err = look_for_room(used, s->promised);
    if (err)
        node_share_drop(s);
    return err;
}

int node_share_expose(struct node_share *s)
{
    int err = share_socket_add(s->fd, &s->number);

    return err ? shared_memory_error(s->len, "offering", err) : MPI_SUCCESS;
}

int node_share_reserve(const struct node_share *s, size_t at, size_t len)
{
    assert(at <= s->len && len <= s->len - at);
    /* This process may be in another cgroup than the maker. */
    if (s->promised)
        return len < UNSEEN ? MPI_SUCCESS : has_room(len, 0, UINT64_MAX);
    int none = node_room(len);
    int err = none || !len ? 0 : os_reserve(s->fd, at, len);
    if (none)
        return none;
    return err ? shared_memory_error(len, "reserving", err) : MPI_SUCCESS;
}

int node_share_map(int fd, size_t len, struct node_share *s)
{
    size_t there = os_sealed_len(fd);

    assert(adi3_lock_held());
    *s = (struct node_share) { .len = len, .fd = -1 };
    if (there != len) {
        (void) close(fd);
        return adi3_error(MPI_ERR_OTHER,
                          there ? "shared memory has %zu bytes instead of %zu"
                                : "what was shared is no memory, or memory that can be made "
                                  "shorter (%zu of %zu bytes)",
                          there, len);
    }
    if (!(s->at = os_map(fd, len))) {
        (void) close(fd);
        return shared_memory_error(len, "mapping", -ENOMEM);
    }
    s->fd = fd;
    return MPI_SUCCESS;
}

int node_share_align(struct node_share *s, size_t align)
{
    if (((uintptr_t) s->at & (align - 1)) == 0)
        return MPI_SUCCESS;
    void *at = os_map_aligned(s->fd, s->len, align);
    if (!at)
        return adi3_error(MPI_ERR_NO_MEM, "no %zu bytes of addresses at a multiple of %zu", s->len,
                          align);
    os_unmap(s->at, s->len);
    s->at = at;
    return MPI_SUCCESS;
}

void node_share_withdraw(struct node_share *s)
{
    if (s->number)
        share_socket_remove(s->number);
    s->number = 0;
}

void node_share_close(struct node_share *s)
{
    assert(!s->promised);
    node_share_withdraw(s);
    if (s->fd >= 0)
        (void) close(s->fd);
    s->fd = -1;
}

void node_share_drop(struct node_share *s)
{
    node_share_withdraw(s);
    if (s->promised > 0)
        promise_leave(s->promised);
    if (s->at)
        os_unmap(s->at, s->len);
    if (s->fd >= 0)
        (void) close(s->fd);
    *s = (struct node_share) { .fd = -1 };
}
