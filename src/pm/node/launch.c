/* launch.c — starts one process.
 *
 * The cost of vfork does not depend on the size of mpiexec. vfork also stops the parent until
 * the child has called exec or has failed, so that the child can store the error in the memory
 * of the parent. Before exec the child only makes system calls. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

enum { NOT_STARTED = 127 }; /* the exit code of a shell for this */

static _Noreturn void launch_fail(struct pm_launch *l, const char *what)
{
    l->error = errno;
    l->failed = what;
    _exit(NOT_STARTED);
}

static void move_descriptor(struct pm_launch *l, int from, int to)
{
    int failed = from == to ? fcntl(to, F_SETFD, 0) : dup2(from, to);

    if (failed < 0)
        launch_fail(l, "its descriptors");
}

/* A program in machine code, which no shell should read as a script. Keeps errno. */
static bool is_elf(const char *file)
{
    char start[SELFMAG] = "";
    int why = errno, fd = open(file, O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        (void) !read(fd, start, sizeof start);
        (void) close(fd);
    }
    errno = why;
    return !memcmp(start, ELFMAG, SELFMAG);
}

/* The descriptors of mpiexec are close-on-exec; those that a rank needs are duplicated here. */
static _Noreturn void launch_run_child(struct pm_launch *l)
{
    if (setpgid(0, 0))
        launch_fail(l, "its process group");
    os_die_with_parent();
    if (getppid() != l->parent) /* the parent died before PDEATHSIG was set */
        _exit(NOT_STARTED);
    (void) setrlimit(RLIMIT_NOFILE, l->nofile);
    if (l->bound && sched_setaffinity(0, sizeof l->cpus, (const cpu_set_t *) &l->cpus))
        l->unbound = errno;
    if (l->wdir && chdir(l->wdir))
        launch_fail(l, l->wdir);
    for (int i = 0; i < 3; i++)
        move_descriptor(l, l->fd[i], i);
    move_descriptor(l, l->pmi, l->pmi_number);
    (void) sigaction(SIGPIPE, &l->signals->sigpipe, NULL);
    (void) sigprocmask(SIG_SETMASK, &l->signals->mask, NULL);
    (void) execve(l->file, l->argv, l->environ);
    if (errno == ENOEXEC && !is_elf(l->file)) /* a script without "#!", as execvp would treat it */
        (void) execve("/bin/sh", l->shell_argv, l->environ);
    launch_fail(l, l->file);
}

pid_t pm_launch(struct pm_launch *l)
{
    l->error = l->unbound = 0;
    pid_t pid = vfork();
    if (!pid)
        launch_run_child(l);
    if (pid < 0) {
        l->error = errno;
        l->failed = l->file;
    }
    return pid;
}
