/* bind.c — binds the ranks of a part to CPUs, when the machine of that host is known. */
#include <errno.h>
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

/* The places of a job follow those of the jobs before. */
static int place_ranks(struct pm_part *p)
{
    struct pm_host *h = p->host;
    const struct pm_job *j = p->job;
    size_t before = (size_t) h->bound, size = (size_t) p->size;
    int *least = malloc((before + size) * sizeof *least);

    p->cpus = calloc(before + size, sizeof *p->cpus);
    if (!least || !p->cpus) {
        free(least);
        return -ENOMEM;
    }
    for (size_t i = 0; i < before; i++)
        least[i] = 1;
    for (int i = 0; i < p->size; i++)
        least[h->bound + i] = omp_thread_count(
            pm_environ_value(j->run->spec, j->rank[p->rank[i]].program, "OMP_NUM_THREADS"));
    int err = pm_bind_places(&h->bind, h->topology, least, h->bound + p->size, p->cpus);
    memmove(p->cpus, p->cpus + before, size * sizeof *p->cpus);
    h->bound += p->size;
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
    const struct pm_bind *b = &h->bind;
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
