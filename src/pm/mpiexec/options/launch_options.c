/* launch_options.c — options about how nodes are reached. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "pm/mpiexec/options/option.h"
#include "pm/pmi/pmi_line.h"

int pm_opt_launcher(struct pm_parser *p, const char *name, char **args)
{
    if (!pm_launcher_find(args[0]))
        return pm_usage_error(p, "'%s %s': not " PM_LAUNCHERS, name, args[0]);
    p->spec->launcher = args[0];
    return 0;
}

int pm_opt_launcher_exec(struct pm_parser *p, const char *name, char **args)
{
    if (!*args[0])
        return pm_usage_error(p, "'%s': the name of a program is empty", name);
    p->spec->launcher_exec = args[0];
    return 0;
}

int pm_opt_tree(struct pm_parser *p, const char *name, char **args)
{
    char info[PATH_MAX];

    if (*args[0] != '/')
        return pm_usage_error(p, "'%s %s': not an absolute path", name, args[0]);
    if (snprintf(info, sizeof info, "%s/bin/ompi_info", args[0]) < (int) sizeof info
        && !access(info, F_OK))
        p->warn(
            "'%s %s': this is Open MPI's directory, which has bin/ompi_info; Starling's is meant",
            name, args[0]);
    p->spec->tree = args[0];
    return 0;
}

int pm_opt_node_timeout(struct pm_parser *p, const char *name, char **args)
{
    int n;

    if (pmi_parse_int(args[0], strlen(args[0]), &n) || n < 0 || n > INT_MAX / 10000)
        return pm_usage_error(p, "'%s %s': not a number of seconds", name, args[0]);
    p->spec->node_timeout_s = n;
    return 0;
}

int pm_opt_direct_hosts(struct pm_parser *p, const char *name, char **args)
{
    int n;

    if (pmi_parse_int(args[0], strlen(args[0]), &n) || n < 1 || n > PM_HOSTS_MAX)
        return pm_usage_error(p, "'%s %s': not a number of hosts", name, args[0]);
    p->spec->direct_hosts = n;
    return 0;
}
