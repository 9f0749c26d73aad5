/* parse.c — makes a spec of the environment and of the command line. */
#include "pm/mpiexec/options/option.h"

int pm_parse(struct pm_spec *spec, char **args, char *why, size_t len,
             void (*warn)(const char *fmt, ...))
{
    struct pm_parser p = {
        .spec = spec, .table = pm_options, .warn = warn, .why = why, .len = len
    };

    spec->universe = PM_UNIVERSE_SYSTEM;
    spec->grace_s = -1;
    spec->node_timeout_s = PM_NODE_TIMEOUT_S;
    spec->direct_hosts = PM_DIRECT_HOSTS;
    if (!args[0])
        return pm_usage_error(&p, "no program to run; mpiexec -help lists the options");
    int err = pm_parse_variables(&p);
    if (!err)
        err = pm_parse_programs(&p, args);
    if (spec->timestamp && !spec->prefix)
        spec->prefix = "<%s>:";
    if (!err && spec->action == PM_RUN)
        err = pm_check_bind_options(&p);
    return err;
}
