/* link.c — the PMI sockets of the processes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"
#include "pm/pmi/pmi_calls.h"

enum { CHUNK = 1 << 16, QUEUE_MAX = 1 << 20 };

static void link_watch(struct pm_process *p)
{
    (void) pm_loop_watch(p->link.fd, true, p->link.len > 0, &p->link.source);
}

/* Sends as much of the queue as the socket takes. */
static void send_queue(struct pm_process *p)
{
    struct pm_link *l = &p->link;

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
        link_watch(p);
    }
}

static void link_enqueue(struct pm_process *p, const char *bytes, size_t len)
{
    struct pm_link *l = &p->link;
    char *more = l->len + len > QUEUE_MAX ? NULL : malloc(l->len + len);

    if (!more) {
        p->node->events.pmi_stuck(p->node->events.owner, p->number);
        return;
    }
    if (l->len)
        memcpy(more, l->queue + l->head, l->len);
    memcpy(more + l->len, bytes, len);
    free(l->queue);
    l->queue = more;
    l->head = 0;
    l->len += len;
    link_watch(p);
}

void pm_node_pmi(struct pm_node *node, int process, const char *bytes, size_t len)
{
    struct pm_process *p = node->process[process];
    ssize_t n = 0;

    if (p->link.fd < 0)
        return;
    if (!p->link.len)
        n = send(p->link.fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        return; /* the process has closed it, which the next read finds */
    size_t sent = n > 0 ? (size_t) n : 0;
    if (sent < len)
        link_enqueue(p, bytes + sent, len - sent);
}

/* The replies before it must have left, since the queue keeps bytes only. */
void pm_node_share(struct pm_node *node, int process, int memory, const char *line,
                   const char *otherwise)
{
    struct pm_process *p = node->process[process];
    int fd = p->link.fd < 0 || p->link.len ? -1
             : memory == PMI_CALLS         ? pm_calls_open(p)
                                           : pm_memory(node, memory);
    size_t len = strlen(line);
    ssize_t n = fd < 0 ? 0 : os_send_passing(p->link.fd, line, len, fd);

    if (n <= 0)
        pm_node_pmi(node, process, otherwise, strlen(otherwise));
    else if ((size_t) n < len)
        link_enqueue(p, line + n, len - (size_t) n);
}

static bool read_some(struct pm_process *p)
{
    static char chunk[CHUNK];
    const struct pm_node_events *e = &p->node->events;
    ssize_t n = recv(p->link.fd, chunk, sizeof chunk, MSG_DONTWAIT);

    if (n > 0) {
        e->pmi(e->owner, p->number, chunk, (size_t) n);
    } else if (!n || (errno != EAGAIN && errno != EINTR)) {
        pm_link_close(p);
        e->pmi_ended(e->owner, p->number);
    }
    return n > 0;
}

static void link_ready(struct pm_source *source)
{
    struct pm_process *p = OS_OWNER(source, struct pm_process, link.source);

    if (p->link.fd >= 0 && p->link.len)
        send_queue(p);
    if (p->link.fd >= 0)
        (void) read_some(p);
}

int pm_link_open(struct pm_process *p, int fd)
{
    p->link.source.ready = link_ready;
    p->link.fd = fd;
    return pm_loop_watch(fd, true, false, &p->link.source);
}

void pm_link_drain(struct pm_process *p)
{
    while (p->link.fd >= 0 && read_some(p))
        continue;
}

void pm_link_close(struct pm_process *p)
{
    if (p->link.fd < 0)
        return;
    pm_loop_drop(p->link.fd);
    (void) close(p->link.fd);
    free(p->link.queue);
    p->link.queue = NULL;
    p->link.len = 0;
    p->link.fd = -1;
}
