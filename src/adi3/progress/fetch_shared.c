/* fetch_shared.c — this process's share socket as a source of progress, and descriptors that are
 * fetched from those of others. */
#include <errno.h>
#include <unistd.h>
#include "adi3/progress/progress_impl.h"

enum { PATIENCE_S = 20, PAUSE_NS = 20000, PAUSES_ALIKE = 50, DOUBLINGS_MOST = 6 };

struct progress_source progress_share_socket = { .name = "share socket",
                                                 .poll = share_socket_poll,
                                                 .wait_fd = share_socket_fd };

void progress_share_socket_closed(void)
{
    if (share_socket_fd() < 0)
        progress_unwant(&progress_share_socket);
}

static void sleep_unlocked(uint64_t ns)
{
    if (adi3_threads)
        adi3_unlock();
    os_sleep_ns(ns);
    if (adi3_threads)
        adi3_lock();
}

void progress_pause(void)
{
    if (!progress_poll())
        sleep_unlocked(PAUSE_NS);
}

void progress_pause_longer(unsigned *pauses)
{
    unsigned doublings = *pauses / PAUSES_ALIKE;

    if (progress_poll()) {
        *pauses = 0;
        return;
    }
    sleep_unlocked((uint64_t) PAUSE_NS << doublings);
    if (doublings < DOUBLINGS_MOST)
        ++*pauses;
}

int progress_fetch_shared(uint64_t share_socket, uint64_t number)
{
    uint64_t end = os_time_ns() + PATIENCE_S * 1000000000ull;
    int s, fd = -EAGAIN;

    while ((s = share_socket_request(share_socket, number)) == -EAGAIN && os_time_ns() < end)
        progress_pause();
    while (s >= 0 && (fd = share_socket_receive(s)) == -EAGAIN && os_time_ns() < end)
        progress_pause();
    if (s >= 0 && fd == -EAGAIN)
        (void) close(s);
    return s < 0 ? s : fd;
}
