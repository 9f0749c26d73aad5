/* draw.c — draws a machine and a set of its CPUs. */
#include "pm/bind/bind_impl.h"

struct pen {
    char *text;
    size_t at, len;
};

static void pen_put(struct pen *p, char c)
{
    if (p->at + 1 < p->len)
        p->text[p->at++] = c;
}

static void draw_core(struct pen *p, const struct pm_topology *t, const struct pm_cpus *core,
                      const struct pm_cpus *set)
{
    for (int cpu = -1; (cpu = pm_cpus_next(core, cpu + 1)) >= 0;)
        pen_put(p, pm_cpus_has(set, cpu) ? 'B' : pm_cpus_has(&t->allowed, cpu) ? '.' : '-');
}

static int numa_of(const struct pm_topology *t, const struct pm_cpus *core)
{
    const struct pm_objects *numa = &t->level[PM_NUMA];
    int i = 0;

    while (i < numa->count && !pm_cpus_intersect(&numa->object[i], core))
        i++;
    return i;
}

static void draw_package(struct pen *p, const struct pm_topology *t, const struct pm_cpus *package,
                         const struct pm_cpus *set)
{
    const struct pm_objects *cores = &t->level[PM_CORE];
    int last = -1;

    pen_put(p, '[');
    for (int i = 0; i < cores->count; i++) {
        if (!pm_cpus_contain(package, &cores->object[i]))
            continue;
        int numa = numa_of(t, &cores->object[i]);
        if (last >= 0)
            pen_put(p, numa == last ? '/' : '|');
        last = numa;
        draw_core(p, t, &cores->object[i], set);
    }
    pen_put(p, ']');
}

void pm_bind_draw(const struct pm_topology *t, const struct pm_cpus *set, char *text, size_t len)
{
    struct pen p = { text, 0, len };

    for (int i = 0; i < t->level[PM_PACKAGE].count; i++)
        draw_package(&p, t, &t->level[PM_PACKAGE].object[i], set);
    text[p.at] = '\0';
}
