/* names.c — the ports of services, by the names that processes publish for each other.
 *
 * They are known to the jobs of the launcher; with a server of names (name_server.c) to all that
 * have its file, whatever started them. Both speak PMI-1, in whose lines a name or a port with odd
 * bytes is percent-encoded. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

enum {
    SERVICE_MAX = 255, /* bytes of an encoded name; servers cut or lose longer ones */
    NAMES_LINE = 64 + SERVICE_MAX + PMI_SEGMENT_MAX
};

struct encoded {
    char service[SERVICE_MAX + 1], port[PMI_SEGMENT_MAX + 1];
};

static int encode_pair(struct encoded *e, const char *service, const char *port)
{
    if (!*service)
        return pmi_fail(-EINVAL, "the name of a service is empty");
    if (pmi_percent_encode(service, e->service, sizeof e->service) < 0)
        return pmi_fail(-EMSGSIZE,
                        "the name of a service '%.40s...' has %zu bytes, and PMI carries "
                        "%d: 3 for each that is no plain letter",
                        service, strlen(service), SERVICE_MAX);
    if (pmi_percent_encode(port, e->port, sizeof e->port) < 0
        || strlen(e->service) + strlen(e->port) > PMI_SEGMENT_MAX)
        return pmi_fail(-EMSGSIZE, "a port of %zu bytes for '%.100s': PMI carries %d for both",
                        strlen(port), service, PMI_SEGMENT_MAX);
    return 0;
}

/* Some servers write rc, some info, and some both. */
static bool is_done(const char *reply)
{
    char info[8];
    int rc;

    if (!pmi_line_int(reply, "rc", &rc))
        return !rc;
    return !pmi_line_copy(reply, "info", info, sizeof info) && !strcmp(info, "ok");
}

/* Sends a request to where names are known. refused: the error when the answer is no. */
static int send_request(char **reply, const char *answer, const char *line, int refused)
{
    char why[PMI_REASON] = "it gave no reason";
    bool served = pmi_name_server_is_set();
    int err = served ? pmi_name_server_request(reply, answer, line)
                     : pmi_request(reply, answer, "%s", line);

    if (err || is_done(*reply))
        return err;
    (void) pmi_line_copy(*reply, "msg", why, sizeof why);
    return pmi_fail(refused, "%s%s%s refused it: %s", served ? "" : "the launcher (",
                    served ? pmi_name_server_title() : pmi_client.launcher, served ? "" : ")", why);
}

/* Where there is no server of names, the process needs a launcher. */
static int check_known(void)
{
    if (pmi_name_server_is_set())
        return 0;
    if (pmi_client.state == PMI_SINGLETON)
        return pmi_fail(-ENOTCONN, "this process was started without a launcher: to know names of "
                                   "other processes it needs STARLING_NAMESERVER=FILE, the file of "
                                   "mpiexec --serve-names FILE");
    return pmi_check_joined();
}

static bool is_by_pmix(void) { return pmi_client.pmix && !pmi_name_server_is_set(); }

int pmi_publish(const char *service, const char *port)
{
    char line[NAMES_LINE], *reply;
    struct encoded e;
    int err = check_known();

    if (!err && is_by_pmix())
        return pmix_publish(service, port);
    if (!err)
        err = encode_pair(&e, service, port);
    if (err)
        return err;
    (void) snprintf(line, sizeof line, "cmd=publish_name service=%s port=%s", e.service, e.port);
    return send_request(&reply, "publish_result", line, -EEXIST);
}

int pmi_unpublish(const char *service)
{
    char line[NAMES_LINE], *reply;
    struct encoded e;
    int err = check_known();

    if (!err && is_by_pmix())
        return pmix_unpublish(service);
    if (!err)
        err = encode_pair(&e, service, "");
    if (err)
        return err;
    (void) snprintf(line, sizeof line, "cmd=unpublish_name service=%s", e.service);
    return send_request(&reply, "unpublish_result", line, -ENOENT);
}

int pmi_lookup(const char *service, char *port, size_t len)
{
    char line[NAMES_LINE], *reply;
    struct encoded e;
    size_t n;
    int err = check_known();

    if (!err && is_by_pmix())
        return pmix_lookup(service, port, len);
    if (!err)
        err = encode_pair(&e, service, "");
    if (err)
        return err;
    (void) snprintf(line, sizeof line, "cmd=lookup_name service=%s", e.service);
    err = send_request(&reply, "lookup_result", line, -ENOENT);
    if (err)
        return err;
    const char *value = pmi_line_field(reply, "port", &n);
    long got = value ? pmi_percent_decode(value, n, port, len) : -EPROTO;
    return got < 0 ? pmi_fail((int) got, "the port of '%.100s' is '%.*s', which cannot be read",
                              service, value ? (int) n : 0, value ? value : "")
                   : 0;
}
