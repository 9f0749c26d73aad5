/* supervisor.c — mpiexec is two processes, so that one is left when the other is killed.
 *
 *     mpiexec (supervisor) ── starling-job ── ranks ── what the ranks start
 *
 * The supervisor is the process that the user has started: it forwards signals and returns the
 * exit code. Its child, the worker, does everything else. Both are child subreapers: a process
 * whose parent has ended becomes a child of starling-job. When starling-job is killed, it
 * becomes a child of the supervisor, which kills it. When the supervisor is killed, starling-job
 * finds the end of the pipe that signals arrive from, and ends the job. When both are killed at
 * once, the ranks still die (PDEATHSIG), but processes in sessions of their own stay.
 *
 * A supervisor that SIGTSTP has stopped does not see the end of starling-job. For that time it has
 * another child, which sees it and sends SIGCONT. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

enum { KILL_ALL_MS = 10000, RETRY_MS = 20, LINE_MS = 2500 };

static struct pm_pids earlier_children; /* a shell that calls "exec mpiexec" may have children */
static int unlisted;                    /* why children cannot be found: -errno; 0: they can */

/* Kills all children except earlier_children; true: a child was killed. */
static bool kill_children_once(void)
{
    static struct pm_pids now;
    bool any = false;

    unlisted = pm_children(&now);
    for (size_t i = 0; i < now.n; i++) {
        if (pm_pids_contain(&earlier_children, now.pid[i]))
            continue;
        (void) kill(now.pid[i], SIGKILL);
        any = true;
    }
    return any;
}

/* Kills all processes of the job. The children of a killed process become children of this one,
 * hence the loop. Process 1 of a container does nothing: its children may be of other programs,
 * and the kernel kills all of them when process 1 ends. */
void pm_kill_children(void)
{
    uint64_t end = os_time_ns() + KILL_ALL_MS * 1000000ull;
    const struct timespec again = { .tv_nsec = RETRY_MS * 1000000 };
    sigset_t child;

    (void) sigemptyset(&child);
    (void) sigaddset(&child, SIGCHLD);
    while (getpid() != 1 && kill_children_once() && os_time_ns() < end) {
        (void) sigtimedwait(&child, NULL, &again);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
    }
}

static void log_end(pid_t worker, const char *signal)
{
    if (unlisted)
        pm_log(
            "the process that ran the job (%d) was killed by %s; the ranks end, but processes that "
            "they have started may stay: the list of children in /proc cannot be read (%s)",
            (int) worker, signal, strerror(-unlisted));
    else
        pm_log("the process that ran the job (%d) was killed by %s; the job has been ended",
               (int) worker, signal);
}

/* Kills what the worker has left. The log line is dropped when its reader takes nothing until
 * LINE_MS after the end of the worker. */
static _Noreturn void worker_ended(pid_t worker, int status)
{
    struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };
    uint64_t end = os_time_ns() + LINE_MS * 1000000ull;

    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    pm_kill_children();
    uint64_t now = os_time_ns();
    if (poll(&p, 1, now < end ? (int) ((end - now) / 1000000) : 0) > 0)
        log_end(worker, pm_signal_name(WTERMSIG(status)));
    _exit(128 + WTERMSIG(status));
}

static void children_reap(pid_t worker)
{
    pid_t pid;
    int status;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == worker)
            worker_ended(worker, status);
}

/* The child of a stopped supervisor. The end of the worker closes the other end of the pipe. Then
 * this sends SIGCONT until it is killed, because the supervisor may not have stopped yet. */
static _Noreturn void supervisor_watch(pid_t supervisor, int pipe)
{
    struct pollfd p = { .fd = pipe };

    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == supervisor) {
        (void) poll(&p, 1, -1);
        (void) kill(supervisor, SIGCONT);
        (void) poll(NULL, 0, RETRY_MS);
    }
    _exit(0);
}

/* Stops this process until a SIGCONT arrives. */
static void supervisor_stop(int pipe)
{
    pid_t self = getpid(), watcher = fork();

    if (!watcher)
        supervisor_watch(self, pipe);
    (void) kill(self, SIGSTOP);
    if (watcher < 0)
        return;
    (void) kill(watcher, SIGKILL);
    (void) waitpid(watcher, NULL, 0);
}

static _Noreturn void worker_supervise(pid_t worker, int pipe, const sigset_t *handled)
{
    for (;;) {
        int signal = sigwaitinfo(handled, NULL);
        unsigned char byte = (unsigned char) signal;

        if (signal == SIGCHLD)
            children_reap(worker);
        else if (signal > 0)
            (void) !write(pipe, &byte, 1);
        if (signal == SIGTSTP) /* the worker stops the ranks, but not itself */
            supervisor_stop(pipe);
    }
}

/* Kernels with autogroups share the processor between sessions, not processes: beside a build in
 * the same terminal a job would get little. It becomes a session of its own, unless the user has
 * given it less or more than others by nice or chrt, which count only within a session. Its
 * processes then have no controlling terminal; the supervisor stays where it was, for the signals
 * of the terminal. */
static void leave_session(void)
{
    if (!access("/proc/self/autogroup", F_OK) && !getpriority(PRIO_PROCESS, 0)
        && sched_getscheduler(0) == SCHED_OTHER)
        (void) setsid();
}

bool pm_is_in_foreground(void)
{
    char path[64], text[512];
    int group = 0, of_terminal = -1;

    if (tcgetpgrp(STDIN_FILENO) == getpgrp())
        return true;
    (void) snprintf(path, sizeof path, "/proc/%d/stat", (int) getppid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        (void) close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strrchr(text, ')'); /* the end of the name, which may have any letters */
    return at && sscanf(at, ") %*c %*d %d %*d %*d %d", &group, &of_terminal) == 2
           && group == of_terminal;
}

/* Makes sure that "pkill -9 mpiexec", also with -f, kills only one of the two. */
static void change_name(char **argv)
{
    static const char name[] = "starling-job";
    char *end = argv[0];

    (void) prctl(PR_SET_NAME, name);
    for (char **a = argv; *a; a++)
        end = *a + strlen(*a);
    size_t room = (size_t) (end - argv[0]);
    memset(argv[0], 0, room);
    memcpy(argv[0], name, room < sizeof name - 1 ? room : sizeof name - 1);
}

/* When the supervisor dies, SIGCONT makes a stopped worker go on and find the end of the pipe. */
static int become_worker(char **argv, const int fd[2])
{
    (void) close(fd[1]);
    (void) prctl(PR_SET_CHILD_SUBREAPER, 1);
    (void) prctl(PR_SET_PDEATHSIG, SIGCONT);
    leave_session();
    change_name(argv);
    return fd[0];
}

int pm_supervise(char **argv, const sigset_t *handled)
{
    siginfo_t info;
    int fd[2];

    if (pipe2(fd, O_CLOEXEC))
        return -errno;
    if (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
        pm_children(&earlier_children);
    (void) prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t worker = fork();
    if (worker < 0)
        return -errno;
    if (!worker)
        return become_worker(argv, fd);
    (void) close(fd[0]);
    worker_supervise(worker, fd[1], handled);
}
