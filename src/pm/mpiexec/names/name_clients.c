/* name_clients.c — those that have shown that they know the key of a server of names.
 *
 * To the PMI server each of them is a job of one rank, named as the job that it is of: the names
 * that it has published are gone with its connection. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/mpiexec/names/names_impl.h"
#include "pm/node/log.h"
#include "pm/node/loop.h"
#include "pm/server/pm_server.h"

enum { RECEIVED = 1 << 16, UNREAD_MAX = 1 << 20 };
enum { KEEPALIVE_S = 30, KEEPALIVE_PROBES = 3 }; /* a host that is gone says nothing */

struct client {
    struct pm_source ready;
    struct client *next;
    struct pm_server_job *job;
    struct pm_seal *seal;
    struct pm_bytes sealed, plain, out; /* received, and what of it is unsealed; to be sent */
    int fd;
    bool ends;
};

static struct pm_server *server;
static struct client *clients;

static void client_end(struct client *c)
{
    struct client **at = &clients;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    pm_loop_drop(c->fd);
    pm_loop_forget(&c->ready);
    (void) close(c->fd);
    if (c->job)
        pm_server_remove_job(server, c->job);
    pm_seal_free(c->seal);
    pm_bytes_free(&c->sealed);
    pm_bytes_free(&c->plain);
    pm_bytes_free(&c->out);
    free(c);
}

/* ---- events of the PMI server ---------------------------------------------------------------- */

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    struct client *c = owner;

    (void) rank;
    if (pm_seal_put(c->seal, bytes, len, &c->out) || c->out.len > UNREAD_MAX)
        c->ends = true;
}

static void on_abort(void *owner, int rank, int code, const char *why)
{
    (void) rank, (void) code, (void) why;
    ((struct client *) owner)->ends = true;
}

static void on_broken(void *owner, int rank, const char *why)
{
    (void) rank;
    pm_log("a client of the server of names %s", why);
    ((struct client *) owner)->ends = true;
}

static void on_warning(void *owner, int rank, const char *what)
{
    (void) owner, (void) rank;
    pm_log("a client of the server of names %s", what);
}

/* ---- connections ----------------------------------------------------------------------------- */

static int client_receive(struct client *c)
{
    char *to = pm_bytes_room(&c->sealed, RECEIVED);
    ssize_t n = to ? os_receive_some(c->fd, to, RECEIVED) : -ENOMEM;

    if (n < 0)
        return (int) n;
    c->sealed.len += (size_t) n;
    int err = pm_seal_get(c->seal, &c->sealed, &c->plain);
    if (!err && c->plain.len)
        pm_server_input(c->job, 0, pm_bytes_first(&c->plain), c->plain.len);
    pm_bytes_take(&c->plain, c->plain.len);
    return err;
}

static int client_send(struct client *c)
{
    ssize_t n = os_send_some(c->fd, pm_bytes_first(&c->out), c->out.len);

    if (n < 0)
        return (int) n;
    pm_bytes_take(&c->out, (size_t) n);
    return pm_loop_watch(c->fd, true, c->out.len, &c->ready);
}

static void client_ready(struct pm_source *s)
{
    struct client *c = OS_OWNER(s, struct client, ready);

    if (client_receive(c) || client_send(c) || c->ends)
        client_end(c);
}

static int job_add(struct client *c, const char *name)
{
    static const int zero;
    const struct pm_server_config config = {
        .size = 1, .appnum = &zero, .node = &zero, .name = name
    };
    const struct pm_events events = {
        .owner = c, .send = on_send, .abort = on_abort, .broken = on_broken, .warn = on_warning
    };

    c->job = pm_server_add_job(server, &config, &events);
    return c->job ? 0 : -errno;
}

static void keep_alive(int fd)
{
    int on = 1, idle = KEEPALIVE_S, probes = KEEPALIVE_PROBES;

    (void) setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void) setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    (void) setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &idle, sizeof idle);
    (void) setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

static int take_call(void *owner, const char *name, int fd, struct pm_seal *seal)
{
    struct client *c = calloc(1, sizeof *c);

    (void) owner;
    if (!c)
        return -ENOMEM;
    *c = (struct client) { .ready.ready = client_ready, .next = clients, .fd = fd, .seal = seal };
    clients = c;
    keep_alive(fd);
    if (job_add(c, name) || pm_loop_watch(fd, true, false, &c->ready))
        client_end(c);
    return 0;
}

struct pm_answers *pm_names_open(const struct pm_ports *ports, char *line, size_t len)
{
    static const struct pm_answer_events events = { .take_call = take_call };

    server = pm_server_create(-1);
    return server ? pm_answers_open(&events, ports, line, len) : NULL;
}

void pm_names_close(void)
{
    while (clients)
        client_end(clients);
    if (server)
        pm_server_destroy(server);
    server = NULL;
}
