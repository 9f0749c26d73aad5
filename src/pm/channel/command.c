/* command.c — a program that mpiexec runs to have a proxy: its start, its lines and its end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "platform/os.h"
#include "pm/channel/pm_command.h"

enum { LOOK_MS = 5, KILLED_MS = 1000, NOT_EXECUTED = 127 };

/* ---- standard error -------------------------------------------------------------------------- */

size_t pm_command_skip(const char *line, size_t len)
{
    static const char start[] = "mpiexec: "; /* of a proxy */
    size_t skip = sizeof start - 1;

    return len >= skip && !memcmp(line, start, skip) ? skip : 0;
}

/* What a host or a login prints may be anything: NULs would end it. */
void pm_command_show(const char *host, const char *line, size_t len)
{
    size_t skip = pm_command_skip(line, len);
    char text[4096];

    len = len - skip < sizeof text ? len - skip : sizeof text - 1;
    memcpy(text, line + skip, len);
    pm_replace_controls(text, len);
    if (len)
        pm_log("host %s: %.*s", host, (int) len, text);
}

static void end_line(struct pm_command *c)
{
    pm_replace_controls(c->text, c->len);
    c->text[c->len] = '\0';
    c->len = 0;
    c->events.line(c->events.owner, c->text);
}

static void add_errors(struct pm_command *c, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n' || c->len == sizeof c->text - 1)
            end_line(c);
        if (bytes[i] != '\n' && bytes[i] != '\r')
            c->text[c->len++] = bytes[i];
    }
}

static void close_errors(struct pm_command *c)
{
    if (c->error_fd < 0)
        return;
    if (c->len)
        end_line(c);
    pm_loop_drop(c->error_fd);
    (void) close(c->error_fd);
    c->error_fd = -1;
    if (c->events.closed && c->pid > 0)
        c->events.closed(c->events.owner);
}

/* False when there is nothing to read now. */
static bool read_errors(struct pm_command *c)
{
    char bytes[4096];
    ssize_t n = c->error_fd < 0 ? -1 : read(c->error_fd, bytes, sizeof bytes);

    if (n > 0)
        add_errors(c, bytes, (size_t) n);
    else if (!n || (errno != EAGAIN && errno != EINTR))
        close_errors(c);
    return n > 0;
}

static void error_readable(struct pm_source *s)
{
    (void) read_errors(OS_OWNER(s, struct pm_command, error_readable));
}

/* ---- its end --------------------------------------------------------------------------------- */

void pm_command_describe(const char *what, int wait_status, char *text, size_t len)
{
    if (WIFSIGNALED(wait_status))
        (void) snprintf(text, len, "%s was killed by %s", what,
                        pm_signal_name(WTERMSIG(wait_status)));
    else
        (void) snprintf(text, len, "%s ended with %d", what, WEXITSTATUS(wait_status));
}

static uint64_t in_a_while(int ms) { return os_time_ns() + (uint64_t) ms * 1000000; }

static void command_exited(struct pm_command *c, int wait_status)
{
    c->pid = -1;
    c->give_up_ns = 0;
    while (read_errors(c))
        continue;
    close_errors(c);
    c->events.exited(c->events.owner, wait_status);
}

static void command_check_exit(struct pm_timer *t)
{
    struct pm_command *c = OS_OWNER(t, struct pm_command, exit_timer);
    int status = 0;

    if (c->pid <= 0)
        return;
    if (pm_child_has_ended(c->pid, &status)) {
        command_exited(c, status);
        return;
    }
    pm_timer_set(t, LOOK_MS, command_check_exit);
    if (os_time_ns() <= c->give_up_ns)
        return;
    if (c->killed) {
        pm_timer_clear(t);
        c->pid = -1;
        c->events.abandoned(c->events.owner);
        return;
    }
    (void) kill(c->pid, SIGKILL);
    c->killed = true;
    c->give_up_ns = in_a_while(KILLED_MS);
    c->events.overdue(c->events.owner);
}

void pm_command_wait(struct pm_command *c, int ms)
{
    if (c->pid <= 0 || c->give_up_ns)
        return;
    c->give_up_ns = in_a_while(ms);
    pm_timer_set(&c->exit_timer, 0, command_check_exit);
}

void pm_command_kill(struct pm_command *c, int signal)
{
    if (c->pid > 0)
        (void) kill(c->pid, signal);
}

/* ---- its start ------------------------------------------------------------------------------- */

static _Noreturn void command_execute(char *const *words, int in, int out, int errors, pid_t parent,
                                      const struct pm_signals *signals)
{
    (void) setpgid(0, 0);
    os_die_with_parent();
    if (getppid() != parent)
        _exit(NOT_EXECUTED);
    (void) dup2(in, STDIN_FILENO);
    (void) dup2(out < 0 ? errors : out, STDOUT_FILENO);
    (void) dup2(errors, STDERR_FILENO);
    (void) sigaction(SIGPIPE, &signals->sigpipe, NULL);
    (void) sigprocmask(SIG_SETMASK, &signals->mask, NULL);
    (void) execvp(words[0], words);
    (void) dprintf(STDERR_FILENO, "%s: %s\n", words[0], strerror(errno));
    _exit(NOT_EXECUTED);
}

/* The end of a new pipe for the command, or -errno. */
static int open_errors(struct pm_command *c)
{
    int fd[2];

    if (pipe2(fd, O_CLOEXEC))
        return -errno;
    c->error_readable.ready = error_readable;
    c->error_fd = fd[0];
    int err = os_set_nonblocking(fd[0]);
    if (!err)
        err = pm_loop_watch(fd[0], true, false, &c->error_readable);
    if (!err)
        return fd[1];
    (void) close(fd[1]);
    close_errors(c);
    return err;
}

char **pm_command_words(char *const *words)
{
    size_t n = 0;

    while (words && words[n])
        n++;
    char **to = calloc(n + 1, sizeof *to);
    for (size_t i = 0; to && i < n; i++)
        if (!(to[i] = strdup(words[i])))
            return NULL;
    return to;
}

void pm_command_init(struct pm_command *c, const struct pm_command_events *events)
{
    *c = (struct pm_command) { .events = *events, .pid = -1, .error_fd = -1 };
}

int pm_command_run(struct pm_command *c, char *const *words, int in, int out,
                   const struct pm_signals *signals)
{
    pid_t self = getpid();
    int errors = open_errors(c);

    if (errors < 0)
        return errors;
    c->killed = false;
    c->pid = fork();
    if (!c->pid)
        command_execute(words, in, out, errors, self, signals);
    int err = c->pid < 0 ? -errno : 0;
    (void) close(errors);
    if (err)
        close_errors(c);
    else
        pm_child_keep(c->pid);
    return err;
}
