/* pmix_spawn.c — a spawn by PMIx. libpmix's thread tells its end, and other requests pass it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

#define PREPUT "PMI_PREPUT_" /* PMIx has no store for a new job: its environment is used */

/* Of info keys that PMIx has by another name. All others are not known to its launchers. */
static const struct {
    const char *key, *name;
} names[] = {
    { "host", PMIX_ABI_HOST },
    { "hostfile", PMIX_ABI_HOSTFILE },
    { "wdir", PMIX_ABI_WDIR },
};
enum { NAMES = sizeof names / sizeof *names };

/* ---- programs as libpmix takes them ---------------------------------------------------------- */

/* All is allocated as libpmix does it, which adds to it. */

static void free_list(char **list)
{
    for (char **text = list; text && *text; text++)
        free(*text);
    free(list);
}

static void free_app(struct pmix_abi_app *app)
{
    free_list(app->argv);
    free_list(app->env);
    free(app->command);
    free(app->cwd);
    for (size_t i = 0; i < app->infos; i++)
        if (app->info[i].value.type == PMIX_ABI_STRING)
            free(app->info[i].value.data.string);
    free(app->info);
}

void pmix_spawn_free(struct pmi_spawn *s)
{
    for (int i = 0; i < s->programs; i++)
        free_app(&s->apps[i]);
    free(s->apps);
    s->apps = NULL;
    s->programs = 0;
}

static bool copy_text(char **to, const char *text)
{
    *to = strdup(text);
    return *to;
}

static bool fill_argv(struct pmix_abi_app *app, const struct pmi_spawn_program *program)
{
    size_t n = 0;

    while (program->argv && program->argv[n])
        n++;
    app->argv = calloc(n + 2, sizeof *app->argv);
    bool filled = app->argv && copy_text(&app->command, program->command)
                  && copy_text(&app->argv[0], program->command);
    for (size_t i = 0; i < n && filled; i++)
        filled = copy_text(&app->argv[i + 1], program->argv[i]);
    return filled;
}

static bool fill_environment(struct pmix_abi_app *app, const struct pmi_spawn_request *r)
{
    app->env = calloc((size_t) r->preputs + 1, sizeof *app->env);
    bool filled = app->env;
    for (int i = 0; i < r->preputs && filled; i++) {
        const struct pmi_pair *p = &r->preput[i];
        char text[sizeof PREPUT + PMI_KEY_MAX + 1 + PMI_SEGMENT_MAX];
        (void) snprintf(text, sizeof text, PREPUT "%s=%s", p->key, p->value);
        filled = copy_text(&app->env[i], text);
    }
    return filled;
}

static const char *name_of(const char *key)
{
    int k = 0;

    while (k < NAMES && strcmp(key, names[k].key) != 0)
        k++;
    return k < NAMES ? names[k].name : NULL;
}

/* Without any, app->info has to be NULL. */
static bool fill_infos(struct pmix_abi_app *app, const struct pmi_spawn_program *program)
{
    bool filled = true;

    for (int i = 0; i < program->infos && filled; i++) {
        const char *name = name_of(program->info[i].key);
        if (!name)
            continue;
        if (!app->info)
            app->info = calloc((size_t) program->infos, sizeof *app->info);
        struct pmix_abi_info *info = app->info ? &app->info[app->infos++] : NULL;
        filled = info && copy_text(&info->value.data.string, program->info[i].value);
        if (!filled)
            break;
        memcpy(info->key, name, strlen(name));
        info->value.type = PMIX_ABI_STRING;
    }
    return filled;
}

static bool fill_apps(struct pmi_spawn *s, const struct pmi_spawn_request *r)
{
    s->apps = calloc((size_t) r->programs, sizeof *s->apps);
    bool filled = s->apps;
    for (int i = 0; i < r->programs && filled; i++) {
        struct pmix_abi_app *app = &s->apps[s->programs++];
        app->count = r->program[i].count;
        filled = fill_argv(app, &r->program[i]) && fill_environment(app, r)
                 && fill_infos(app, &r->program[i]);
    }
    return filled;
}

/* ---- the spawn ------------------------------------------------------------------------------- */

static void spawn_end(struct pmi_spawn *s, int status)
{
    s->err = status ? -ECANCELED : 0;
    (void) snprintf(s->why, sizeof s->why, "%s", status ? pmix.error_text(status) : "");
    atomic_store(&s->over, true);
    pmix_notify();
}

/* Called by libpmix's thread. */
static void on_spawned(int status, char *job, void *arg)
{
    (void) job;
    spawn_end(arg, status);
}

int pmix_spawn_start(const struct pmi_spawn_request *r, struct pmi_spawn *s)
{
    if (!fill_apps(s, r)) {
        pmix_spawn_free(s);
        return pmi_fail(-ENOMEM, "no memory for a spawn of %d processes", s->processes);
    }
    int status = pmix.spawn(NULL, 0, s->apps, (size_t) s->programs, on_spawned, s);
    if (status)
        spawn_end(s, status);
    return 0;
}

int pmix_preput(const char *key, char *value, size_t len)
{
    char name[sizeof PREPUT + PMI_KEY_MAX];

    (void) snprintf(name, sizeof name, PREPUT "%s", key);
    const char *text = getenv(name);
    if (!text)
        return pmi_fail(-ENOENT, "the spawn that started this process had no '%s'", key);
    if (strlen(text) >= len)
        return pmi_fail(-EMSGSIZE, "the value of '%s' needs more than %zu bytes", key, len);
    memcpy(value, text, strlen(text) + 1);
    (void) unsetenv(name); /* a program that this process starts is of no spawn */
    return 0;
}
