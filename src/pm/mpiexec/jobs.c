/* jobs.c — mpiexec -jobs: the running jobs of this user on this host. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "door.h"
#include "job.h"

enum { ANSWER_MS = 3000, LINE = 8192 };

static int visit(pid_t pid)
{
    struct sockaddr_un a;
    socklen_t len = (socklen_t) pm_door_address(&a, geteuid(), pid);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && !connect(fd, (struct sockaddr *) &a, len)
        && send(fd, "line\n", 5, MSG_NOSIGNAL) == 5)
        return fd;
    if (fd >= 0)
        (void) close(fd);
    return -1;
}

/* The line of a job; nothing, when it ends meanwhile. */
static void print_job(pid_t pid)
{
    char text[LINE];
    size_t n = 0;
    int fd = visit(pid);
    struct pollfd p = { .fd = fd, .events = POLLIN };
    ssize_t got = fd < 0 ? 0 : 1;

    while (got > 0 && n < sizeof text && poll(&p, 1, ANSWER_MS) > 0) {
        got = read(fd, text + n, sizeof text - n);
        n += got > 0 ? (size_t) got : 0;
    }
    if (fd >= 0)
        (void) close(fd);
    if (n)
        (void) fwrite(text, 1, n, stdout);
    else if (!kill(pid, 0) || errno != ESRCH)
        printf("%d  does not answer\n", (int) pid);
    if (n && text[n - 1] != '\n')
        putchar('\n');
}

static bool add(pid_t **list, size_t *count, pid_t pid)
{
    for (size_t i = 0; i < *count; i++) /* listening sockets and connections have the same name */
        if ((*list)[i] == pid)
            return true;
    pid_t *more = realloc(*list, (*count + 1) * sizeof *more);
    if (!more)
        return false;
    *list = more;
    more[(*count)++] = pid;
    return true;
}

int pm_print_jobs(void)
{
    FILE *f = fopen("/proc/net/unix", "re");
    char line[512], start[64];
    pid_t *list = NULL;
    size_t count = 0;

    (void) snprintf(start, sizeof start, " @" PM_DOOR "%u-", (unsigned) geteuid());
    while (f && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, start);
        char *end;
        long pid = at ? strtol(at + strlen(start), &end, 10) : 0;
        if (pid > 0 && *end == '\n' && !add(&list, &count, (pid_t) pid))
            break;
    }
    if (!f)
        pm_log("cannot read /proc/net/unix: %s", strerror(errno));
    for (size_t i = 0; i < count; i++)
        print_job(list[i]);
    free(list);
    if (!f)
        return PM_EXIT_USAGE;
    (void) fclose(f);
    return 0;
}
