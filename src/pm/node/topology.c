/* topology.c — asks starling_topo, a program in the directory of mpiexec, what machine this is.
 *
 * The node waits for it, some milliseconds. A program that hangs is killed. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

enum { WAIT_S = 10, TEXT_MAX = 1 << 20, NS_PER_MS = 1000000 };

extern char **environ;

struct asked {
    char path[OS_PATH];
    int out[2]; /* a pipe from its standard output */
    int err;    /* memory that its standard error goes to */
    pid_t pid;
    uint64_t deadline_ns;
    char why[OS_PATH + 256];
};

/* The program is found by the path of this one, which may be static. */
static bool topology_find_program(char *path, size_t len)
{
    ssize_t n = readlink("/proc/self/exe", path, len - sizeof "starling_topo");
    char *slash = n > 0 ? memrchr(path, '/', (size_t) n) : NULL;

    if (slash)
        memcpy(slash + 1, "starling_topo", sizeof "starling_topo");
    return slash;
}

static int topology_spawn(struct asked *a, const struct pm_node *n)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t usual;
    char *argv[] = { a->path, NULL };

    (void) sigemptyset(&usual);
    (void) sigaddset(&usual, SIGPIPE);
    int err = posix_spawn_file_actions_init(&files);
    if (err)
        return err;
    err = posix_spawnattr_init(&attributes);
    if (!err) {
        short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        (void) posix_spawnattr_setflags(&attributes, flags);
        (void) posix_spawnattr_setsigmask(&attributes, &n->signals.mask);
        (void) posix_spawnattr_setsigdefault(&attributes, &usual);
        err = posix_spawn_file_actions_adddup2(&files, n->null_fd, STDIN_FILENO);
        if (!err)
            err = posix_spawn_file_actions_adddup2(&files, a->out[1], STDOUT_FILENO);
        if (!err)
            err = posix_spawn_file_actions_adddup2(&files, a->err, STDERR_FILENO);
        if (!err)
            err = posix_spawn(&a->pid, a->path, &files, &attributes, argv, environ);
        (void) posix_spawnattr_destroy(&attributes);
    }
    (void) posix_spawn_file_actions_destroy(&files);
    return err;
}

static int left_ms(const struct asked *a)
{
    uint64_t now = os_time_ns();

    return now < a->deadline_ns ? (int) ((a->deadline_ns - now) / NS_PER_MS) + 1 : 0;
}

/* Reads all output of starling_topo, and ends the text with NUL. */
static int read_text(const struct asked *a, char *text)
{
    struct pollfd p = { .fd = a->out[0], .events = POLLIN };

    for (size_t len = 0; len < TEXT_MAX;) {
        int ready = poll(&p, 1, left_ms(a));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return ready ? -errno : -ETIMEDOUT;
        ssize_t got = read(a->out[0], text + len, TEXT_MAX - len);
        if (got < 0)
            return -errno;
        if (!got) {
            text[len] = '\0';
            return 0;
        }
        len += (size_t) got;
    }
    return -EFBIG;
}

/* Waits for its end. False: it had to be killed. */
static bool wait_end(const struct asked *a, bool kill_now, int *status)
{
    for (; !kill_now && left_ms(a); os_sleep_ns(NS_PER_MS))
        if (waitpid(a->pid, status, WNOHANG) == a->pid)
            return true;
    (void) kill(a->pid, SIGKILL);
    while (waitpid(a->pid, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

/* Why starling_topo failed: its output, or how it ended. */
static void topology_explain(struct asked *a, int status)
{
    ssize_t n = pread(a->err, a->why, sizeof a->why - 1, 0);

    a->why[n > 0 ? n : 0] = '\0';
    a->why[strcspn(a->why, "\n")] = '\0';
    if (*a->why)
        return;
    (void) snprintf(a->why, sizeof a->why, "%s ended with %s %d", a->path,
                    WIFSIGNALED(status) ? "signal" : "exit code",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Runs the program. A negative errno, or -ECHILD: a->why says what is wrong. */
static int topology_run_program(struct asked *a, const struct pm_node *n, char *text)
{
    int err = topology_spawn(a, n), status;

    (void) close(a->out[1]);
    if (err)
        return -err;
    err = read_text(a, text);
    if (!wait_end(a, err < 0, &status) && !err)
        err = -ETIMEDOUT;
    if (err)
        return err;
    if (WIFEXITED(status) && !WEXITSTATUS(status))
        return 0;
    topology_explain(a, status);
    return -ECHILD;
}

static int topology_query(struct asked *a, const struct pm_node *n, char *text)
{
    a->err = os_memfd_empty("starling_topo");
    if (a->err < 0)
        return a->err;
    int err = pipe2(a->out, O_CLOEXEC) ? -errno : 0;
    if (!err) {
        err = topology_run_program(a, n, text);
        (void) close(a->out[0]);
    }
    (void) close(a->err);
    return err;
}

char *pm_ask_topology(const struct pm_node *n, const char *host)
{
    struct asked a = { .deadline_ns = os_time_ns() + WAIT_S * 1000000000ull };
    char *text = malloc(TEXT_MAX);
    int err = !text                                          ? -ENOMEM
              : topology_find_program(a.path, sizeof a.path) ? topology_query(&a, n, text)
                                                             : -errno;

    if (!err)
        return text;
    if (err == -ETIMEDOUT)
        (void) snprintf(a.why, sizeof a.why, "%s has not ended after %d s", a.path, WAIT_S);
    else if (err != -ECHILD)
        (void) snprintf(a.why, sizeof a.why, "%s: %s", a.path, strerror(-err));
    pm_log("cannot examine the CPUs of %s, to bind ranks to them: %s", host, a.why);
    free(text);
    return NULL;
}
