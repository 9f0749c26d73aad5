/* env_options.c — options that set or select environment variables. */
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"

/* text: that name and value point into, or NULL; it is the environment's from now on. */
static int assign_variable(struct pm_parser *p, struct pm_env_rules *r, struct pm_assignment a)
{
    struct pm_assignment *more = realloc(r->assign, (r->assigned + 1) * sizeof *more);

    if (!more) {
        free(a.text);
        return pm_usage_error(p, "out of memory");
    }
    r->assign = more;
    r->assign[r->assigned++] = a;
    return 0;
}

/* The first len bytes of a text: the name of a variable that gets this value. */
static int assign_to(struct pm_parser *p, struct pm_env_rules *r, const char *name, size_t len,
                     const char *value)
{
    char *text = strndup(name, len);

    return text ? assign_variable(p, r, (struct pm_assignment) { text, value, text })
                : pm_usage_error(p, "out of memory");
}

/* "NAME VALUE", or "NAME=VALUE" as one argument, which MPICH takes, too. */
static int env_option_set(struct pm_parser *p, struct pm_env_rules *r, const char *option,
                          char **args)
{
    const char *equals = strchr(args[0], '=');

    if (!args[0][0] || equals == args[0])
        return pm_usage_error(p, "'%s %s': not a variable name", option, args[0]);
    if (equals)
        return assign_to(p, r, args[0], (size_t) (equals - args[0]), equals + 1);
    return assign_variable(p, r, (struct pm_assignment) { args[0], args[1], NULL });
}

int pm_opt_env(struct pm_parser *p, const char *name, char **args)
{
    return env_option_set(p, &p->program->env, name, args);
}

int pm_opt_genv(struct pm_parser *p, const char *name, char **args)
{
    return env_option_set(p, &p->spec->env, name, args);
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

/* Whether "A=1,B=2" looks like two assignments: the name behind a comma has capital letters. */
static bool looks_like_several(const char *text)
{
    const char *comma = strchr(text, ',');
    size_t n = comma ? strspn(comma + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") : 0;
    const char *equals = strchr(text, '=');

    return n && comma[1 + n] == '=' && strchr(equals + 1, '=') == comma + 1 + n;
}

/* Passes variables of mpiexec, whose names are separated by commas. */
static int export_names(struct pm_parser *p, const char *option, const char *names)
{
    int err = 0;

    for (size_t len; *names && !err; names += len + (names[len] == ',')) {
        len = strcspn(names, ",");
        char *name = strndup(names, len);
        char *value = name ? getenv(name) : NULL;
        if (name && !value)
            p->warn("'%s %s': mpiexec has no variable of this name", option, name);
        free(name);
        if (value)
            err = assign_to(p, &p->program->env, names, len, value);
    }
    return err;
}

/* "NAME=VALUE", or "NAME" for the value that mpiexec has. */
int pm_opt_export(struct pm_parser *p, const char *name, char **args)
{
    const char *equals = strchr(args[0], '=');
    size_t len = strcspn(args[0], ",=");

    if (!len || (equals && args[0] + len < equals))
        return pm_usage_error(p, "'%s %s': not a variable name", name, args[0]);
    if (!equals)
        return export_names(p, name, args[0]);
    if (looks_like_several(args[0]))
        p->warn("'%s %s' sets one variable, as Open MPI does; for several, repeat %s", name,
                args[0], name);
    return env_option_set(p, &p->program->env, name, args);
}
