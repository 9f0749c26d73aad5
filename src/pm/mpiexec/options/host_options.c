/* host_options.c — options that say on which hosts ranks are, and how many. */
#include <string.h>
#include <strings.h>
#include "pm/mpiexec/options/option.h"
#include "pm/pmi/pmi_line.h"

int pm_opt_host(struct pm_parser *p, const char *name, char **args)
{
    p->program->host_option = name;
    p->program->host = args[0];
    return 0;
}

int pm_opt_hosts(struct pm_parser *p, const char *name, char **args)
{
    p->spec->host_option = name;
    p->spec->host = args[0];
    return 0;
}

int pm_opt_hostfile(struct pm_parser *p, const char *name, char **args)
{
    if (p->spec->hostfile && strcmp(p->spec->hostfile, args[0]) != 0)
        return pm_usage_error(p, "'%s %s': the hosts are in '%s' already", name, args[0],
                              p->spec->hostfile);
    p->spec->hostfile = args[0];
    return 0;
}

int pm_opt_manager(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->manager = args[0];
    return 0;
}

int pm_opt_own_name(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->own_name = args[0];
    return 0;
}

int pm_opt_per_host(struct pm_parser *p, const char *name, char **args)
{
    int n;

    if (pmi_parse_int(args[0], strlen(args[0]), &n) || n < 1 || n > PM_SLOTS_MAX)
        return pm_usage_error(p, "'%s %s': the number of processes on a host must be 1 to %d", name,
                              args[0], PM_SLOTS_MAX);
    p->spec->layout.per_host = n;
    return 0;
}

int pm_opt_one_per_host(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->layout.per_host = 1;
    return 0;
}

int pm_opt_by_node(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->layout.by_node = true;
    return 0;
}

int pm_opt_order(struct pm_parser *p, const char *name, char **args)
{
    if (!strcasecmp(args[0], "ASCENDING") || !strcasecmp(args[0], "UP"))
        p->spec->layout.order = PM_ASCENDING;
    else if (!strcasecmp(args[0], "DESCENDING") || !strcasecmp(args[0], "DOWN"))
        p->spec->layout.order = PM_DESCENDING;
    else
        return pm_usage_error(p, "'%s %s': neither ASCENDING nor DESCENDING", name, args[0]);
    return 0;
}

int pm_opt_skip_here(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->layout.skip_here = true;
    return 0;
}

int pm_opt_strict(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->layout.strict = true;
    return 0;
}

int pm_opt_soft(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->program->soft = args[0];
    return 0;
}

int pm_opt_arch(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->program->arch = args[0];
    return 0;
}
