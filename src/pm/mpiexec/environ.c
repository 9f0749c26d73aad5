/* environ.c — the environment of a program.
 *
 * It is made once for each program. The nodes add the variables that differ from rank to rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "spec.h"

extern char **environ;

struct list {
    char **text;
    size_t len, size;
    bool failed;
};

/* Variables that mpiexec sets, or that belong to another launcher, to which a rank must not
 * connect. */
static const char *const reserved[] = { "PMI_RANK",       "MPI_LOCALRANKID", "PMI_FD",
                                        "PMI_SIZE",       "MPI_LOCALNRANKS", "PMI_PORT",
                                        "PMI_ID",         "PMI_SPAWNED",     "PMI_JOBID",
                                        "HYDI_CONTROL_FD" };

static bool is_reserved(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strlen(reserved[i]) == len && !memcmp(reserved[i], name, len))
            return true;
    return false;
}

static void add(struct list *l, char *text)
{
    if (l->len + 1 >= l->size) {
        size_t size = l->size * 2 + 64;
        char **more = realloc(l->text, size * sizeof *more);
        if (!more) {
            l->failed = true;
            return;
        }
        l->text = more;
        l->size = size;
    }
    l->text[l->len++] = text;
    l->text[l->len] = NULL;
}

static bool is_inherited(const char *text)
{
    char **e = environ;

    while (*e && *e != text)
        e++;
    return *e != NULL;
}

static bool has(const struct list *l, const char *start)
{
    for (size_t i = 0; i < l->len; i++)
        if (!strncmp(l->text[i], start, strlen(start)))
            return true;
    return false;
}

static void put(struct list *l, const char *name, const char *value)
{
    size_t len = strlen(name), size = len + strlen(value) + 2;
    char *text = malloc(size);

    if (!text) {
        l->failed = true;
        return;
    }
    (void) snprintf(text, size, "%s=%s", name, value);
    for (size_t i = 0; i < l->len; i++) {
        if (strncmp(l->text[i], text, len + 1) != 0)
            continue;
        if (!is_inherited(l->text[i]))
            free(l->text[i]);
        l->text[i] = text;
        return;
    }
    add(l, text);
}

static void put_int(struct list *l, const char *name, int value)
{
    char digits[16];

    (void) snprintf(digits, sizeof digits, "%d", value);
    put(l, name, digits);
}

static bool listed(const char *list, const char *name, size_t len)
{
    for (size_t width; *list; list += width + (list[width] == ',')) {
        width = strcspn(list, ",");
        if (width == len && !memcmp(list, name, len))
            return true;
    }
    return false;
}

/* Whether a variable of mpiexec is passed to the ranks. */
static bool passes(const struct pm_env_rules *r, const char *name, size_t len)
{
    return r->mode != PM_ENV_NONE && !is_reserved(name, len)
           && (r->mode != PM_ENV_LIST || listed(r->list, name, len));
}

static void inherit(struct list *l, const struct pm_env_rules *r)
{
    for (char **e = environ; *e; e++)
        if (passes(r, *e, strcspn(*e, "=")))
            add(l, *e);
}

static void assign(struct list *l, const struct pm_env_rules *r)
{
    for (size_t i = 0; i < r->assigned; i++)
        if (!is_reserved(r->assign[i].name, strlen(r->assign[i].name)))
            put(l, r->assign[i].name, r->assign[i].value);
}

static const char *assigned(const struct pm_env_rules *r, const char *name)
{
    for (size_t i = r->assigned; i-- > 0;)
        if (!strcmp(r->assign[i].name, name))
            return r->assign[i].value;
    return NULL;
}

const char *pm_environ_value(const struct pm_spec *spec, const struct pm_program *program,
                             const char *name)
{
    const struct pm_env_rules *own = &program->env;
    const struct pm_env_rules *rules = own->mode == PM_ENV_DEFAULT ? &spec->env : own;
    const char *value = assigned(own, name);

    if (!value)
        value = assigned(&spec->env, name);
    if (value || !passes(rules, name, strlen(name)))
        return value;
    return getenv(name);
}

char **pm_environ(const struct pm_spec *spec, const struct pm_program *program)
{
    const struct pm_env_rules *own = &program->env;
    struct list l = { 0 };

    inherit(&l, own->mode == PM_ENV_DEFAULT ? &spec->env : own);
    /* Without it the output of Fortran programs appears at their end. */
    if (!has(&l, "GFORTRAN_UNBUFFERED_PRECONNECTED="))
        put(&l, "GFORTRAN_UNBUFFERED_PRECONNECTED", "y");
    assign(&l, &spec->env);
    assign(&l, own);
    put_int(&l, "PMI_SIZE", spec->size);
    if (!l.failed)
        return l.text;
    free(l.text);
    return NULL;
}
