/* name_server.c — the connection to a server of names: mpiexec --serve-names.
 *
 * It is made when a process first needs it, and lasts until pmi_finalize(): what the process has
 * published is known as long. Its lines are those of PMI-1, sealed by the key that is in the
 * server's file with its addresses. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"
#include "pm/seal/pm_call.h"

enum { WAIT_S = 5, FILE_AGAIN_MS = 20, NS_PER_S = 1000000000 };

static struct {
    const char *where; /* the file, or its line, which mpiexec has read; NULL or empty: none */
    char title[200];
    int fd; /* with a seal */
    struct pm_seal *seal;
    struct pm_bytes sealed, lines; /* received */
} server;

static bool is_line(const char *where) { return !strncmp(where, "starling ", strlen("starling ")); }

void pmi_name_server(const char *where)
{
    server.where = where;
    if (is_line(where))
        where = "of mpiexec -nameserver"; /* the rest is secret */
    (void) snprintf(server.title, sizeof server.title, "the server of names (%.150s)", where);
}

bool pmi_name_server_is_set(void) { return server.where && *server.where; }

const char *pmi_name_server_title(void) { return server.title; }

void pmi_name_server_leave(void)
{
    if (server.seal && server.fd >= 0)
        (void) close(server.fd);
    pm_seal_free(server.seal);
    server.seal = NULL;
    pm_bytes_free(&server.sealed);
    pm_bytes_free(&server.lines);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int find_server(struct pm_callee *to, uint64_t end_ns)
{
    char line[PM_CALL_LINE + 1] = "", why[300];
    int err = 0;

    if (is_line(server.where))
        (void) snprintf(line, sizeof line, "%s", server.where);
    while (!err && !*line && os_time_ns() < end_ns) { /* it may just have begun */
        err = pm_call_read(server.where, line, why, sizeof why);
        if (!err && !*line)
            (void) poll(NULL, 0, FILE_AGAIN_MS);
    }
    if (err)
        return pmi_fail(err, "the server of names: %s", why);
    if (pm_call_parse(line, to))
        err = pmi_fail(-EBADMSG, "%s: its file was not written by mpiexec --serve-names",
                       server.title);
    explicit_bzero(line, sizeof line);
    return err;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int fail_with(int err)
{
    pmi_name_server_leave();
    if (err == -ETIMEDOUT)
        return pmi_fail(err, "%s has not answered for %d s", server.title, WAIT_S);
    if (err == -ECONNRESET || err == -EPIPE)
        return pmi_fail(-ECONNRESET, "%s has closed the connection", server.title);
    return pmi_fail(err, "%s: %s", server.title, strerror(-err));
}

static int wait_for(short events, uint64_t end_ns)
{
    struct pollfd p = { .fd = server.fd, .events = events };
    int n = poll(&p, 1, pm_call_ms_until(end_ns));

    if (!n)
        return -ETIMEDOUT;
    return n < 0 && errno != EINTR ? -errno : 0;
}

static int send_line(const char *line, uint64_t end_ns)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_seal_put(server.seal, line, strlen(line), &q);

    while (!err && q.len) {
        ssize_t n = os_send_some(server.fd, pm_bytes_first(&q), q.len);
        if (n > 0)
            pm_bytes_take(&q, (size_t) n);
        else
            err = n < 0 ? (int) n : wait_for(POLLOUT, end_ns);
    }
    pm_bytes_free(&q);
    return err;
}

static int receive_line(char line[PMI_REQUEST_MAX + 1], uint64_t end_ns)
{
    char *end = NULL;
    int err = 0;

    while (!err
           && !(end = server.lines.len
                          ? memchr(pm_bytes_first(&server.lines), '\n', server.lines.len)
                          : NULL)) {
        char *to = pm_bytes_room(&server.sealed, PMI_REQUEST_MAX);
        ssize_t n = to ? os_receive_some(server.fd, to, PMI_REQUEST_MAX) : -ENOMEM;
        server.sealed.len += n > 0 ? (size_t) n : 0;
        err = n < 0 ? (int) n : n ? pm_seal_get(server.seal, &server.sealed, &server.lines) : 0;
        if (!err && !n)
            err = wait_for(POLLIN, end_ns);
        if (!err && server.lines.len > PMI_REQUEST_MAX)
            err = -EPROTO;
    }
    if (err)
        return err;
    size_t len = (size_t) (end - pm_bytes_first(&server.lines));
    memcpy(line, pm_bytes_first(&server.lines), len);
    line[len] = '\0';
    pm_bytes_take(&server.lines, len + 1);
    return 0;
}

static int exchange_lines(const char *line, const char *answer, char reply[PMI_REQUEST_MAX + 1],
                          uint64_t end_ns)
{
    int err = send_line(line, end_ns);

    if (!err)
        err = send_line("\n", end_ns);
    if (!err)
        err = receive_line(reply, end_ns);
    if (!err && !pmi_line_is(reply, answer))
        err = -EPROTO;
    return err;
}

/* ---- the connection -------------------------------------------------------------------------- */

/* Processes of one job may take back what another of them has published. */
static void name_job(char *name, size_t len)
{
    char host[128];

    os_hostname(host, sizeof host);
    if (pmi_client.state == PMI_SINGLETON)
        (void) snprintf(name, len, "singleton_%d_%s", (int) getpid(), host);
    else
        (void) snprintf(name, len, "%.250s", pmi_client.pmix ? pmix_self.job : pmi_client.kvs);
}

static int join_server(uint64_t end_ns)
{
    char name[PM_CALL_NAME - 1], why[200], reply[PMI_REQUEST_MAX + 1];
    const struct pm_caller caller = { .name = name, .whom = server.title, .end_ns = end_ns };
    struct pm_callee to;
    int err = find_server(&to, end_ns);

    if (err)
        return err;
    name_job(name, sizeof name);
    int fd = pm_call_to(&to, &caller, &server.seal, why, sizeof why);
    explicit_bzero(&to, sizeof to);
    if (fd < 0)
        return pmi_fail(fd, "%s", why);
    server.fd = os_new_fd(fd);
    if (server.fd < 0)
        return fail_with(server.fd);
    err = exchange_lines("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init", reply,
                         end_ns);
    return err ? fail_with(err) : 0;
}

int pmi_name_server_request(char **reply, const char *answer, const char *line)
{
    static char text[PMI_REQUEST_MAX + 1];
    uint64_t end_ns = os_time_ns() + (uint64_t) WAIT_S * NS_PER_S;
    bool old = server.seal;
    int err = old ? 0 : join_server(end_ns);

    if (err)
        return err;
    err = exchange_lines(line, answer, text, end_ns);
    if (old && (err == -ECONNRESET || err == -EPIPE)) { /* perhaps another one is there now */
        pmi_name_server_leave();
        return pmi_name_server_request(reply, answer, line);
    }
    *reply = text;
    return err ? fail_with(err) : 0;
}
