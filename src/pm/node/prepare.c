/* prepare.c — prepares a node for the processes of a plan: finds their programs and directories,
 * and makes sure that there will be enough open files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

enum {
    PMI_FD_MIN = 10,       /* shell scripts may use the numbers below */
    FILES_PER_PROCESS = 4, /* PMI, its calls, standard output and error */
    FILES_OF_NODE = 32,
};

static int prepare_refuse(struct pm_refusal *why, int what, int err)
{
    why->what = what;
    why->err = err;
    return err;
}

static int open_files(struct pm_node *n, const struct pm_plan *plan, struct pm_refusal *why)
{
    struct rlimit r;
    rlim_t need = (rlim_t) (n->running + plan->processes) * FILES_PER_PROCESS + FILES_OF_NODE
                  + plan->files_of_owner;

    if (getrlimit(RLIMIT_NOFILE, &r))
        return prepare_refuse(why, PM_NO_RESOURCE, -errno);
    if (n->null_fd < 0)
        n->nofile = r;
    r.rlim_cur = r.rlim_max;
    (void) setrlimit(RLIMIT_NOFILE, &r);
    if (r.rlim_cur != RLIM_INFINITY && r.rlim_cur < need) {
        why->files = need;
        why->limit = r.rlim_cur;
        return prepare_refuse(why, PM_FEW_FILES, -EMFILE);
    }
    if (n->null_fd >= 0)
        return 0;
    n->null_fd = pm_open_null();
    if (n->null_fd < 0)
        return prepare_refuse(why, PM_NO_RESOURCE, n->null_fd);
    /* Reserves a free number for PMI_FD, so that descriptors the user passes to ranks stay open. */
    n->pmi_fd = fcntl(n->null_fd, F_DUPFD_CLOEXEC, PMI_FD_MIN);
    return n->pmi_fd < 0 ? prepare_refuse(why, PM_NO_RESOURCE, -errno) : 0;
}

/* 0 when processes can start in the directory, otherwise why not: -errno. */
static int check_directory(const char *dir)
{
    struct stat s;

    if (stat(dir, &s))
        return -errno;
    if (!S_ISDIR(s.st_mode))
        return -ENOTDIR;
    return access(dir, X_OK) ? -errno : 0;
}

static size_t list_length(char *const *list)
{
    size_t n = 0;

    while (list[n])
        n++;
    return n;
}

static bool has_variable(char *const *list, const char *name, size_t len)
{
    for (; *list; list++)
        if (!strncmp(*list, name, len) && (*list)[len] == '=')
            return true;
    return false;
}

static char **make_environ(const struct pm_executable *x)
{
    size_t n = list_length(x->environ), own = x->login ? list_length(environ) : 0;
    char **made = calloc(n + own + PM_ENV_SLOTS + 1, sizeof *made), **to = made + PM_ENV_SLOTS;

    if (!made)
        return NULL;
    memcpy(to, x->environ, n * sizeof *to);
    for (size_t i = 0; i < own; i++) {
        size_t len = strcspn(environ[i], "=");
        if (pm_is_of_login(environ[i], len) && !has_variable(x->environ, environ[i], len))
            to[n++] = environ[i];
    }
    return made;
}

static int find_program(struct pm_program_file *f, const struct pm_executable *x,
                        struct pm_refusal *why)
{
    char file[PM_FILE_NAME_MAX], arch[256];
    const char *wdir = x->wdir;
    int err = wdir ? check_directory(wdir) : 0;

    if (x->arch && (!os_machine(arch, sizeof arch) || strcasecmp(arch, x->arch) != 0))
        return prepare_refuse(why, PM_NO_ARCH, -ENOEXEC);
    if (err && !x->wdir_may_miss)
        return prepare_refuse(why, PM_NO_DIRECTORY, err);
    if (err)
        wdir = NULL;
    err = pm_find(x, file, sizeof file);
    if (err)
        return prepare_refuse(why, PM_NO_PROGRAM, err);
    if (pm_is_of_open_mpi(file))
        return prepare_refuse(why, PM_OPEN_MPI, -ENOTSUP);
    *f = (struct pm_program_file) {
        .executable = x, .wdir = wdir, .file = strdup(file), .environ = make_environ(x)
    };
    return f->file && f->environ ? 0 : prepare_refuse(why, PM_NO_RESOURCE, -ENOMEM);
}

const struct pm_program_file *pm_program_of(const struct pm_node *n, int job, size_t executable)
{
    const struct pm_programs *p = n->programs;

    while (p && p->job != job)
        p = p->next;
    return p && executable < p->count ? &p->file[executable] : NULL;
}

static void programs_free(struct pm_programs *p)
{
    while (p->count) {
        struct pm_program_file *f = &p->file[--p->count];
        free(f->file);
        free(f->environ);
    }
    free(p);
}

void pm_forget_programs(struct pm_node *n, int job)
{
    struct pm_programs **at = &n->programs;

    while (*at && (*at)->job != job)
        at = &(*at)->next;
    struct pm_programs *p = *at;
    if (!p)
        return;
    *at = p->next;
    programs_free(p);
}

static int find_programs(struct pm_node *n, const struct pm_plan *plan, struct pm_refusal *why)
{
    size_t bytes = plan->executables * sizeof(struct pm_program_file);
    struct pm_programs *p = calloc(1, sizeof *p + bytes);

    if (!p)
        return prepare_refuse(why, PM_NO_RESOURCE, -ENOMEM);
    p->job = plan->job;
    for (size_t i = 0; i < plan->executables; i++) {
        why->executable = i;
        int err = find_program(&p->file[i], &plan->executable[i], why);
        p->count += !err;
        if (err) {
            programs_free(p);
            return err;
        }
    }
    p->next = n->programs;
    n->programs = p;
    return 0;
}

void pm_node_prepare(struct pm_node *n, const struct pm_plan *plan)
{
    struct pm_refusal why = { .err = 0 };
    char host[256];

    n->leftovers_ms = plan->leftovers_ms;
    int err = open_files(n, plan, &why);

    if (!err)
        err = find_programs(n, plan, &why);
    if (err) {
        n->events.refused(n->events.owner, plan->job, &why);
        return;
    }
    os_hostname(host, sizeof host);
    char *topology = plan->topology ? pm_ask_topology(n, host) : NULL;
    n->events.ready(n->events.owner, plan->job, host, topology);
    free(topology);
}
