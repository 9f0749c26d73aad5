/* command.c — the process that a channel goes through: ssh, or a proxy of this host.
 *
 * It is in a process group of its own, so that Ctrl-C reaches mpiexec alone, and dies with
 * mpiexec. When a proxy cannot be had, the last line on standard error and the exit code are the
 * cause. An sshd that is asked by many at once drops connections (MaxStartups): ssh is then
 * started again, a few times. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "log.h"
#include "os.h"
#include "pm_remote_impl.h"

enum {
    ATTEMPTS = 6,
    RETRY_MS = 250, /* before the second attempt; then twice as long each time */
    EXIT_MS = 1000, /* for the end of the command, when the channel has ended */
    LOOK_MS = 5,
    STARTS = 3,       /* a start may take that many times the time without answers */
    SSH_FAILED = 255, /* an exit code of ssh */
    NOT_EXECUTED = 127,
};

/* ---- standard error -------------------------------------------------------------------------- */

/* What a host or a login prints may be anything, and is not for the terminal of mpiexec. */
static char printable(char c) { return (unsigned char) c < ' ' && c != '\t' ? '?' : c; }

static void show(const struct pm_remote *r, const char *line, size_t len)
{
    static const char start[] = "mpiexec: "; /* of a proxy */
    size_t skip = sizeof start - 1;
    char text[4096];

    if (len >= skip && !memcmp(line, start, skip)) {
        line += skip;
        len -= skip;
    }
    len = len < sizeof text ? len : sizeof text - 1;
    for (size_t i = 0; i < len; i++)
        text[i] = printable(line[i]);
    if (len)
        pm_log("host %s: %.*s", r->host, (int) len, text);
}

/* While there is no channel, a line is shown when the next one comes: the last may be the cause. */
static void end_line(struct pm_remote *r)
{
    r->line[r->line_len] = '\0';
    r->line_len = 0;
    if (r->phase != PM_REMOTE_STARTS) {
        show(r, r->line, strlen(r->line));
    } else if (*r->line) {
        show(r, r->last, strlen(r->last));
        memcpy(r->last, r->line, sizeof r->last);
    }
}

static void add_errors(struct pm_remote *r, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n' || r->line_len == sizeof r->line - 1)
            end_line(r);
        if (bytes[i] != '\n' && bytes[i] != '\r')
            r->line[r->line_len++] = printable(bytes[i]);
    }
}

static void close_errors(struct pm_remote *r)
{
    if (r->error_fd < 0)
        return;
    if (r->line_len)
        end_line(r);
    pm_loop_drop(r->error_fd);
    (void) close(r->error_fd);
    r->error_fd = -1;
}

/* False when there is nothing to read now. */
static bool read_errors(struct pm_remote *r)
{
    char bytes[4096];
    ssize_t n = r->error_fd < 0 ? -1 : read(r->error_fd, bytes, sizeof bytes);

    if (n > 0)
        add_errors(r, bytes, (size_t) n);
    else if (!n || (errno != EAGAIN && errno != EINTR))
        close_errors(r);
    return n > 0;
}

static void error_readable(struct pm_source *s)
{
    (void) read_errors(OS_OWNER(s, struct pm_remote, error_readable));
}

/* ---- its end --------------------------------------------------------------------------------- */

static void describe_end(const struct pm_remote *r, int status, char *text, size_t len)
{
    const char *what = r->launcher ? r->launcher : "its proxy", *colon = *r->last ? ": " : "";

    if (WIFSIGNALED(status))
        (void) snprintf(text, len, "%s was killed by %s%s%s", what,
                        pm_signal_name(WTERMSIG(status)), colon, r->last);
    else
        (void) snprintf(text, len, "%s ended with %d%s%s", what, WEXITSTATUS(status), colon,
                        r->last);
}

/* Whether sshd may have dropped the connection because there were too many. */
static bool was_dropped(const struct pm_remote *r, int status)
{
    static const char *const text[] = { "kex_exchange_identification",
                                        "ssh_exchange_identification", "Connection reset by",
                                        "Connection closed by" };
    bool found = false;

    if (!r->launcher || strcmp(r->launcher, "ssh") != 0)
        return false;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        found |= strstr(r->last, text[i]) != NULL;
    return r->phase == PM_REMOTE_STARTS && r->attempts < ATTEMPTS && WIFEXITED(status)
           && WEXITSTATUS(status) == SSH_FAILED && found;
}

static void start_again(struct pm_timer *t)
{
    struct pm_remote *r = OS_OWNER(t, struct pm_remote, start_timer);

    if (r->phase != PM_REMOTE_STARTS)
        return;
    *r->last = '\0';
    int err = pm_command_start(r);
    if (err)
        pm_remote_lose(r, "%s cannot be started: %s", r->command[0], strerror(-err));
}

static void finish(struct pm_remote *r)
{
    if (r->ended || r->pid > 0)
        return;
    r->ended = true;
    r->events.node.ended(r->events.node.owner);
}

static void exited(struct pm_remote *r, int status)
{
    char text[PM_LINE_OF_COMMAND + 128];

    r->pid = -1;
    r->give_up_ns = 0;
    while (read_errors(r))
        continue;
    close_errors(r);
    if (was_dropped(r, status)) {
        pm_timer_set(&r->start_timer, RETRY_MS << (r->attempts - 1), start_again);
        return;
    }
    describe_end(r, status, text, sizeof text);
    pm_remote_lose(r, "%s", text);
    finish(r);
}

static uint64_t in_a_while(void) { return os_time_ns() + EXIT_MS * 1000000ull; }

