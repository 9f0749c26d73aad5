/* elect.c — which process makes the node's segment, in memory that all processes of the job have.
 *
 * It is the one that locks a byte of that memory first. The others wait for the lock, and find the
 * magic number of a made segment when they get it. The kernel releases the lock of a process that
 * dies: then the next one finds no magic number, and makes the segment. */
#include <unistd.h>
#include "adi3/proc/node_segment.h"

enum { ELECTION = 1 << 20 }; /* the byte, behind those of slots and guests */

/* Reads the number without a mapping: most processes come when the segment is made, and this is
 * their only system call here. */
static bool is_made(const struct segment *s)
{
    uint32_t magic = 0;
    ssize_t n = pread(s->fd, &magic, sizeof magic, offsetof(struct node_head, magic));

    atomic_thread_fence(memory_order_acquire);
    return n == sizeof magic && magic == MAGIC;
}

int segment_elect(const struct segment *s)
{
    if (is_made(s))
        return 0;
    int err = os_lock_byte_wait(s->fd, ELECTION);
    if (err)
        return err;
    if (!is_made(s))
        return 1;
    segment_elected(s);
    return 0;
}

void segment_elected(const struct segment *s) { os_unlock_byte(s->fd, ELECTION); }

int node_lock(void) { return os_lock_byte_wait(segment_own.fd, ELECTION); }
void node_unlock(void) { segment_elected(&segment_own); }
