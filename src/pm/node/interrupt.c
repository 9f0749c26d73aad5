/* interrupt.c — the signals that come to the two processes of mpiexec or of a proxy.
 *
 * The supervisor passes on what it receives. A signal that asks to end may reach both processes, as
 * Ctrl-C does, and one of them twice: timeout(1) signals its child and then its own group, systemd
 * sends SIGTERM and SIGHUP. It counts once all the same, because a second one means "at once". */
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "pm/node/loop.h"
#include "platform/os.h"
#include "pm/node/supervisor.h"

enum { SAME_MS = 200, ALONE_MS = 500, NS_PER_MS = 1000000 };

static struct {
    struct pm_signal_events events;
    int pipe, own_fd; /* signals to the supervisor, a byte each; and to this process */
    struct pm_source passed_on, own;
    struct pm_timer alone; /* set while the supervisor may still pass on the same signal */
    int own_signal;
    uint64_t last_ns; /* when the last one that asks to end came */
} signals;

static bool asks_to_end(int signal)
{
    return signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

static bool came_within(int ms)
{
    return signals.last_ns && os_time_ns() - signals.last_ns < (uint64_t) ms * NS_PER_MS;
}

static void receive_signal(int signal)
{
    if (asks_to_end(signal)) {
        pm_timer_clear(&signals.alone);
        if (came_within(SAME_MS))
            return;
        signals.last_ns = os_time_ns();
    }
    signals.events.received(signal);
}

static void passed_on(struct pm_source *s)
{
    unsigned char signal[16];
    ssize_t n = read(signals.pipe, signal, sizeof signal);

    (void) s;
    for (ssize_t i = 0; i < n; i++)
        receive_signal(signal[i]);
    if (n)
        return;
    pm_loop_drop(signals.pipe);
    signals.events.supervisor_ended();
}

static void is_alone(struct pm_timer *t)
{
    (void) t;
    receive_signal(signals.own_signal);
}

static void own_signaled(struct pm_source *s)
{
    struct signalfd_siginfo info;

    (void) s;
    if (read(signals.own_fd, &info, sizeof info) != sizeof info || came_within(ALONE_MS))
        return;
    signals.own_signal = (int) info.ssi_signo;
    pm_timer_set(&signals.alone, ALONE_MS, is_alone);
}

int pm_signals_watch(int pipe, const struct pm_signal_events *events)
{
    sigset_t end;

    signals.events = *events;
    signals.pipe = pipe;
    signals.passed_on.ready = passed_on;
    signals.own.ready = own_signaled;
    (void) sigemptyset(&end);
    for (int i = 1; i < NSIG; i++)
        if (asks_to_end(i))
            (void) sigaddset(&end, i);
    signals.own_fd = signalfd(-1, &end, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals.own_fd < 0)
        return -errno;
    int err = pm_loop_watch(signals.own_fd, true, false, &signals.own);
    if (!err)
        err = pm_loop_watch(pipe, true, false, &signals.passed_on);
    return err;
}
