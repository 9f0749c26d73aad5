/* query_socket.c — other programs of the user can ask a running job about itself, at an abstract
 * socket, which has no file and ends with mpiexec: "starling-UID-PID".
 *
 * A request is a line: "line" is answered by a line for people, "report" by what -json describes.
 * Then the connection ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "pm/mpiexec/job/query_socket.h"
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

enum { VISITS = 8, REQUEST = 64, VISIT_MS = 2000 };

struct visit {
    struct pm_source ready;
    struct pm_timer timer;
    int fd; /* 0: free */
    char request[REQUEST];
    size_t len;
    char *answer; /* NULL: the request has not come yet */
    size_t left;
    const char *at;
};

static struct {
    const struct pm_run *run;
    int fd;
    struct pm_source ready;
    struct visit visit[VISITS];
} query_socket;

void pm_query_socket_name(char name[PM_QUERY_SOCKET_NAME], uid_t uid, pid_t pid)
{
    (void) snprintf(name, PM_QUERY_SOCKET_NAME, PM_QUERY_SOCKET "%u-%d", (unsigned) uid, (int) pid);
}

static void query_end(struct visit *v)
{
    pm_timer_clear(&v->timer);
    pm_loop_drop(v->fd);
    pm_loop_forget(&v->ready);
    (void) close(v->fd);
    free(v->answer);
    *v = (struct visit) { .fd = 0 };
}

static void timed_out(struct pm_timer *t) { query_end(OS_OWNER(t, struct visit, timer)); }

/* ---- answers --------------------------------------------------------------------------------- */

static void write_line(const struct pm_run *r, FILE *f)
{
    const struct pm_spec *s = r->spec;
    int size = r->job->size, jobs = 0, ranks = 0;

    for (const struct pm_job *j = r->job->next; j; j = j->next) {
        jobs += j->running > 0;
        ranks += j->running;
    }
    fprintf(f, "%d  %d rank%s", (int) getppid(), size, size == 1 ? "" : "s");
    if (jobs)
        fprintf(f, " and %d of %d spawned job%s", ranks, jobs, jobs == 1 ? "" : "s");
    fprintf(f, " on %d host%s, %.0f s: mpiexec", r->hosts, r->hosts == 1 ? "" : "s",
            (double) (int64_t) (pm_clock_ns() - s->started_ns) / 1e9);
    for (char *const *word = s->command + 1; *word; word++) {
        fputc(' ', f);
        for (const char *c = *word; *c; c++)
            fputc((unsigned char) *c < ' ' || *c == 127 ? '?' : *c, f);
    }
    fputc('\n', f);
}

static void query_reply(struct visit *v)
{
    FILE *f = open_memstream(&v->answer, &v->left);

    if (!f) {
        query_end(v);
        return;
    }
    if (!strcmp(v->request, "report"))
        pm_report_to(f, query_socket.run, NULL);
    else if (!strcmp(v->request, "line"))
        write_line(query_socket.run, f);
    else
        fputs("unknown request: line and report are known\n", f);
    if (fclose(f)) {
        query_end(v);
        return;
    }
    v->at = v->answer;
    (void) pm_loop_watch(v->fd, false, true, &v->ready);
}

/* ---- visits ---------------------------------------------------------------------------------- */

static void read_request(struct visit *v)
{
    ssize_t n = read(v->fd, v->request + v->len, REQUEST - v->len);
    char *end_of_line;

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    v->len += n > 0 ? (size_t) n : 0;
    end_of_line = memchr(v->request, '\n', v->len);
    if (end_of_line) {
        *end_of_line = '\0';
        query_reply(v);
    } else if (n <= 0 || v->len == REQUEST) {
        query_end(v);
    }
}

static void write_answer(struct visit *v)
{
    ssize_t n = send(v->fd, v->at, v->left, MSG_NOSIGNAL);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    v->at += n > 0 ? n : 0;
    v->left -= n > 0 ? (size_t) n : v->left;
    if (!v->left)
        query_end(v);
}

static void visit_ready(struct pm_source *s)
{
    struct visit *v = OS_OWNER(s, struct visit, ready);

    if (v->answer)
        write_answer(v);
    else
        read_request(v);
}

bool pm_query_peer_is_own(int fd)
{
    struct os_cred c;

    return !os_peer_cred(fd, &c) && c.uid == geteuid();
}

static void query_socket_ready(struct pm_source *s)
{
    int fd = accept4(query_socket.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct visit *v = query_socket.visit;

    (void) s;
    while (v < query_socket.visit + VISITS && v->fd)
        v++;
    if (fd < 0 || v == query_socket.visit + VISITS || !pm_query_peer_is_own(fd)) {
        if (fd >= 0)
            (void) close(fd);
        return;
    }
    *v = (struct visit) { .ready.ready = visit_ready, .fd = fd };
    pm_timer_set(&v->timer, VISIT_MS, timed_out);
    if (pm_loop_watch(fd, true, false, &v->ready))
        query_end(v);
}

void pm_query_socket_open(const struct pm_run *r)
{
    char name[PM_QUERY_SOCKET_NAME];

    query_socket.run = r;
    query_socket.ready.ready = query_socket_ready;
    pm_query_socket_name(name, geteuid(), getppid()); /* the supervisor */
    query_socket.fd = os_abstract_listen(name);
    int err = query_socket.fd < 0
                  ? query_socket.fd
                  : pm_loop_watch(query_socket.fd, true, false, &query_socket.ready);
    if (!err)
        return;
    if (r->spec->verbose)
        pm_log("other programs cannot ask about this job: %s", strerror(-err));
    if (query_socket.fd >= 0)
        (void) close(query_socket.fd);
}
