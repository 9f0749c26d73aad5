/* place.c — places the ranks of a job on nodes. So far all are on the node inside mpiexec. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "job.h"
#include "os.h"

/* Whether host, of len characters, is a name of this node. */
static bool is_here(const char *host, size_t len)
{
    static const char *const here[] = { "localhost", "127.0.0.1", "::1", "[::1]" };
    char own[256];

    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        if (strlen(here[i]) == len && !strncasecmp(here[i], host, len))
            return true;
    os_hostname(own, sizeof own);
    size_t full = strlen(own), brief = strcspn(own, ".");
    bool same = !strncasecmp(own, host, len < full ? len : full);
    return same && (len == full || len == brief || (full == brief && host[full] == '.'));
}

/* Refuses the job when a program is for another node. */
static void check_hosts(struct pm_job *j, const struct pm_program *p)
{
    for (const char *host = p->host; host && *host;) {
        size_t width = strcspn(host, ","), len = width;
        while (len && host[len - 1] >= '0' && host[len - 1] <= '9')
            len--;
        /* "host:4" ends in a number of slots; "127.0.0.1" and "::1" do not. */
        bool slots = len > 1 && len < width && host[len - 1] == ':' && host[len - 2] != ':';
        len = slots ? len - 1 : width;
        if (!is_here(host, len)) {
            pm_log("'%s %s': this version starts ranks on this node only, not on '%.*s'",
                   p->host_option, p->host, (int) len, host);
            pm_fail_job(j, &(struct pm_job_status) { PM_REFUSED, -1, PM_EXIT_USAGE, NULL });
            return;
        }
        host += width + (host[width] == ',');
    }
}

static int make_host(struct pm_job *j, struct pm_host *h, int size)
{
    struct pm_node_events events = pm_host_events;

    *h = (struct pm_host) { .job = j, .size = size };
    h->rank = malloc((size_t) size * sizeof *h->rank);
    if (!h->rank)
        return -ENOMEM;
    events.owner = h;
    h->node = pm_node_create(&events, &j->signals);
    return h->node ? 0 : -errno;
}

int pm_place(struct pm_job *j)
{
    const struct pm_program *p = j->spec->program;
    int n = 0;

    j->size = j->spec->size;
    j->rank = calloc((size_t) j->size, sizeof *j->rank);
    j->host = calloc(1, sizeof *j->host);
    if (!j->rank || !j->host)
        return -ENOMEM;
    int err = make_host(j, j->host, j->size);
    if (!err)
        j->hosts = 1;
    for (int i = 0; !err && i < j->size; i++, n++) {
        if (n == p->count) {
            p++;
            n = 0;
        }
        j->rank[i] = (struct pm_rank) { .program = p, .host = j->host, .process = i };
        j->host->rank[i] = i;
    }
    for (size_t i = 0; !err && !j->ends && i < j->spec->programs; i++)
        check_hosts(j, &j->spec->program[i]);
    return err;
}
