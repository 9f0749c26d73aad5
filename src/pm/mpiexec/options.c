/* options.c — parses the command line: programs with their options and arguments, with a colon
 * between two programs. */
#include <stdlib.h>
#include <string.h>
#include "option.h"

/* "-map-by -help" */
static bool asks(const char *word)
{
    return word && (!strcmp(word, "-help") || !strcmp(word, "--help"));
}

/* Handles "-name", "--name" or "--name=value". *taken: the number of args that belong to it. */
static int option(struct pm_parser *p, char **args, int *taken)
{
    const char *name = *args + 1 + ((*args)[1] == '-');
    size_t len = strcspn(name, "=");
    const struct pm_option *o = pm_option_find(name, len);
    int arity = o ? pm_option_arity(o) : 0, n = 0;
    char *value[] = { *args + (name - *args) + len + (name[len] == '='), NULL };

    const char *instead = o ? NULL : pm_option_instead(name, len);
    if (instead)
        return pm_refuse(p, "option '%s' is not supported: %s", *args, instead);
    if (!o || (name[len] && arity != 1)) {
        const char *near = pm_option_nearest(name);
        return pm_refuse(p, "unknown option '%s'%s%s%s; mpiexec -help lists them all", *args,
                         near ? ", did you mean -" : "", near ? near : "", near ? "?" : "");
    }
    *taken = 1;
    if (arity && !name[len] && asks(args[1])) {
        p->spec->action = PM_HELP;
        p->spec->help_of = o;
        return 0;
    }
    if (name[len])
        return o->set(p, *args, value);
    while (n < arity && args[1 + n])
        n++;
    if (n < arity)
        return pm_refuse(p, "option '%s' needs %d argument%s: %s", *args, arity,
                         arity > 1 ? "s" : "", o->params);
    *taken += arity;
    return o->set(p, *args, args + 1);
}

/* Adds a parsed program to the job. */
static int add(struct pm_parser *p, char **argv, size_t argc)
{
    struct pm_spec *s = p->spec;
    struct pm_program *more = realloc(s->program, (s->programs + 1) * sizeof *more);
    char **copy = malloc((argc + 1) * sizeof *copy);

    if (more)
        s->program = more;
    if (!more || !copy) {
        free(copy);
        return pm_refuse(p, "out of memory");
    }
    memcpy(copy, argv, argc * sizeof *copy);
    copy[argc] = NULL;
    p->program->argv = copy;
    s->program[s->programs++] = *p->program;
    return 0;
}

static void free_program(struct pm_program *p)
{
    free(p->env.assign);
    free(p->argv);
    free(p->file_text);
}

/* Parses one program, up to a colon or the end. *taken: the number of its args. */
static int program(struct pm_parser *p, char **args, size_t *taken)
{
    struct pm_program mine = { 0 };
    size_t before = p->spec->programs, i = 0, end;

    p->program = &mine;
    while (args[i] && args[i][0] == '-' && args[i][1]) {
        int n = 0, err = option(p, args + i, &n);
        if (err || p->spec->action != PM_RUN) {
            free_program(&mine);
            return err;
        }
        i += (size_t) n;
    }
    for (end = i; args[end] && strcmp(args[end], ":"); end++)
        continue;
    *taken = end;
    if (end > i)
        return add(p, args + i, end - i);
    free_program(&mine);
    if (p->spec->programs > before) /* the configuration file has added one */
        return 0;
    return pm_refuse(p, i ? "no program after '%s'" : "no program to run", i ? args[i - 1] : "");
}

int pm_parse_programs(struct pm_parser *p, char **args)
{
    size_t taken = 0;

    for (;;) {
        int err = program(p, args, &taken);
        if (err || p->spec->action != PM_RUN || !args[taken])
            return err;
        args += taken + 1;
    }
}

int pm_parse(struct pm_spec *spec, char **args, char *why, size_t len,
             void (*warn)(const char *fmt, ...))
{
    struct pm_parser p = { .spec = spec, .warn = warn, .why = why, .len = len };

    spec->universe = -1;
    spec->node_timeout_s = PM_NODE_TIMEOUT_S;
    spec->direct_hosts = PM_DIRECT_HOSTS;
    if (!args[0])
        return pm_refuse(&p, "no program to run; mpiexec -help lists the options");
    int err = pm_parse_variables(&p);
    if (!err)
        err = pm_parse_programs(&p, args);
    if (spec->timestamp && !spec->prefix)
        spec->prefix = "<%s>:";
    return err || spec->action != PM_RUN ? err : pm_check_bind_options(&p);
}

void pm_spec_free(struct pm_spec *spec)
{
    for (size_t i = 0; i < spec->programs; i++)
        free_program(&spec->program[i]);
    free(spec->program);
    free(spec->env.assign);
    free(spec->settings);
    free(spec->configfile);
    pm_hosts_free(&spec->hosts);
    free(spec->place);
    *spec = (struct pm_spec) { 0 };
}
