/* link.c — the PMI sockets of the ranks: passes bytes between them and the PMI server. */
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "job.h"
#include "os.h"

enum { CHUNK = 1 << 16, QUEUE_MAX = 1 << 20, LOST_MS = 1000, PROGRAM_TEXT = 1024 };

static void protocol_error(struct pm_job *j, int rank, const char *why)
{
    pm_fail_job(j, &(struct pm_job_status) { PM_PROTOCOL_ERROR, rank, 0, why });
}

static void watch(struct pm_rank *r)
{
    (void) pm_loop_watch(r->link.fd, true, r->link.len > 0, &r->link.source);
}

/* Sends as much of the queue as the socket takes. */
static void send_queue(struct pm_rank *r)
{
    struct pm_link *l = &r->link;

    while (l->len) {
        ssize_t n = send(l->fd, l->queue + l->head, l->len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n > 0) {
            l->head += (size_t) n;
            l->len -= (size_t) n;
        } else if (errno != EINTR) {
            break; /* the socket is full, or closed, which the next read finds */
        }
    }
    if (!l->len) {
        free(l->queue);
        l->queue = NULL;
        l->head = 0;
        watch(r);
    }
}

static void enqueue(struct pm_rank *r, const char *bytes, size_t len)
{
    struct pm_link *l = &r->link;
    char *more = l->len + len > QUEUE_MAX ? NULL : malloc(l->len + len);

    if (!more) {
        protocol_error(r->job, r->rank, "does not read the replies to its PMI requests");
        return;
    }
    if (l->len)
        memcpy(more, l->queue + l->head, l->len);
    memcpy(more + l->len, bytes, len);
    free(l->queue);
    l->queue = more;
    l->head = 0;
    l->len += len;
    watch(r);
}

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    struct pm_job *j = owner;
    struct pm_rank *r = &j->rank[rank];
    ssize_t n = 0;

    if (r->link.fd < 0)
        return;
    if (!r->link.len)
        n = send(r->link.fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        return; /* the rank has closed it, which the next read finds */
    size_t sent = n > 0 ? (size_t) n : 0;
    if (sent < len)
        enqueue(r, bytes + sent, len - sent);
}

/* The replies before it must have left, since the queue keeps bytes only. */
static void on_share(void *owner, int rank, int memory, const char *line, const char *otherwise)
{
    struct pm_job *j = owner;
    struct pm_rank *r = &j->rank[rank];
    int fd = r->link.fd < 0 || r->link.len ? -1 : pm_memory(memory);
    ssize_t n = fd < 0 ? 0 : os_send_passing(r->link.fd, line, strlen(line), fd);

    if (n <= 0)
        on_send(owner, rank, otherwise, strlen(otherwise));
    else if ((size_t) n < strlen(line))
        enqueue(r, line + n, strlen(line) - (size_t) n);
}

static void on_forget(void *owner, int memory)
{
    (void) owner;
    pm_memory_forget(memory);
}

static void on_abort(void *owner, int rank, int code, const char *why)
{
    pm_fail_job(owner, &(struct pm_job_status) { PM_ABORTED, rank, code, why });
}

static void on_broken(void *owner, int rank, const char *why) { protocol_error(owner, rank, why); }

static void on_warning(void *owner, int rank, const char *what)
{
    (void) owner;
    pm_log("rank %d %s", rank, what);
}

/* The values of MPI_INFO_ENV (§8.7) that a process cannot find by itself. NULL: no memory. */
static char *describe(const struct pm_program *p)
{
    char text[PROGRAM_TEXT];
    int len = snprintf(text, sizeof text, "maxprocs=%d", p->count);

    if (p->host && (size_t) len + strlen(p->host) + sizeof "\nhost=" < sizeof text)
        (void) snprintf(text + len, sizeof text - (size_t) len, "\nhost=%s", p->host);
    return strdup(text);
}

