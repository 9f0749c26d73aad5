/* env_options.c — options that set or select environment variables. */
#include <stdlib.h>
#include <string.h>
#include "option.h"

static int assign(struct pm_parser *p, struct pm_env_rules *r, const char *name, const char *value)
{
    struct pm_assignment *more = realloc(r->assign, (r->assigned + 1) * sizeof *more);

    if (!more)
        return pm_refuse(p, "out of memory");
    r->assign = more;
    r->assign[r->assigned++] = (struct pm_assignment) { name, value };
    return 0;
}

static int set(struct pm_parser *p, struct pm_env_rules *r, const char *option, char **args)
{
    if (!args[0][0] || strchr(args[0], '='))
        return pm_refuse(p, "'%s %s %s': not a variable name", option, args[0], args[1]);
    return assign(p, r, args[0], args[1]);
}

int pm_opt_env(struct pm_parser *p, const char *name, char **args)
{
    return set(p, &p->program->env, name, args);
}

int pm_opt_genv(struct pm_parser *p, const char *name, char **args)
{
    return set(p, &p->spec->env, name, args);
}

int pm_opt_envlist(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->program->env.mode = PM_ENV_LIST;
    p->program->env.list = args[0];
    return 0;
}

int pm_opt_genvlist(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->spec->env.mode = PM_ENV_LIST;
    p->spec->env.list = args[0];
    return 0;
}

static enum pm_env_mode mode_of(const char *name)
{
    return strstr(name, "none") ? PM_ENV_NONE : PM_ENV_ALL;
}

int pm_opt_envmode(struct pm_parser *p, const char *name, char **args)
{
    (void) args;
    p->program->env.mode = mode_of(name);
    return 0;
}

int pm_opt_genvmode(struct pm_parser *p, const char *name, char **args)
{
    (void) args;
    p->spec->env.mode = mode_of(name);
    return 0;
}

/* "NAME=VALUE", or "NAME" for the value that mpiexec has; without one, the option has no effect. */
int pm_opt_export(struct pm_parser *p, const char *name, char **args)
{
    char *equals = strchr(args[0], '=');
    const char *value = equals ? equals + 1 : getenv(args[0]);

    if (!args[0][0] || equals == args[0])
        return pm_refuse(p, "'%s %s': not a variable name", name, args[0]);
    if (!value)
        return 0;
    if (equals)
        *equals = '\0';
    return assign(p, &p->spec->env, args[0], value);
}
