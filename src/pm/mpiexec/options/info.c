/* info.c — the info keys of a program that is spawned: each has the syntax of an option of mpiexec,
 * or is a file. Other keys are ignored. Of two that say the same, the last one counts; what the
 * file of the key `file` says, comes first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"
#include "pm/pmi/pmi_line.h"
#include "platform/soft.h"

struct info {
    struct pm_parser parser; /* first: the functions of options get it */
    struct pm_kept **kept;
};

static struct info *info_of(struct pm_parser *p) { return (struct info *) (void *) p; }

static int refuse_memory(struct pm_parser *p) { return pm_usage_error(p, "out of memory"); }

/* A file by its whole name: what is not absolute is below the directory of the spawner. */
static char *path_below(struct pm_parser *p, const char *name)
{
    const struct info *i = info_of(p);
    const char *cwd = p->program->cwd;
    char *text = NULL;

    if (*name == '/' || !cwd)
        return pm_keep(i->kept, strdup(name));
    return asprintf(&text, "%s/%s", cwd, name) < 0 ? NULL : pm_keep(i->kept, text);
}

/* ---- keys that differ from the options ------------------------------------------------------- */

static int set_wdir(struct pm_parser *p, const char *name, char **args)
{
    p->program->wdir_option = name;
    p->program->wdir = path_below(p, args[0]);
    return p->program->wdir ? 0 : refuse_memory(p);
}

static int set_path(struct pm_parser *p, const char *name, char **args)
{
    p->program->path_first = true;
    return pm_opt_path(p, name, args);
}

static int set_soft(struct pm_parser *p, const char *name, char **args)
{
    if (soft_largest(args[0], PM_SIZE_MAX) < 0)
        return pm_usage_error(p, "'%s %.200s': not a list of numbers and ranges a:b:step", name,
                              args[0]);
    return pm_opt_soft(p, name, args);
}

/* The hosts of a file as a list of names. */
static char *names_of(const struct pm_hosts *h)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    for (size_t i = 0; f && i < h->count; i++) {
        const struct pm_host_entry *e = h->entry[i];
        bool colon = strchr(e->name, ':');
        fprintf(f, "%s%s%s%s%s%s", i ? "," : "", e->user ? e->user : "", e->user ? "@" : "",
                colon ? "[" : "", e->name, colon ? "]" : "");
        if (e->given)
            fprintf(f, ":%d", e->slots);
    }
    if (f && !fclose(f))
        return text;
    free(text);
    return NULL;
}

static int set_hostfile(struct pm_parser *p, const char *name, char **args)
{
    struct pm_hosts list = { .entry = NULL };
    const char *file = path_below(p, args[0]);
    int err = file ? 0 : refuse_memory(p);

    if (!err && pm_hosts_from_file(&list, file))
        err = pm_usage_error(p, "'%s %.200s': %s", name, args[0], list.why);
    if (!err && !list.count)
        err = pm_usage_error(p, "'%s %.200s': the file names no host", name, args[0]);
    char *names = err ? NULL : pm_keep(info_of(p)->kept, names_of(&list));
    if (!err && !names)
        err = refuse_memory(p);
    pm_hosts_free(&list);
    if (!err)
        err = pm_opt_host(p, name, &names);
    return err;
}

/* Lines NAME=VALUE. */
static int set_env(struct pm_parser *p, const char *name, char **args)
{
    int err = 0;

    for (char *line = args[0], *next; line && !err; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (*line && strchr(line, '=') <= line)
            err = pm_usage_error(p, "'%s %.200s': not NAME=VALUE", name, line);
        else if (*line)
            err = pm_opt_env(p, name, &line);
    }
    return err;
}

static int set_appnum(struct pm_parser *p, const char *name, char **args)
{
    if (pmi_parse_int(args[0], strlen(args[0]), &p->program->appnum) || p->program->appnum < 0)
        return pm_usage_error(p, "'%s %.200s': not a number from 0 on", name, args[0]);
    p->program->has_appnum = true;
    return 0;
}

static const struct {
    const char *key;
    int (*set)(struct pm_parser *p, const char *name, char **args);
} keys[] = {
    { "host", pm_opt_host },
    { "hosts", pm_opt_host },
    { "add-host", pm_opt_host },
    { "hostfile", set_hostfile },
    { "add-hostfile", set_hostfile },
    { "wdir", set_wdir },
    { "path", set_path },
    { "soft", set_soft },
    { "arch", pm_opt_arch },
    { "env", set_env },
    { "map_by", pm_opt_map_by },
    { "bind_to", pm_opt_bind_to },
    { "npernode", pm_opt_per_host },
    { "appnum", set_appnum },
};

static int set_key(struct pm_parser *p, const char *key, const char *value)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].key, key) != 0)
            continue;
        char *copy = pm_keep(info_of(p)->kept, strdup(value));
        return copy ? keys[i].set(p, keys[i].key, &copy) : refuse_memory(p);
    }
    return 0;
}

/* ---- the key `file` -------------------------------------------------------------------------- */

static char *trim_blanks(char *text)
{
    text += strspn(text, " \t\r");
    for (size_t len = strlen(text); len && strchr(" \t\r", text[len - 1]); len--)
        text[len - 1] = '\0';
    return text;
}

/* A line "key = value"; an empty one, or one that begins with '#', says nothing. */
static int read_line(struct pm_parser *p, char *line, const char *file, int number)
{
    char *value = strchr(line, '=');

    line = trim_blanks(line);
    if (!*line || *line == '#')
        return 0;
    if (!value)
        return pm_usage_error(p, "'file %.200s', line %d: '%.80s' is not KEY = VALUE", file, number,
                              line);
    *value = '\0';
    return set_key(p, trim_blanks(line), trim_blanks(value + 1));
}

static int read_file(struct pm_parser *p, const char *file)
{
    size_t len;
    const char *path = path_below(p, file);
    char *text = path ? pm_read_text(path, &len) : NULL;
    int err = 0, number = 1;

    if (!text)
        return pm_usage_error(p, "'file %.200s': %s", file, strerror(path ? errno : ENOMEM));
    for (char *line = text, *next; line && !err; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        err = read_line(p, line, file, number++);
    }
    free(text);
    return err;
}

/* ---- all keys of a program ------------------------------------------------------------------- */

int pm_read_info(const struct pm_info *info, struct pm_spec *spec, struct pm_program *program,
                 char *why, size_t len)
{
    const struct pm_bind before = spec->bind;
    struct info i = {
        .parser = { .spec = spec, .program = program, .warn = info->warn, .why = why, .len = len },
        .kept = info->kept
    };
    struct pm_parser *p = &i.parser;
    int err = 0;

    for (size_t k = 0; k < info->pairs && !err; k++)
        if (!strcmp(info->pair[k].key, "file"))
            err = read_file(p, info->pair[k].value);
    for (size_t k = 0; k < info->pairs && !err; k++)
        err = set_key(p, info->pair[k].key, info->pair[k].value);
    if (!err && !pm_bind_same(&before, &spec->bind))
        err = pm_check_bind_options(p);
    return err;
}
