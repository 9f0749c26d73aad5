/* list_jobs.c — mpiexec -jobs: the running jobs of this user on this host.
 *
 * Any user can make a socket with the name of a job. An answer counts when the socket is of this
 * user; all jobs are asked at once, and have the same time. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "pm/mpiexec/job/query_socket.h"
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

enum { ANSWER_MS = 3000, RETRY_MS = 20, LINE = 8192, NS_PER_MS = 1000000 };

struct visit {
    pid_t pid;
    enum { WAITS, ASKED, ENDED, FOREIGN } state; /* it waits for a place in a full queue */
    int fd;
    char text[LINE];
    size_t len;
};

static struct visit **visits;
static size_t count;

static void ask_job(struct visit *v)
{
    char name[PM_QUERY_SOCKET_NAME];

    pm_query_socket_name(name, geteuid(), v->pid);
    int fd = os_abstract_try(name);
    if (fd == -EAGAIN) {
        v->state = kill(v->pid, 0) ? FOREIGN : WAITS;
    } else if (fd < 0) {
        v->state = ENDED;
    } else if (pm_query_peer_is_own(fd) && send(fd, "line\n", 5, MSG_NOSIGNAL) == 5) {
        v->state = ASKED;
        v->fd = fd;
    } else {
        v->state = pm_query_peer_is_own(fd) ? ENDED : FOREIGN;
        (void) close(fd);
    }
}

/* What there is, or the end. */
static void read_answer(struct visit *v)
{
    ssize_t n = read(v->fd, v->text + v->len, LINE - v->len);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    v->len += n > 0 ? (size_t) n : 0;
    if (n > 0 && v->len < LINE)
        return;
    (void) close(v->fd);
    v->state = ENDED;
}

/* True when all have answered. */
static bool ask_all(struct pollfd *p)
{
    bool over = true;

    for (size_t i = 0; i < count; i++) {
        struct visit *v = visits[i];
        if (v->state == WAITS)
            ask_job(v);
        else if (v->state == ASKED && p[i].revents)
            read_answer(v);
        p[i] = (struct pollfd) { .fd = v->state == ASKED ? v->fd : -1, .events = POLLIN };
        over = over && v->state != WAITS && v->state != ASKED;
    }
    return over;
}

/* The line of a job; nothing, when it has ended meanwhile. */
static void print_job(struct visit *v)
{
    if (v->state == FOREIGN)
        return;
    if (v->len && v->text[v->len - 1] == '\n')
        v->len--;
    pm_replace_controls(v->text, v->len);
    if (v->len)
        printf("%.*s\n", (int) v->len, v->text);
    else if (!kill(v->pid, 0) || errno != ESRCH)
        printf("%d  does not answer\n", (int) v->pid);
}

static bool add_visit(pid_t pid)
{
    for (size_t i = 0; i < count; i++) /* listening sockets and connections have the same name */
        if (visits[i]->pid == pid)
            return true;
    struct visit **more = realloc(visits, (count + 1) * sizeof *more);
    if (!more)
        return false;
    visits = more;
    visits[count] = calloc(1, sizeof **visits);
    if (!visits[count])
        return false;
    visits[count++]->pid = pid;
    return true;
}

static void visit_all(void)
{
    uint64_t end = os_time_ns() + (uint64_t) ANSWER_MS * NS_PER_MS;
    struct pollfd *p = calloc(count + 1, sizeof *p);

    while (p && !ask_all(p) && os_time_ns() < end)
        (void) poll(p, count, RETRY_MS);
    free(p);
    for (size_t i = 0; i < count; i++) {
        print_job(visits[i]);
        free(visits[i]);
    }
    free(visits);
}

int pm_print_jobs(void)
{
    FILE *f = fopen("/proc/net/unix", "re");
    char line[512], start[64];

    (void) snprintf(start, sizeof start, " @" PM_QUERY_SOCKET "%u-", (unsigned) geteuid());
    while (f && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, start);
        char *end;
        long pid = at ? strtol(at + strlen(start), &end, 10) : 0;
        if (pid > 0 && pid <= INT32_MAX && *end == '\n' && !add_visit((pid_t) pid))
            break;
    }
    if (!f)
        pm_log("cannot read /proc/net/unix: %s", strerror(errno));
    visit_all();
    if (!f)
        return PM_EXIT_USAGE;
    (void) fclose(f);
    return 0;
}