static int create_server(struct pm_job *j, const struct pm_server_config *config)
{
    const struct pm_events events = { j,        on_send,   on_share,  on_forget,
                                      on_abort, on_broken, on_warning };

    struct pm_server *s = pm_server_create(j->spec->universe);

    j->server = s ? pm_server_add_job(s, config, &events) : NULL;
    return j->server ? 0 : -errno;
}

static void free_texts(char **text, size_t n)
{
    for (size_t i = 0; text && i < n; i++)
        free(text[i]);
    free(text);
}

int pm_link_server(struct pm_job *j)
{
    size_t n = j->spec->programs;
    char name[64], **program = calloc(n, sizeof *program);
    uint64_t random;
    int *appnum = malloc((size_t) j->size * sizeof *appnum),
        *node = calloc((size_t) j->size, sizeof *node), err = os_random(&random, sizeof random);

    for (size_t i = 0; program && i < n && !err; i++)
        if (!(program[i] = describe(&j->spec->program[i])))
            err = -ENOMEM;
    if (!err && (!appnum || !node || !program))
        err = -ENOMEM;
    (void) snprintf(name, sizeof name, "starling_%d_%016llx", (int) getpid(),
                    (unsigned long long) random);
    for (int i = 0; !err && i < j->size; i++)
        appnum[i] = (int) (j->rank[i].program - j->spec->program);
    const struct pm_server_config config = { .size = j->size,
                                             .appnum = appnum,
                                             .node = node,
                                             .name = name,
                                             .settings = j->spec->settings,
                                             .programs = (const char *const *) program };
    if (!err)
        err = create_server(j, &config);
    free_texts(program, n);
    free(appnum);
    free(node);
    return err;
}

/* Called some time after a rank has closed its socket between init and finalize. Most such ranks
 * are about to exit, and their exit code is the better report; one that still runs has failed
 * here. */
static void check_lost_links(struct pm_timer *t)
{
    struct pm_job *j = OS_OWNER(t, struct pm_job, lost_link);

    for (int i = 0; i < j->size; i++) {
        if (j->rank[i].state != PM_RANK_RUNS || j->rank[i].link.fd >= 0
            || pm_server_client_state(j->server, i) != PM_CLIENT_JOINED)
            continue;
        protocol_error(j, i, "closed its connection to mpiexec without MPI_Finalize");
        return;
    }
}

static bool read_some(struct pm_rank *r)
{
    static char chunk[CHUNK];
    ssize_t n = recv(r->link.fd, chunk, sizeof chunk, MSG_DONTWAIT);

    if (n > 0) {
        pm_server_input(r->job->server, r->rank, chunk, (size_t) n);
    } else if (!n || (errno != EAGAIN && errno != EINTR)) {
        pm_link_close(r);
        if (pm_server_client_state(r->job->server, r->rank) == PM_CLIENT_JOINED)
            pm_timer_set(&r->job->lost_link, LOST_MS, check_lost_links);
    }
    return n > 0;
}

static void ready(struct pm_source *source)
{
    struct pm_rank *r = OS_OWNER(source, struct pm_rank, link.source);

    if (r->link.fd >= 0 && r->link.len)
        send_queue(r);
    if (r->link.fd >= 0)
        (void) read_some(r);
}

int pm_link_open(struct pm_rank *r, int fd)
{
    r->link.source.ready = ready;
    r->link.fd = fd;
    return pm_loop_watch(fd, true, false, &r->link.source);
}

void pm_link_drain(struct pm_rank *r)
{
    while (r->link.fd >= 0 && read_some(r))
        continue;
}

void pm_link_close(struct pm_rank *r)
{
    if (r->link.fd < 0)
        return;
    pm_loop_drop(r->link.fd);
    (void) close(r->link.fd);
    free(r->link.queue);
    r->link.queue = NULL;
    r->link.len = 0;
    r->link.fd = -1;
}
