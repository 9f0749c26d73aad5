/* variables.c — environment variables that stand for options, which are read before them. */
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"
#include "pm/pmi/pmi_line.h"

static int set_report(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->report_bindings = strcmp(args[0], "0") != 0;
    return 0;
}

static int set_verbose(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->verbose = strcmp(args[0], "0") != 0;
    return 0;
}

/* "LOW:HIGH" */
static int set_ports(struct pm_parser *p, const char *name, char **args)
{
    struct pm_ports *ports = &p->spec->ports;
    size_t len = strcspn(args[0], ":");
    const char *high = args[0] + len + (args[0][len] == ':');

    if (pmi_parse_int(args[0], len, &ports->low) || pmi_parse_int(high, strlen(high), &ports->high)
        || ports->low < 1 || ports->high < ports->low || ports->high > UINT16_MAX)
        return pm_usage_error(p, "%s is '%s': not LOW:HIGH, two ports", name, args[0]);
    return 0;
}

static int warn_of_file(struct pm_parser *p, const char *name, char **args)
{
    p->warn("the file of %s, %s, is not read", name, args[0]);
    return 0;
}

static const struct {
    const char *name;
    int (*set)(struct pm_parser *p, const char *name, char **args);
} variables[] = {
    { "MPIEXEC_TIMEOUT", pm_opt_timeout },
    { "HYDRA_BINDING", pm_opt_bind_to },
    { "HYDRA_MAPPING", pm_opt_map_by },
    { "HYDRA_MEMBIND", pm_opt_membind },
    { "HYDRA_TOPO_DEBUG", set_report },
    { "HYDRA_DEBUG", set_verbose },
    { "HYDRA_IFACE", pm_opt_iface },
    { "HYDRA_CONFIG_FILE", warn_of_file },
    /* The last one counts. */
    { "MPIR_CVAR_CH3_PORT_RANGE", set_ports },
    { "MPICH_PORT_RANGE", set_ports },
    { "MPIEXEC_PORTRANGE", set_ports },
    { "MPIEXEC_PORT_RANGE", set_ports },
};

int pm_parse_variables(struct pm_parser *p)
{
    int err = 0;

    for (size_t i = 0; !err && i < sizeof variables / sizeof *variables; i++) {
        char *value = getenv(variables[i].name);
        if (value && *value)
            err = variables[i].set(p, variables[i].name, &value);
    }
    return err;
}
