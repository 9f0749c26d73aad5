/* options.c — parses the command line: programs with their options and arguments, with a colon
 * between two programs. */
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"

/* "-map-by -help" */
static bool is_help_word(const char *word)
{
    return word && (!strcmp(word, "-help") || !strcmp(word, "--help"));
}

/* Finds the option that a word is: "-name", "--name", "--name=value" or, for a number, "-n4".
 * *value: what the word has of its arguments, or NULL. */
static const struct pm_option *find_option(const struct pm_parser *p, char *word, char **value)
{
    char *name = word + 1 + (word[1] == '-');
    size_t len = strcspn(name, "="), digits = 0;
    const struct pm_option *o = pm_option_find(p->table, name, len);

    *value = name[len] ? name + len + 1 : NULL;
    if (o || *value)
        return o;
    while (digits < len && strchr("0123456789", name[len - digits - 1]))
        digits++;
    o = digits ? pm_option_find(p->table, name, len - digits) : NULL;
    *value = name + len - digits;
    return o && !strcmp(o->params, "N") ? o : NULL;
}

static int refuse_unknown(struct pm_parser *p, const char *word)
{
    const char *name = word + 1 + (word[1] == '-');
    const char *instead = pm_option_instead(name, strcspn(name, "="));
    const char *near = pm_option_nearest(p->table, name);

    if (instead)
        return pm_usage_error(p, "option '%s' is not supported: %s", word, instead);
    if (*name && !name[strspn(name, "0123456789")])
        return pm_usage_error(p, "unknown option '%s', did you mean -n %s?", word, name);
    return pm_usage_error(p, "unknown option '%s'%s%s%s; mpiexec -help lists them all", word,
                          near ? ", did you mean -" : "", near ? near : "", near ? "?" : "");
}

/* Whether an argument of an option is in truth the next option: then one is missing. */
static bool is_option(const struct pm_parser *p, char *word)
{
    const char *name = word + 1 + (word[0] && word[1] == '-');

    return word[0] == '-' && *name
           && (pm_option_find(p->table, name, strlen(name))
               || pm_option_instead(name, strlen(name)));
}

/* "-env A=1" has one argument. */
static bool is_assignment(const struct pm_option *o, const char *word)
{
    return (o->set == pm_opt_env || o->set == pm_opt_genv) && word && strchr(word, '=');
}

/* Handles an option. *taken: the number of args that belong to it. */
static int parse_option(struct pm_parser *p, char **args, int *taken)
{
    char *value[] = { NULL, NULL, NULL };
    const struct pm_option *o = find_option(p, *args, &value[0]);
    int arity = o ? pm_option_arity(o) : 0, n = o && value[0];

    *taken = 1;
    if (!o)
        return refuse_unknown(p, *args);
    if (n > arity)
        return pm_usage_error(p, "option '%s' is wrong: it has no argument", *args);
    if (arity && !n && is_help_word(args[1])) {
        p->spec->action = PM_HELP;
        p->spec->help_of = o;
        return 0;
    }
    if (is_assignment(o, n ? value[0] : args[1]))
        arity = 1;
    while (n < arity && args[*taken] && !is_option(p, args[*taken]))
        value[n++] = args[(*taken)++];
    if (n < arity)
        return pm_usage_error(
            p, "option '%s' needs %d argument%s: %s%s%s%s", *args, arity, arity > 1 ? "s" : "",
            o->params, args[*taken] ? ", but '" : "", args[*taken] ? args[*taken] : "",
            args[*taken] ? "' is an option; as a value, write it behind '='" : "");
    return o->set(p, *args, value);
}

/* Adds a parsed program to the job. */
static int parsed_program_add(struct pm_parser *p, char **argv, size_t argc)
{
    struct pm_spec *s = p->spec;
    struct pm_program *more = realloc(s->program, (s->programs + 1) * sizeof *more);
    char **copy = malloc((argc + 1) * sizeof *copy);

    if (more)
        s->program = more;
    if (!more || !copy) {
        free(copy);
        return pm_usage_error(p, "out of memory");
    }
    memcpy(copy, argv, argc * sizeof *copy);
    copy[argc] = NULL;
    p->program->argv = copy;
    s->program[s->programs++] = *p->program;
    return 0;
}

static void free_rules(struct pm_env_rules *r)
{
    for (size_t i = 0; i < r->assigned; i++)
        free(r->assign[i].text);
    free(r->assign);
}

static void free_program(struct pm_program *p)
{
    free_rules(&p->env);
    free(p->argv);
    free(p->file_text);
}

/* Whether options were given that are for the program. */
static bool has_options(const struct pm_program *p)
{
    return p->maxprocs || p->wdir || p->host || p->soft || p->arch || p->file || p->path
           || p->env.mode != PM_ENV_DEFAULT || p->env.assigned;
}

/* Parses one program, up to a colon or the end. *taken: the number of its args. */
static int program_parse(struct pm_parser *p, char **args, size_t *taken)
{
    struct pm_program mine = { 0 };
    size_t before = p->spec->programs, i = 0, end;

    p->program = &mine;
    while (args[i] && args[i][0] == '-' && args[i][1] && strcmp(args[i], "--") != 0) {
        int n = 0, err = parse_option(p, args + i, &n);
        if (err || p->spec->action != PM_RUN) {
            free_program(&mine);
            return err;
        }
        i += (size_t) n;
    }
    i += args[i] && !strcmp(args[i], "--"); /* the end of the options */
    for (end = i; args[end] && strcmp(args[end], ":"); end++)
        continue;
    *taken = end;
    if (end > i)
        return parsed_program_add(p, args + i, end - i);
    if (p->spec->programs > before && has_options(&mine))
        p->warn("options for a program have no effect before '%s', and belong into the file",
                args[i - 1]);
    free_program(&mine);
    if (p->spec->programs > before) /* the configuration file has added one */
        return 0;
    return pm_usage_error(p, i ? "no program after '%s'" : "no program to run",
                          i ? args[i - 1] : "");
}

int pm_parse_programs(struct pm_parser *p, char **args)
{
    size_t taken = 0;

    for (;;) {
        int err = program_parse(p, args, &taken);
        if (err || p->spec->action != PM_RUN || !args[taken])
            return err;
        args += taken + 1;
    }
}

void pm_spec_free(struct pm_spec *spec)
{
    for (size_t i = 0; i < spec->programs; i++)
        free_program(&spec->program[i]);
    free(spec->program);
    free_rules(&spec->env);
    free(spec->outdir);
    free(spec->settings);
    free(spec->configfile);
    pm_hosts_free(&spec->hosts);
    free(spec->place);
    *spec = (struct pm_spec) { 0 };
}
