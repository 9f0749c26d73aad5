/* bind_options.c — options that bind ranks to CPUs. */
#include <stdlib.h>
#include <string.h>
#include "option.h"

/* Refuses the value of an option, which is wrong for the reason why. */
static int check(struct pm_parser *p, int err, const char *name, const char *value, const char *why)
{
    return err ? pm_refuse(p, "'%s %s': %s", name, value, why) : 0;
}

int pm_opt_bind_to(struct pm_parser *p, const char *name, char **args)
{
    char why[512];
    int err = pm_bind_to(&p->spec->bind, args[0], why, sizeof why);

    return check(p, err, name, args[0], why);
}

int pm_opt_map_by(struct pm_parser *p, const char *name, char **args)
{
    char why[512];
    struct pm_bind *b = &p->spec->bind;
    struct pm_layout *l = &p->spec->layout;
    int err = pm_bind_map(b, args[0], why, sizeof why);

    if (!err && b->map == PM_MAP_NODE && b->in_a_row)
        l->per_host = b->in_a_row;
    else if (!err && (b->map == PM_MAP_NODE || b->map == PM_MAP_SLOT))
        l->by_node = b->map == PM_MAP_NODE;
    return check(p, err, name, args[0], why);
}

int pm_opt_membind(struct pm_parser *p, const char *name, char **args)
{
    char why[512];
    int err = pm_bind_memory(args[0], why, sizeof why);

    return check(p, err, name, args[0], why);
}

int pm_opt_report_bindings(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->report_bindings = true;
    return 0;
}

static int set_report(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->report_bindings = strcmp(args[0], "0") != 0;
    return 0;
}

int pm_bind_options_begin(struct pm_parser *p)
{
    static const struct {
        const char *name;
        int (*set)(struct pm_parser *p, const char *name, char **args);
    } variables[] = {
        { "HYDRA_BINDING", pm_opt_bind_to },
        { "HYDRA_MAPPING", pm_opt_map_by },
        { "HYDRA_MEMBIND", pm_opt_membind },
        { "HYDRA_TOPO_DEBUG", set_report },
    };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        char *value = getenv(variables[i].name);
        int err = value && *value ? variables[i].set(p, variables[i].name, &value) : 0;
        if (err)
            return err;
    }
    return 0;
}

int pm_bind_options_end(struct pm_parser *p)
{
    struct pm_bind *b = &p->spec->bind;
    char why[256];

    if (pm_bind_finish(b, why, sizeof why))
        return pm_refuse(p, "%s", why);
    if (b->map == PM_MAP_PARTS && b->how != PM_BIND_PARTS)
        p->warn("option '-map-by' has no effect without '-bind-to' and a part of the machine");
    return 0;
}
