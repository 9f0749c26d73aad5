/* epoll.c — waits for descriptors, and a descriptor of a time. */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include "platform/os.h"

int os_epoll(void) { return os_new_fd(epoll_create1(EPOLL_CLOEXEC)); }

int os_epoll_set(int epoll, int fd, bool readable, bool writable, void *data)
{
    struct epoll_event e = { .events = (readable ? (uint32_t) EPOLLIN : 0)
                                       | (writable ? (uint32_t) EPOLLOUT : 0),
                             .data.ptr = data };

    if (!epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &e) || !epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e))
        return 0;
    return -errno;
}

void os_epoll_drop(int epoll, int fd) { (void) epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL); }

int os_epoll_wait(int epoll, void **data, int max, int timeout_ms)
{
    struct epoll_event e[64];
    int n = epoll_wait(epoll, e, max < 64 ? max : 64, timeout_ms);

    for (int i = 0; i < n; i++)
        data[i] = e[i].data.ptr;
    return n < 0 ? -errno : n;
}

int os_timer(void)
{
    return os_new_fd(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
}

/* To the kernel a time of 0 means never. */
void os_timer_set(int timer, uint64_t at)
{
    uint64_t ns = at == UINT64_MAX ? 0 : at ? at : 1;
    const struct itimerspec t = { .it_value = { (time_t) (ns / 1000000000),
                                                (long) (ns % 1000000000) } };

    (void) timerfd_settime(timer, TFD_TIMER_ABSTIME, &t, NULL);
}
