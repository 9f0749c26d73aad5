/* settings.c — the option -set NAME=VALUE: PMI passes the setting to the MPI library of each
 * rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"
#include "pm/server/pm_server.h"

static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

int pm_opt_set(struct pm_parser *p, const char *name, char **args)
{
    struct pm_spec *s = p->spec;
    size_t n = strspn(args[0], allowed), len = strlen(args[0]);
    size_t used = s->settings ? strlen(s->settings) : 0;

    if (!n || args[0][n] != '=' || strchr(args[0], '\n'))
        return pm_usage_error(p, "'%s %s': not NAME=VALUE", name, args[0]);
    if (used + len + 2 > PM_SETTINGS_MAX / 3) /* percent-encoding may triple the length */
        return pm_usage_error(p, "'%s %.40s...': all settings together are too long", name,
                              args[0]);
    char *more = realloc(s->settings, used + len + 2);
    if (!more)
        return pm_usage_error(p, "out of memory");
    if (used)
        more[used++] = '\n';
    memcpy(more + used, args[0], len + 1);
    s->settings = more;
    return 0;
}

int pm_opt_backtrace(struct pm_parser *p, const char *name, char **args)
{
    char text[] = "BACKTRACE=yes", *setting = text;

    (void) args;
    return pm_opt_set(p, name, &setting);
}

int pm_opt_iface(struct pm_parser *p, const char *name, char **args)
{
    char text[256], *setting = text;
    int n = snprintf(text, sizeof text, "SOCKETS_INTERFACE=%s", args[0]);

    if (!*args[0] || n >= (int) sizeof text)
        return pm_usage_error(p, "'%s %.40s': not the name of a network interface", name, args[0]);
    return pm_opt_set(p, name, &setting);
}