/* It has not ended in time: kills it, and the next time does without its end. */
static void give_up(struct pm_remote *r)
{
    (void) kill(r->pid, SIGKILL);
    r->give_up_ns = in_a_while();
    if (r->killed)
        r->pid = -1;
    r->killed = true;
    pm_remote_lose(r, "the channel to its proxy has been closed");
}

static void look(struct pm_timer *t)
{
    struct pm_remote *r = OS_OWNER(t, struct pm_remote, exit_timer);
    int status = 0;

    if (r->pid > 0 && waitpid(r->pid, &status, WNOHANG) == r->pid) {
        exited(r, status);
        return;
    }
    if (r->pid > 0 && os_time_ns() > r->give_up_ns)
        give_up(r);
    if (r->pid > 0)
        pm_timer_set(t, LOOK_MS, look);
    else
        finish(r);
}

static void wait_for_end(struct pm_remote *r)
{
    if (r->give_up_ns)
        return;
    r->give_up_ns = in_a_while();
    pm_timer_set(&r->exit_timer, 0, look);
}

/* A command that has no proxy yet, or a node that is lost, has nothing to finish. A proxy whose
 * channel ends, ends. */
void pm_command_leave(struct pm_remote *r)
{
    pm_timer_clear(&r->start_timer);
    pm_channel_close(r->channel);
    if (r->pid > 0 && r->phase == PM_REMOTE_LOST && r->launcher)
        (void) kill(r->pid, SIGTERM);
    wait_for_end(r);
}

/* ---- its start ------------------------------------------------------------------------------- */

/* The first frame tells the proxy what it needs to know, then come those that waited for it. */
static void on_greeted(void *owner)
{
    struct pm_remote *r = owner;
    char here[4096] = ""; /* it has been removed */
    struct pm_frame f;
    ssize_t n;

    r->phase = PM_REMOTE_RUNS;
    pm_timer_clear(&r->start_timer);
    show(r, r->last, strlen(r->last));
    *r->last = '\0';
    pm_channel_beat(r->channel, r->timeout_ms);
    (void) !getcwd(here, sizeof here);
    pm_remote_send(r, &(struct pm_frame) { .kind = PM_FRAME_HELLO,
                                           .number = PM_CHANNEL_VERSION,
                                           .value = r->timeout_ms,
                                           .bytes = here,
                                           .len = strlen(here) });
    while ((n = pm_frame_get(&r->early, false, &f)) > 0) {
        pm_remote_send(r, &f);
        pm_bytes_take(&r->early, (size_t) n);
    }
    if (n < 0)
        pm_remote_lose(r, "the programs, their arguments and environments are too long");
    pm_bytes_free(&r->early);
}

static void on_noise(void *owner, const char *line, size_t len) { show(owner, line, len); }

static void on_channel_ended(void *owner, const char *why)
{
    struct pm_remote *r = owner;

    if (why)
        pm_remote_lose(r, "its proxy %s", why);
    else
        wait_for_end(r); /* it knows why */
}

static void too_late(struct pm_timer *t)
{
    struct pm_remote *r = OS_OWNER(t, struct pm_remote, start_timer);

    pm_remote_lose(r, "its proxy has not answered for %g s%s%s", STARTS * r->timeout_ms / 1000.0,
                   *r->last ? ": " : "", r->last);
}

static _Noreturn void execute(const struct pm_remote *r, int channel, int errors, pid_t parent)
{
    (void) setpgid(0, 0);
    os_die_with_parent();
    if (getppid() != parent)
        _exit(NOT_EXECUTED);
    (void) dup2(channel, STDIN_FILENO);
    (void) dup2(channel, STDOUT_FILENO);
    (void) dup2(errors, STDERR_FILENO);
    (void) sigaction(SIGPIPE, &r->signals.sigpipe, NULL);
    (void) sigprocmask(SIG_SETMASK, &r->signals.mask, NULL);
    (void) execvp(r->command[0], r->command);
    (void) dprintf(STDERR_FILENO, "%s: %s\n", r->command[0], strerror(errno));
    _exit(NOT_EXECUTED);
}

/* Forks with the other end of a new channel: channel[1]. */
static int run(struct pm_remote *r, const int channel[2], int errors)
{
    const struct pm_channel_events events = { r, on_greeted, on_noise, pm_remote_frame,
                                              on_channel_ended };
    struct pm_channel *c = pm_channel_to_proxy(channel[0], channel[0], &events);
    pid_t self = getpid();

    if (!c) {
        (void) close(channel[0]);
        return -errno;
    }
    if (r->channel)
        pm_channel_free(r->channel);
    r->channel = c;
    r->pid = fork();
    if (!r->pid)
        execute(r, channel[1], errors, self);
    if (r->pid > 0)
        return 0;
    int err = -errno;
    pm_channel_close(c);
    return err;
}

/* The end of a new pipe for the command, or -errno. */
static int open_errors(struct pm_remote *r)
{
    int fd[2];

    if (pipe2(fd, O_CLOEXEC))
        return -errno;
    r->error_readable.ready = error_readable;
    r->error_fd = fd[0];
    int err = os_set_nonblocking(fd[0]);
    if (!err)
        err = pm_loop_watch(fd[0], true, false, &r->error_readable);
    if (!err)
        return fd[1];
    (void) close(fd[1]);
    return err;
}

int pm_command_start(struct pm_remote *r)
{
    int channel[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel))
        return -errno;
    int errors = open_errors(r), err = errors < 0 ? errors : run(r, channel, errors);
    (void) close(channel[1]);
    if (errors >= 0)
        (void) close(errors);
    else
        (void) close(channel[0]);
    if (err)
        close_errors(r);
    else if (r->timeout_ms)
        pm_timer_set(&r->start_timer, STARTS * r->timeout_ms, too_late);
    r->attempts++;
    return err;
}
