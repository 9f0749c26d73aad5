/* guardian.c — a tiny process that ends the ranks when mpiexec is killed and cannot do it.
 *
 * The kernel kills the ranks themselves (PDEATHSIG), but not what they have started. The
 * guardian reads a pipe whose other end only mpiexec has, and each new rank until it calls exec,
 * when it notes its process group. The end of the pipe means that mpiexec is dead. A guardian
 * that is killed itself is replaced. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "job.h"
#include "os.h"

enum { PASSES = 5, PASS_NS = 100000000 };

static void close_all_but(int keep)
{
    DIR *d = opendir("/proc/self/fd");
    struct dirent *e;

    while (d && (e = readdir(d))) {
        int fd = (int) strtol(e->d_name, NULL, 10);
        if (e->d_name[0] != '.' && fd != keep && fd != dirfd(d))
            (void) close(fd);
    }
    if (d)
        (void) closedir(d);
}

/* More than once: a process may have been about to join its group. */
static void kill_groups(const pid_t *group, int size)
{
    for (int pass = 0; pass < PASSES; pass++) {
        bool any = false;
        for (int i = 0; i < size; i++)
            any |= group[i] > 0 && !kill(-group[i], SIGKILL);
        if (!any)
            return;
        os_sleep_ns(PASS_NS);
    }
}

/* pkill -9 mpiexec, also with -f, is a reason for the guardian to exist and must not find it. */
static void change_name(char **argv)
{
    static const char name[] = "starling-guard";
    size_t room = strlen(argv[0]) + 1;

    (void) prctl(PR_SET_NAME, name);
    for (char **a = argv; *a; a++)
        memset(*a, 0, strlen(*a));
    memcpy(argv[0], name, room < sizeof name ? room - 1 : sizeof name);
}

static _Noreturn void guard(const struct pm_job *j, const int fd[2])
{
    int size = j->size;
    pid_t *group = calloc((size_t) size, sizeof *group);
    struct pm_note note[64];
    ssize_t n;

    (void) setsid(); /* no signals from the terminal */
    change_name(j->argv);
    (void) close(fd[1]); /* without /proc at least this one */
    close_all_but(fd[0]);
    (void) !chdir("/");
    while (group && ((n = read(fd[0], note, sizeof note)) > 0 || (n < 0 && errno == EINTR)))
        for (ssize_t i = 0; i < n / (ssize_t) sizeof *note; i++)
            if (note[i].rank >= 0 && note[i].rank < size)
                group[note[i].rank] = note[i].group;
    if (group)
        kill_groups(group, size);
    _exit(0);
}

/* mpiexec's signals are blocked already, and those that are not are ones it does not handle. */
static pid_t create(const struct pm_job *j, const int fd[2])
{
    sigset_t all, before;

    (void) sigfillset(&all);
    (void) sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (!pid)
        guard(j, fd);
    int err = errno;
    (void) sigprocmask(SIG_SETMASK, &before, NULL);
    return pid < 0 ? -err : pid;
}

int pm_guardian_start(struct pm_job *j)
{
    int fd[2];

    if (j->guardian_pipe >= 0)
        (void) close(j->guardian_pipe);
    j->guardian_pipe = -1;
    if (pipe2(fd, O_CLOEXEC))
        return -errno;
    j->guardian = create(j, fd);
    (void) close(fd[0]);
    if (j->guardian < 0) {
        (void) close(fd[1]);
        return j->guardian;
    }
    j->guardian_pipe = fd[1];
    for (int i = 0; i < j->started; i++) {
        struct pm_note note = { i, j->rank[i].pid };
        if (j->rank[i].life == PM_RUNS || j->rank[i].life == PM_SURVIVED)
            (void) !write(fd[1], &note, sizeof note);
    }
    return 0;
}

void pm_guardian_forget(struct pm_job *j, int rank)
{
    struct pm_note note = { rank, 0 };

    (void) !write(j->guardian_pipe, &note, sizeof note);
}

/* All groups are gone, or not to be killed. */
void pm_guardian_end(struct pm_job *j)
{
    if (j->guardian > 0) {
        (void) kill(j->guardian, SIGKILL);
        (void) waitpid(j->guardian, NULL, 0);
    }
}
