/* bind_options.c — options that bind ranks to CPUs. */
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

int pm_check_bind_options(struct pm_parser *p)
{
    struct pm_bind *b = &p->spec->bind;
    char why[256];

    if (pm_bind_finish(b, why, sizeof why))
        return pm_refuse(p, "%s", why);
    if (b->map == PM_MAP_PARTS && b->how != PM_BIND_PARTS)
        p->warn("option '-map-by' has no effect without '-bind-to' and a part of the machine");
    return 0;
}
