/* environ.c — the environment of a program: that of mpiexec, or of the rank that spawns it.
 *
 * It is made once for each program. The nodes add the variables that differ from rank to rank. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/mpiexec/job/job_impl.h"
#include "pm/node/pm_node.h"
#include "pm/pmi/pmi.h"

extern char **environ;

struct list {
    char **base; /* the variables that are inherited, of which texts are not copied */
    char **text;
    size_t len, size;
    bool failed;
};

/* Variables that mpiexec sets, or that belong to another launcher, to which a rank must not
 * connect. */
static const char *const reserved[] = { "PMI_RANK",
                                        "MPI_LOCALRANKID",
                                        "PMI_FD",
                                        "PMI_SIZE",
                                        "MPI_LOCALNRANKS",
                                        "PMI_PORT",
                                        "PMI_ID",
                                        "PMI_SPAWNED",
                                        "PMI_JOBID",
                                        "HYDI_CONTROL_FD",
                                        "OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_LOCAL_RANK",
                                        "OMPI_COMM_WORLD_LOCAL_SIZE" };

static bool is_reserved(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strlen(reserved[i]) == len && !memcmp(reserved[i], name, len))
            return true;
    return false;
}

/* Where a program of Open MPI finds this, it looks there for its launcher, and fails. Otherwise it
 * believes to be the only process, and so would each of a job. */
#define OPEN_MPI_DAEMON "OMPI_MCA_orte_local_daemon_uri"

/* What begins so says which process of an outer launcher this one is, and how to reach that: a rank
 * is not this process. With a variable behind it: where that is set. */
static const struct {
    const char *start, *where;
} outer[] = { { "PMIX_", NULL },
              { OPEN_MPI_DAEMON, NULL },
              { "PRTE_", "PMIX_NAMESPACE" },
              { "SLURM_STEP", NULL },
              { "SLURM_SRUN_COMM_", NULL },
              { "SLURM_PROCID", NULL },
              { "SLURM_LOCALID", NULL },
              { "SLURM_NODEID", NULL },
              { "SLURM_TASK_PID", NULL },
              { "SLURM_GTIDS", NULL },
              { "SLURM_LAUNCH_NODE_IPADDR", NULL },
              { "SLURMD_NODENAME", NULL } };

static bool is_of_outer(const char *name)
{
    if (!strncmp(name, "OMPI_", 5) && pmi_is_below_open_mpi())
        return true;
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
        if (!strncmp(outer[i].start, name, strlen(outer[i].start))
            && (!outer[i].where || getenv(outer[i].where)))
            return true;
    return false;
}

static void env_list_add(struct list *l, char *text)
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

static bool is_inherited(char **e, const char *text)
{
    while (*e && *e != text)
        e++;
    return *e != NULL;
}

static bool has_env_prefix(const struct list *l, const char *start)
{
    for (size_t i = 0; i < l->len; i++)
        if (!strncmp(l->text[i], start, strlen(start)))
            return true;
    return false;
}

static void env_list_put(struct list *l, const char *name, const char *value)
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
        if (!is_inherited(l->base, l->text[i]))
            free(l->text[i]);
        l->text[i] = text;
        return;
    }
    env_list_add(l, text);
}

static void put_int(struct list *l, const char *name, int value)
{
    char digits[16];

    (void) snprintf(digits, sizeof digits, "%d", value);
    env_list_put(l, name, digits);
}

/* Programs read the name of their directory from PWD, which keeps symbolic links. */
static void put_directory(struct list *l, const char *wdir)
{
    char here[4096], text[2 * sizeof here];

    if (*wdir != '/' && !getcwd(here, sizeof here))
        return;
    int n = snprintf(text, sizeof text, "%s%s%s", *wdir == '/' ? "" : here, *wdir == '/' ? "" : "/",
                     wdir);
    if (n > 0 && (size_t) n < sizeof text)
        env_list_put(l, "PWD", text);
}

static bool is_listed_name(const char *list, const char *name, size_t len)
{
    for (size_t width; *list; list += width + (list[width] == ',')) {
        width = strcspn(list, ",");
        if (width == len && !memcmp(list, name, len))
            return true;
    }
    return false;
}

/* Whether a variable of mpiexec is passed to the ranks. */
static bool is_env_passed(const struct pm_env_rules *r, const char *name, size_t len,
                          bool elsewhere)
{
    if (r->mode == PM_ENV_NONE || is_reserved(name, len))
        return false;
    if (r->mode == PM_ENV_LIST)
        return is_listed_name(r->list, name, len);
    return !is_of_outer(name) && !(elsewhere && pm_is_of_login(name, len));
}

static void env_list_inherit(struct list *l, const struct pm_env_rules *r, bool elsewhere)
{
    for (char **e = l->base; *e; e++)
        if (is_env_passed(r, *e, strcspn(*e, "="), elsewhere))
            env_list_add(l, *e);
}

static void env_list_assign(struct list *l, const struct pm_env_rules *r)
{
    for (size_t i = 0; i < r->assigned; i++)
        if (!is_reserved(r->assign[i].name, strlen(r->assign[i].name)))
            env_list_put(l, r->assign[i].name, r->assign[i].value);
}

static const struct pm_env_rules *program_env_rules(const struct pm_spec *spec,
                                                    const struct pm_program *p)
{
    return p->env.mode == PM_ENV_DEFAULT ? &spec->env : &p->env;
}

