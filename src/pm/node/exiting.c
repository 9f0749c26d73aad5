/* exiting.c — which processes are exiting: they run no more instructions, and their end is about to
 * be reported.
 *
 * The kernel marks a thread that exits, then closes its descriptors, and reports the end of the
 * process last. Other processes can therefore see that the descriptors are closed, and act on it,
 * some time before waitpid() returns the process: microseconds, more than 100 ms on a machine where
 * many processes want to run, and seconds where the close of a core file waits for a disk. The mark
 * is always there by then. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "pm/node/pm_node_impl.h"

enum { EXITING = 4 }; /* PF_EXITING of the kernel */

/* file: a stat file in /proc, whose text is "PID (NAME) STATE" and numbers: the parent, process
 * group, session, terminal, the group there, and the flags of the kernel. */
static bool is_marked(const char *file)
{
    char text[512];
    unsigned flags = 0;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        (void) close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *name_end = strrchr(text, ')'); /* a name may have parentheses, too */
    return name_end && sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1
           && flags & EXITING;
}

/* Of the other threads, too: the first one may have ended while they go on, or while one of them
 * writes a core file. */
static bool all_are_marked(pid_t pid)
{
    char path[64], file[sizeof path + 272];
    bool all = true;

    (void) snprintf(path, sizeof path, "/proc/%d/task", (int) pid);
    DIR *threads = opendir(path);
    for (const struct dirent *e; all && threads && (e = readdir(threads));) {
        if (*e->d_name == '.')
            continue;
        (void) snprintf(file, sizeof file, "%s/%s/stat", path, e->d_name);
        all = is_marked(file) || access(file, F_OK);
    }
    if (threads)
        (void) closedir(threads);
    return all;
}

/* False where /proc does not tell. */
static bool is_exiting(pid_t pid)
{
    char file[64];

    (void) snprintf(file, sizeof file, "/proc/%d/stat", (int) pid);
    return is_marked(file) && all_are_marked(pid);
}

void pm_node_find_exiting(struct pm_node *n)
{
    for (int i = 0; i < n->processes; i++)
        if (n->process[i] && n->process[i]->state == PM_PROCESS_RUNS
            && is_exiting(n->process[i]->pid))
            n->events.exiting(n->events.owner, i);
    n->events.exiting_found(n->events.owner);
}
