/* place.c — places the ranks of a job on hosts: fills the slots of each host in turn, and then
 * again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "job.h"
#include "os.h"

struct name { /* a host as the user wrote it: "name" or "name:slots" */
    const char *text;
    size_t len;
    int slots;
};

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

/* Cuts the next name from a list with commas. "host:4" ends in a number of slots; "127.0.0.1" and
 * "::1" do not. */
static bool next_name(const char **list, struct name *n)
{
    const char *host = *list;
    size_t width = host ? strcspn(host, ",") : 0, len = width;

    if (!width)
        return false;
    while (len && host[len - 1] >= '0' && host[len - 1] <= '9')
        len--;
    bool slots = len > 1 && len < width && host[len - 1] == ':' && host[len - 2] != ':';
    *n = (struct name) { host, slots ? len - 1 : width,
                         slots ? (int) strtol(host + len, NULL, 10) : 1 };
    *list = host + width + (host[width] == ',');
    return true;
}

/* The host of that name, which is made if need be; NULL: no memory. */
static struct pm_host *host_of(struct pm_job *j, const struct name *n)
{
    bool here = !n->len || is_here(n->text, n->len);
    size_t len = n->len < sizeof j->host->name ? n->len : sizeof j->host->name - 1;

    for (int i = 0; i < j->hosts; i++) {
        struct pm_host *h = &j->host[i];
        bool same = strlen(h->name) == len && !strncasecmp(h->name, n->text, len);
        if (same || (here && is_here(h->name, strlen(h->name))))
            return h;
    }
    struct pm_host *h = &j->host[j->hosts++];
    *h = (struct pm_host) { .job = j };
    memcpy(h->name, n->len ? n->text : "localhost", n->len ? len : sizeof "localhost");
    return h;
}

static void place_program(struct pm_job *j, const struct pm_program *p, int first)
{
    const char *list = p->host;
    struct name n = { "", 0, INT32_MAX };
    int left = 0;
    struct pm_host *h = NULL;

    for (int i = first; i < first + p->count; i++, left--) {
        if (left <= 0) {
            if (!next_name(&list, &n) && (list = p->host))
                (void) next_name(&list, &n);
            left = n.slots;
            h = host_of(j, &n);
        }
        j->rank[i] = (struct pm_rank) { .program = p, .host = h, .process = h->size++ };
    }
}

static int open_host(struct pm_job *j, struct pm_host *h)
{
    char name[sizeof h->name];
    struct pm_host_entry e = { .name = name, .here = is_here(h->name, strlen(h->name)) };

    memcpy(name, h->name, sizeof name);
    h->rank = malloc((size_t) h->size * sizeof *h->rank);
    if (!h->rank)
        return -ENOMEM;
    for (int i = 0; i < j->size; i++)
        if (j->rank[i].host == h)
            h->rank[j->rank[i].process] = i;
    return pm_host_open(j, h, &e);
}

int pm_place(struct pm_job *j)
{
    int first = 0, hosts, err = 0;

    j->size = j->spec->size;
    j->rank = calloc((size_t) j->size, sizeof *j->rank);
    j->host = calloc((size_t) j->size, sizeof *j->host);
    if (!j->rank || !j->host)
        return -ENOMEM;
    for (size_t i = 0; i < j->spec->programs; i++) {
        place_program(j, &j->spec->program[i], first);
        first += j->spec->program[i].count;
    }
    hosts = j->hosts;
    for (j->hosts = 0; !err && !j->ends && j->hosts < hosts;) {
        err = open_host(j, &j->host[j->hosts]);
        if (!err && !j->ends)
            j->hosts++;
    }
    return err;
}
