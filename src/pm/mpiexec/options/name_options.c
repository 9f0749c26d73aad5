/* name_options.c — the server of names: the option to be one, and to let ranks use one. */
#include <stdio.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"
#include "pm/seal/pm_call.h"

/* The ranks get what is in the file: it need not be on their hosts. */
int pm_opt_nameserver(struct pm_parser *p, const char *name, char **args)
{
    static const char setting[] = "NAMESERVER=";
    char text[sizeof setting + PM_CALL_LINE], copy[PM_CALL_LINE + 1], why[300];
    char *line = text + sizeof setting - 1, *argument = text;
    struct pm_callee server;

    (void) snprintf(text, sizeof text, "%s", setting);
    if (pm_call_read(args[0], line, why, sizeof why))
        return pm_usage_error(p, "'%s %s': %s", name, args[0], why);
    line[strcspn(line, "\n")] = '\0';
    (void) snprintf(copy, sizeof copy, "%s", line);
    if (pm_call_parse(copy, &server))
        return pm_usage_error(p, "'%s %s': not the file of mpiexec --serve-names", name, args[0]);
    return pm_opt_set(p, name, &argument);
}

int pm_opt_serve_names(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->action = PM_SERVE_NAMES;
    p->spec->names_file = args[0];
    return 0;
}