bool pm_environ_is_whole(const struct pm_spec *spec, const struct pm_program *program)
{
    enum pm_env_mode mode = program_env_rules(spec, program)->mode;

    return mode == PM_ENV_DEFAULT || mode == PM_ENV_ALL;
}

/* The libraries of the installed tree come before those that the user has named. */
static void put_libraries(struct list *l, const char *tree, size_t len)
{
    static const char name[] = "LD_LIBRARY_PATH=";
    const char *before = "";
    char text[8192], dir[4096];

    for (size_t i = 0; i < l->len; i++)
        if (!strncmp(l->text[i], name, sizeof name - 1))
            before = l->text[i] + sizeof name - 1;
    int n = snprintf(dir, sizeof dir, "%.*s/lib", (int) len, tree);
    if (n < 0 || (size_t) n >= sizeof dir) {
        l->failed = true;
        return;
    }
    if (!strncmp(before, dir, (size_t) n) && (!before[n] || before[n] == ':'))
        return; /* the spawner has it from here */
    n = snprintf(text, sizeof text, "%s%s%s", dir, *before ? ":" : "", before);
    if ((size_t) n < sizeof text)
        env_list_put(l, "LD_LIBRARY_PATH", text);
    else
        l->failed = true;
}

/* The installed tree of the libraries for ranks, and its length; NULL: it is not known. */
static const char *tree_of(const struct pm_spec *spec, bool elsewhere, size_t *len)
{
    static const char end[] = "/bin/mpiexec";
    const char *self = spec->self && *spec->self == '/' && elsewhere ? spec->self : "";
    size_t all = strlen(self), tail = sizeof end - 1;

    *len = spec->tree ? strlen(spec->tree) : all > tail ? all - tail : 0;
    if (spec->tree)
        return spec->tree;
    return *len && !strcmp(self + *len, end) ? self : NULL;
}

static const char *assigned_value(const struct pm_env_rules *r, const char *name)
{
    for (size_t i = r->assigned; i-- > 0;)
        if (!strcmp(r->assign[i].name, name))
            return r->assign[i].value;
    return NULL;
}

static const char *list_value(char *const *list, const char *name)
{
    size_t len = strlen(name);

    for (; *list; list++)
        if (!strncmp(*list, name, len) && (*list)[len] == '=')
            return *list + len + 1;
    return NULL;
}

const char *pm_environ_value(const struct pm_job *j, const struct pm_program *program,
                             const char *name)
{
    const struct pm_spec *spec = j->run->spec;
    const char *value = assigned_value(&program->env, name);

    if (!value && j->environ)
        return list_value(j->environ, name);
    if (!value)
        value = assigned_value(&spec->env, name);
    if (value || !is_env_passed(program_env_rules(spec, program), name, strlen(name), false))
        return value;
    return getenv(name);
}

const char *pm_environ_path(const struct pm_job *j)
{
    return j->environ ? list_value(j->environ, "PATH") : getenv("PATH");
}

/* Without them the output of Fortran and Python programs appears at their end. */
static void put_unbuffered(struct list *l)
{
    if (!has_env_prefix(l, "GFORTRAN_UNBUFFERED_PRECONNECTED="))
        env_list_put(l, "GFORTRAN_UNBUFFERED_PRECONNECTED", "y");
    if (!has_env_prefix(l, "PYTHONUNBUFFERED="))
        env_list_put(l, "PYTHONUNBUFFERED", "1");
}

/* What the spawner has includes what the options say about the variables of all programs. */
static void env_list_begin(struct list *l, const struct pm_job *j, const struct pm_program *program,
                           bool elsewhere)
{
    static const struct pm_env_rules all = { .mode = PM_ENV_ALL };

    l->base = j->environ ? j->environ : environ;
    env_list_inherit(l, j->environ ? &all : program_env_rules(j->run->spec, program), elsewhere);
}

char **pm_environ(const struct pm_job *j, const struct pm_program *program, bool elsewhere)
{
    const struct pm_spec *spec = j->run->spec;
    struct list l = { 0 };
    size_t len;
    const char *tree = tree_of(spec, elsewhere, &len);
    const char *wdir = program->wdir ? program->wdir : program->cwd;

    env_list_begin(&l, j, program, elsewhere);
    put_unbuffered(&l);
    if (j->size > 1)
        env_list_put(&l, OPEN_MPI_DAEMON, "none: the launcher is Starling's mpiexec");
    if (wdir && has_env_prefix(&l, "PWD="))
        put_directory(&l, wdir);
    if (!j->environ)
        env_list_assign(&l, &spec->env);
    env_list_assign(&l, &program->env);
    if (tree)
        put_libraries(&l, tree, len);
    put_int(&l, "PMI_SIZE", j->size);
    put_int(&l, "OMPI_COMM_WORLD_SIZE", j->size);
    if (j->number)
        put_int(&l, "PMI_SPAWNED", 1);
    if (!l.failed)
        return l.text;
    free(l.text);
    return NULL;
}

void pm_environ_free(const struct pm_job *j, char *const *made)
{
    for (char *const *text = made; text && *text; text++)
        if (!is_inherited(j->environ ? j->environ : environ, *text))
            free(*text);
    free((void *) (uintptr_t) made);
}
