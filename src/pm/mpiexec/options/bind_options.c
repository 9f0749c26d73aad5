/* bind_options.c — options that bind ranks to CPUs. */
#include <stdio.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"
#include "pm/pmi/pmi_line.h"

/* Refuses the value of an option, which is wrong for the reason why. */
static int bind_check_value(struct pm_parser *p, int err, const char *name, const char *value,
                            const char *why)
{
    return err ? pm_usage_error(p, "'%s %s': %s", name, value, why) : 0;
}

int pm_opt_bind_to(struct pm_parser *p, const char *name, char **args)
{
    char why[512];
    int err = pm_bind_to(&p->spec->bind, args[0], why, sizeof why);

    return bind_check_value(p, err, name, args[0], why);
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
    return bind_check_value(p, err, name, args[0], why);
}

/* "-bind-to-core" of Open MPI is "-bind-to core". */
int pm_opt_bind_to_object(struct pm_parser *p, const char *name, char **args)
{
    char *object = strrchr(name, '-') + 1;

    (void) args;
    return pm_opt_bind_to(p, name, &object);
}

/* "-bycore" of Open MPI is "-map-by core". */
int pm_opt_map_by_object(struct pm_parser *p, const char *name, char **args)
{
    char *object = strstr(name, "by") + 2;

    (void) args;
    return pm_opt_map_by(p, name, &object);
}

static int map_by(struct pm_parser *p, const char *name, const char *format, const char *value)
{
    char text[128], *arg = text;

    (void) snprintf(text, sizeof text, format, value);
    return pm_opt_map_by(p, name, &arg);
}

int pm_opt_per_socket(struct pm_parser *p, const char *name, char **args)
{
    return map_by(p, name, "ppr:%.80s:socket", args[0]);
}

int pm_opt_ppr(struct pm_parser *p, const char *name, char **args)
{
    return map_by(p, name, "ppr:%.80s", args[0]);
}

int pm_opt_cpus_per_rank(struct pm_parser *p, const char *name, char **args)
{
    int n;

    if (pmi_parse_int(args[0], strlen(args[0]), &n) || n < 1 || n > PM_CPUS)
        return pm_usage_error(p, "'%s %s': not a number from 1 to %d", name, args[0], PM_CPUS);
    p->spec->cpus_per_rank = n;
    return 0;
}

int pm_opt_membind(struct pm_parser *p, const char *name, char **args)
{
    char why[512];
    int err = pm_bind_memory(args[0], why, sizeof why);

    return bind_check_value(p, err, name, args[0], why);
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

    if (!b->pe)
        b->pe = p->spec->cpus_per_rank;
    if (pm_bind_finish(b, why, sizeof why))
        return pm_usage_error(p, "%s", why);
    if (b->map == PM_MAP_OBJECTS && b->how != PM_BIND_OBJECTS)
        p->warn("option '-map-by' has no effect without '-bind-to' and a part of the machine");
    return 0;
}
