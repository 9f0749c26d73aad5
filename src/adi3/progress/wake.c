/* wake.c — waking a process that sleeps.
 *
 * It is woken by its futex word or, when it sleeps in epoll, by a datagram to its wake-up
 * socket. */
#include <unistd.h>
#include "adi3/progress/progress_impl.h"

static int wake_fd = -1;

int sleep_wake_fd(void)
{
    char name[NODE_NAME];

    if (wake_fd < 0) {
        node_wake_name(name, &adi3_node, adi3_node.index);
        wake_fd = os_abstract_datagram(name, node_slot(adi3_node.index)->wake.word);
    }
    return wake_fd;
}

/* Wakes the process with this index in n, if it sleeps. */
static void sleeper_wake(const struct dev_node *n, int index)
{
    struct node_slot *s = node_slot_in(n, index);
    char name[NODE_NAME];

    switch ((enum dev_sleep) atomic_exchange(&s->asleep, DEV_AWAKE)) {
    case DEV_AWAKE:
        break;
    case DEV_ASLEEP:
        os_futex_wake(&s->asleep, OS_WAKE_ALL); /* two threads at most */
        break;
    case DEV_ASLEEP_EPOLL:
        node_wake_name(name, n, index);
        if (sleep_wake_fd() >= 0)
            os_abstract_poke(wake_fd, name, s->wake.word);
        break;
    }
}

void sleep_wake_self(void) { sleeper_wake(&adi3_node, adi3_node.index); }

void sleep_take_wakes(void)
{
    char waste[64];

    while (read(wake_fd, waste, sizeof waste) > 0)
        ;
}

int progress_init(void)
{
    adi3_node.wake = sleeper_wake;
    return async_check_setting();
}

void sleep_finalize(void)
{
    assert(adi3_lock_held());
    if (wake_fd >= 0)
        (void) close(wake_fd);
    wake_fd = -1;
}
