/* promise.c — shared memory of the node that has been promised and that no process has touched yet.
 *
 * A window takes no page before the program uses it, as memory of malloc(), so that memory still
 * counts as free. For it not to be promised twice, the maker of each such memory has a row in the
 * node's segment. What has been touched meanwhile is no longer free: the kernel tells how much of
 * each memory that is, when a process looks. */
#include <unistd.h>
#include "adi3/proc/node_segment.h"

int promise_enter(uint64_t bytes, int fd)
{
    struct node_head *head = segment_own.head;

    assert(adi3_lock_held());
    if (!head || os_memory_is_strict())
        return 0;
    for (int i = 0; i < NODE_PROMISES; i++) {
        struct node_promise *p = &head->promise[i];
        uint32_t none = 0;
        if (!atomic_compare_exchange_strong(&p->owner, &none, (uint32_t) adi3_node.index + 1))
            continue;
        p->pid = (int32_t) getpid();
        p->fd = fd;
        p->file = os_file_number(fd);
        atomic_store(&p->bytes, bytes);
        return i + 1;
    }
    return 0;
}

void promise_leave(int row)
{
    struct node_promise *p = &segment_own.head->promise[row - 1];

    atomic_store(&p->bytes, 0);
    atomic_store(&p->owner, 0);
}

/* Where a process may not look into the maker, all counts as untouched while that lives. */
static uint64_t untouched_bytes(const struct node_promise *p)
{
    uint64_t bytes = atomic_load(&p->bytes), owner = atomic_load(&p->owner);
    uint64_t touched = bytes ? os_file_bytes(p->pid, p->fd, p->file) : 0;

    if (bytes && !touched && owner && owner != (uint64_t) adi3_node.index + 1
        && !segment_alive(&adi3_node, (int) owner - 1))
        return 0;
    return bytes > touched ? bytes - touched : 0;
}

uint64_t promise_sum(int except)
{
    const struct node_head *head = segment_own.head;
    uint64_t sum = 0;

    for (int i = 0; head && i < NODE_PROMISES; i++)
        sum += i + 1 == except ? 0 : untouched_bytes(&head->promise[i]);
    return sum;
}
