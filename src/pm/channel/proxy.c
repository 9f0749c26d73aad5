/* proxy.c — a proxy: starts a node, and connects its commands and events to the channel.
 *
 * It is two processes, as mpiexec is (supervisor.c): when one is killed, the other ends the ranks.
 * When the channel ends, or frames do not come for too long, it kills the ranks at once: mpiexec is
 * gone, or cannot be reached and gives up as well. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "platform/os.h"
#include "pm/channel/pm_proxy.h"
#include "pm/channel/pm_proxy_impl.h"

static int signal_pipe;

static void on_channel_ended(void *owner, const char *why)
{
    (void) owner, (void) why;
    pm_proxy_end_alone();
}

static void log_line(const char *line, size_t len)
{
    pm_proxy_send(&(struct pm_frame) { .kind = PM_FRAME_LOG, .bytes = line, .len = len });
}

/* A signal to the proxy itself. The first that asks it to end goes to mpiexec, which ends the ranks
 * of all nodes; one that comes again ends this node. */
static void signal_received(int signal)
{
    static bool told;
    char why[64];

    switch (signal) {
    case SIGTSTP:
    case SIGCONT:
    case SIGUSR1:
    case SIGUSR2:
    case SIGWINCH:
        pm_node_signal(pm_own_proxy.node, PM_ALL_JOBS, signal);
        return;
    }
    if (pm_own_proxy.greeted && !told) {
        told = true;
        pm_proxy_send(&(struct pm_frame) { .kind = PM_FRAME_SIGNALED, .number = signal });
        return;
    }
    (void) snprintf(why, sizeof why, "its proxy has received %s", pm_signal_name(signal));
    pm_proxy_fail(why);
}

static void supervisor_ended(void) { pm_proxy_fail("its proxy was killed"); }

/* No process that is started gets them, and nothing else is written there. */
int pm_take_channel(int *in, int *out)
{
    int null = pm_open_null();

    *in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    *out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (null < 0 || *in < 0 || *out < 0)
        return -errno;
    if (dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
        return -errno;
    (void) close(null);
    return 0;
}

/* The connection to mpiexec, and its seal. */
static int call_owner(int *fd, struct pm_seal **seal)
{
    char why[256], host[256];

    *fd = pm_call(seal, why, sizeof why);
    if (*fd >= 0)
        return 0;
    os_hostname(host, sizeof host);
    pm_log("host %s: its proxy %s", host, why);
    return *fd;
}

static int open_all(const struct pm_signals *signals, bool calls, const char *version)
{
    const struct pm_channel_events events = { &pm_own_proxy, NULL, NULL, pm_proxy_command,
                                              on_channel_ended };
    struct pm_node_events of_node = pm_proxy_events;
    struct pm_seal *seal = NULL;
    int in, out, fd = -1, err = pm_loop_open();

    if (!err && calls)
        err = call_owner(&fd, &seal);
    if (!err)
        err = pm_take_channel(&in, &out);
    if (!err && calls) {
        (void) close(in);
        (void) close(out);
        in = out = fd;
    }
    if (err)
        return err;
    of_node.owner = &pm_own_proxy;
    pm_own_proxy.node = pm_node_create(&of_node, signals);
    if (!pm_own_proxy.node)
        return -errno;
    pm_own_proxy.channel = pm_channel_to_owner(in, out, seal, version, &events);
    if (!pm_own_proxy.channel)
        return -errno;
    pm_log_to(log_line);
    return pm_signals_watch(signal_pipe,
                            &(struct pm_signal_events) { signal_received, supervisor_ended });
}

int pm_proxy(char **argv, bool calls, const char *version)
{
    struct pm_signals signals;
    sigset_t handled;
    int err = pm_signals_block(&signals, &handled);

    if (!err)
        signal_pipe = err = pm_supervise(argv, &handled);
    if (err >= 0)
        err = open_all(&signals, calls, version);
    if (err) {
        pm_log_to(NULL);
        pm_log("the proxy cannot run: %s", strerror(-err));
        return 1;
    }
    while (!pm_own_proxy.ended || !pm_channel_sent_all(pm_own_proxy.channel))
        pm_loop_once(true);
    return pm_own_proxy.alone;
}
