/* bind.c — binds the ranks of a part to CPUs, when the machine of that host is known. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/job/job_impl.h"

/* The number of threads that OMP_NUM_THREADS stands for: "4", or "4,2" for threads that have
 * threads themselves. 1 for what is no such number. */
static int omp_thread_count(const char *text)
{
    int all = 1;

    while (text && *text) {
        char *end;
        long n = strtol(text, &end, 10);
        end += strspn(end, " ");
        if (end == text || n < 1 || (*end && *end != ','))
            return 1;
        all = n < PM_CPUS / all ? all * (int) n : PM_CPUS;
        text = end + (*end == ',');
    }
    return all;
}

const struct pm_bind *pm_bind_of(const struct pm_part *p)
{
    return p->job->bind ? p->job->bind : &p->host->bind;
}

/* How many ranks have each CPU of a host. */
static void count_ranks(const struct pm_host *h, unsigned short has[PM_CPUS])
{
    for (const struct pm_job *j = h->run->job; j; j = j->next) {
        const struct pm_part *p = pm_part_on(j, h);
        for (int k = 0; p && p->cpus && !j->stopped && k < p->size; k++) {
            bool ended = j->rank[p->rank[k]].state == PM_RANK_ENDED;
            for (int cpu = -1; !ended && (cpu = pm_cpus_next(&p->cpus[k], cpu + 1)) >= 0;)
                has[cpu]++;
        }
    }
}

static long shared_cpus(const struct pm_cpus *set, int sets, const unsigned short has[PM_CPUS])
{
    long n = 0;

    for (int i = 0; i < sets; i++)
        for (int cpu = -1; (cpu = pm_cpus_next(&set[i], cpu + 1)) >= 0;)
            n += has[cpu];
    return n;
}

/* The first places that no other rank has; else those that are shared least. cpus and least have
 * room for `most` ranks more. */
static int choose_places(struct pm_part *p, struct pm_cpus *cpus, int *least, int most)
{
    static unsigned short has[PM_CPUS];
    long best = LONG_MAX;
    int err = 0;

    memset(has, 0, sizeof has);
    count_ranks(p->host, has);
    for (int before = 0; before <= most && best && !err; before++) {
        err = pm_bind_places(pm_bind_of(p), p->host->topology, least, before + p->size, cpus);
        long shared = err ? LONG_MAX : shared_cpus(cpus + before, p->size, has);
        if (shared < best)
            memcpy(p->cpus, cpus + before, (size_t) p->size * sizeof *cpus);
        best = shared < best ? shared : best;
        memmove(least + 1, least, (size_t) (before + p->size) * sizeof *least);
        *least = 1;
    }
    return err;
}

static int place_ranks(struct pm_part *p)
{
    const struct pm_host *h = p->host;
    const struct pm_job *j = p->job;
    int most = h->topology && j->number ? pm_cpus_count(&h->topology->allowed) : 0;
    size_t size = (size_t) p->size, all = size + (size_t) most + 1;
    int *least = malloc(all * sizeof *least);
    struct pm_cpus *cpus = calloc(all, sizeof *cpus), *own = calloc(size, sizeof *own);
    int err = least && cpus && own ? 0 : -ENOMEM;

    for (int i = 0; !err && i < p->size; i++)
        least[i] =
            omp_thread_count(pm_environ_value(j, j->rank[p->rank[i]].program, "OMP_NUM_THREADS"));
    p->cpus = own;
    if (!err)
        err = choose_places(p, cpus, least, most);
    free(cpus);
    free(least);
    return err;
}

/* Says what stands for an object that the machine does not have. */
static void log_substitute(const struct pm_host *h, const char *what, enum pm_level level)
{
    enum pm_level there = pm_bind_level(h->topology, level);

    if (there != level)
        pm_log("%s has no %s, ranks are %s by %s instead", h->name, pm_level_name[level], what,
               pm_level_name[there]);
}

void pm_bind_part(struct pm_part *p, const char *topology)
{
    struct pm_host *h = p->host;
    const struct pm_bind *b = pm_bind_of(p);
    char why[256];

    if (topology && !h->topology) {
        h->topology = pm_topology_parse(topology, strlen(topology), why, sizeof why);
        if (!h->topology)
            pm_log("cannot examine the CPUs of %s, to bind ranks to them: starling_topo: %s",
                   h->name, why);
    }
    if (!pm_bind_wanted(b) || (!h->topology && pm_bind_needs_topology(b)))
        return;
    if (place_ranks(p)) {
        pm_log("ranks on %s are not bound: out of memory", h->name);
        free(p->cpus);
        p->cpus = NULL;
    } else if (b->how == PM_BIND_OBJECTS) {
        log_substitute(h, "bound", b->to);
        if (b->map == PM_MAP_OBJECTS)
            log_substitute(h, "mapped", b->by);
    }
}

const char *pm_bind_text(const struct pm_rank *r, char *text, size_t len)
{
    if (!r->part->cpus)
        return NULL;
    pm_cpus_text(&r->part->cpus[r->local], text, len);
    return text;
}

void pm_bind_report(const struct pm_rank *r)
{
    enum { DRAWING = 3 * PM_CPUS };
    static const struct pm_cpus none;
    const struct pm_host *h = r->host;
    char cpus[PM_CPUS_TEXT], drawing[DRAWING] = "";
    bool bound = pm_bind_text(r, cpus, sizeof cpus);

    if (h->topology)
        pm_bind_draw(h->topology, bound ? &r->part->cpus[r->local] : &none, drawing,
                     sizeof drawing);
    pm_log("rank %d on %s: %s%s%s%s", r->number, h->name, bound ? "CPUs " : "not bound",
           bound ? cpus : "", *drawing ? " " : "", drawing);
}
