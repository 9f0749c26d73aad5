/* describe.c — describes processes: for errors, and for the table of devices that MPI_Finalize
 * prints with STARLING_VERBOSE. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

enum { WORDS = 192, RANGES = 256, GROUPS = 64 };

struct group { /* processes that are reached alike */
    const struct adi3_dev *dev;
    char how[2 * WORDS], ranks[RANGES];
    int first, last; /* the open range of ranks */
};

const char *proc_title(const struct adi3_proc *p, char text[ADI3_TITLE])
{
    const struct proc_job *job = proc_job_of(p);

    if (job == &proc_own_job)
        (void) snprintf(text, ADI3_TITLE, "process %d of MPI_COMM_WORLD", proc_rank(p));
    else
        (void) snprintf(text, ADI3_TITLE, "rank %d of %s", p->peer.rank, job->name);
    return text;
}

const char *adi3_process_title(int number, char text[ADI3_TITLE])
{
    return proc_title(proc_at(number), text);
}

static const char *host_of(const struct adi3_proc *p)
{
    return proc_node(p) ? adi3_hostname() : p->link ? p->link->host : NULL;
}

const char *proc_title_on_host(const struct adi3_proc *p, char text[PROC_PLACE])
{
    const char *host = p->link ? p->link->host : NULL;
    char title[ADI3_TITLE];

    (void) snprintf(text, PROC_PLACE, "%s%s%s", proc_title(p, title), host ? " on " : "",
                    host ? host : "");
    return text;
}

/* What the device says of p: " (reads by CMA)", or "". */
static void describe_device(const struct adi3_proc *p, char text[WORDS])
{
    char words[WORDS - 4] = "";

    if (p->dev && proc_device(p)->describe)
        proc_device(p)->describe(&p->peer, words, sizeof words);
    (void) snprintf(text, WORDS, *words ? " (%s)" : "%s", words);
}

int proc_error(const struct adi3_proc *p, int err)
{
    const char *host = host_of(p), *dev = p->dev ? proc_device(p)->name : "";
    const char *why = p->dev && proc_device(p)->why ? proc_device(p)->why(&p->peer) : NULL;
    char words[WORDS] = "", limit[48] = "", title[ADI3_TITLE];

    if (!proc_node(p))
        describe_device(p, words);
    if (!why && err == -ETIMEDOUT && adi3_setting_peer_timeout > 0)
        (void) snprintf(limit, sizeof limit, " (STARLING_PEER_TIMEOUT=%d)",
                        adi3_setting_peer_timeout);
    return adi3_error(MPI_ERR_OTHER, "%s%s%s%s%s%s: %s%s", proc_title(p, title), host ? " on " : "",
                      host ? host : "", *dev ? " over " : "", dev, words,
                      why ? why : strerror(-err), limit);
}

/* ---- the table of MPI_Finalize --------------------------------------------------------------- */

/* How p is reached. A process on a host of the same name with which this one shares no memory is in
 * another container. */
static void describe_way(const struct adi3_proc *p, char text[2 * WORDS])
{
    const char *host = host_of(p), *apart = "";
    char words[WORDS];

    describe_device(p, words);
    if (!proc_node(p) && host && !strcmp(host, adi3_hostname()))
        apart = ", which shares no memory with this process,";
    if (p == &adi3_procs[adi3_job.rank])
        host = NULL;
    const struct proc_job *job = proc_job_of(p) == &proc_own_job ? NULL : proc_job_of(p);
    (void) snprintf(text, 2 * WORDS, "%s%s%s%s%s%s", job ? " of " : "", job ? job->name : "",
                    host ? " on " : "", host ? host : "", apart, words);
}

/* Appends the open range of ranks to the others; ranges that do not fit become one "...". */
static void close_range(struct group *g)
{
    size_t len = strlen(g->ranks);
    const char *comma = len ? "," : "";
    char range[32];

    if (g->first == g->last)
        (void) snprintf(range, sizeof range, "%s%d", comma, g->first);
    else
        (void) snprintf(range, sizeof range, "%s%d-%d", comma, g->first, g->last);
    if (len + strlen(range) + sizeof ",..." <= RANGES)
        memcpy(g->ranks + len, range, strlen(range) + 1);
    else if (!strstr(g->ranks, "..."))
        memcpy(g->ranks + len, ",...", sizeof ",...");
}

static struct group *find_group(struct group *groups, int n, const struct adi3_dev *dev,
                                const char *words)
{
    for (int i = n; i-- > 0;)
        if (groups[i].dev == dev && !strcmp(groups[i].how, words))
            return &groups[i];
    return NULL;
}

/* Sorts all processes that have a device into groups; returns how many groups. */
static int make_groups(struct group *groups)
{
    int n = 0;

    for (int i = 0; i < proc_count(); i++) {
        const struct adi3_proc *p = proc_at(i);
        int rank = proc_rank(p);
        char words[2 * WORDS];
        if (!p->dev)
            continue;
        describe_way(p, words);
        struct group *g = find_group(groups, n, p->dev, words);
        if (g && g->last == rank - 1) {
            g->last = rank;
            continue;
        }
        if (g) {
            close_range(g);
        } else if (n == GROUPS) {
            continue;
        } else {
            g = &groups[n++];
            *g = (struct group) { .dev = p->dev };
            memcpy(g->how, words, sizeof words);
        }
        g->first = g->last = rank;
    }
    return n;
}

bool adi3_devices_used(char *text, size_t len)
{
    struct group *groups = NULL;

    if (adi3_verbose < 1 || (adi3_verbose < 2 && adi3_job.rank > 0)
        || !(groups = malloc(GROUPS * sizeof *groups)))
        return false;
    int n = make_groups(groups);
    int at =
        snprintf(text, len, "rank %d of %d on %s: %s", adi3_job.rank, adi3_job.size,
                 adi3_hostname(), n ? "" : "has sent no message to any process and received none");
    for (int i = 0; i < n && at >= 0 && (size_t) at < len; i++) {
        struct group *g = &groups[i];
        close_range(g);
        at += snprintf(text + at, len - (size_t) at, "%s%s %s%s", i ? "; " : "", g->dev->ops->name,
                       g->ranks, g->how);
    }
    if (*adi3_setting_devices && at >= 0 && (size_t) at < len)
        (void) snprintf(text + at, len - (size_t) at, "; STARLING_DEVICES=%s",
                        adi3_setting_devices);
    free(groups);
    return true;
}
