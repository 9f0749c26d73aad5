/* handlers.c — a function for each option: checks the arguments of the option, and sets pm_spec. */
#include <limits.h>
#include <string.h>
#include <strings.h>
#include "pm/mpiexec/options/option.h"
#include "pm/pmi/pmi_line.h"

int pm_opt_count(struct pm_parser *p, const char *name, char **args)
{
    int n;

    if (pmi_parse_int(args[0], strlen(args[0]), &n))
        return pm_usage_error(p, "'%s %s': not a number of processes", name, args[0]);
    if (n < 1 || n > PM_SIZE_MAX)
        return pm_usage_error(p, "'%s %s': the number of processes must be 1 to %d", name, args[0],
                              PM_SIZE_MAX);
    if (!strcmp(name + strspn(name, "-"), "c") && p->program->maxprocs && p->program->maxprocs != n)
        return pm_usage_error(
            p,
            "'%s %s': the number of processes is %d already; -cpus-per-proc gives "
            "each of them several cores, as -c of srun does",
            name, args[0], p->program->maxprocs);
    p->program->maxprocs = n;
    return 0;
}

int pm_opt_wdir(struct pm_parser *p, const char *name, char **args)
{
    p->program->wdir_option = name;
    p->program->wdir = args[0];
    return 0;
}

int pm_opt_path(struct pm_parser *p, const char *name, char **args)
{
    (void) name;
    p->program->path = args[0];
    return 0;
}

int pm_opt_timeout(struct pm_parser *p, const char *name, char **args)
{
    int n;

    if (pmi_parse_int(args[0], strlen(args[0]), &n) || n < 0 || n > INT_MAX / 1000)
        return pm_usage_error(p, "'%s %s': not a number of seconds", name, args[0]);
    p->spec->timeout_s = n;
    return 0;
}

int pm_opt_stdout_pty(struct pm_parser *p, const char *name, char **args)
{
    bool yes = !strcmp(args[0], "yes");

    if (!yes && strcmp(args[0], "no") != 0)
        return pm_usage_error(p, "'%s %s': not yes or no", name, args[0]);
    p->spec->pty = yes ? PM_PTY_YES : PM_PTY_NO;
    return 0;
}

int pm_opt_grace(struct pm_parser *p, const char *name, char **args)
{
    int n;

    if (pmi_parse_int(args[0], strlen(args[0]), &n) || n < 0 || n > INT_MAX / 10000)
        return pm_usage_error(p, "'%s %s': not a number of seconds", name, args[0]);
    p->spec->grace_s = n;
    return 0;
}

/* A parameter of Open MPI. */
int pm_opt_mca(struct pm_parser *p, const char *name, char **args)
{
    if (!strcmp(args[0], "odls_base_sigkill_timeout"))
        return pm_opt_grace(p, args[0], args + 1);
    return pm_opt_warn(p, name, args);
}

int pm_opt_usize(struct pm_parser *p, const char *name, char **args)
{
    int n = -1;

    if (!strcasecmp(args[0], "SYSTEM")) {
        n = PM_UNIVERSE_SYSTEM;
    } else if (strcasecmp(args[0], "INFINITE")
               && (pmi_parse_int(args[0], strlen(args[0]), &n) || n < 1)) {
        return pm_usage_error(p, "'%s %s': not a number, SYSTEM or INFINITE", name, args[0]);
    }
    p->spec->universe = n;
    p->spec->usize = args[0];
    return 0;
}

int pm_opt_survive(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->survive = true;
    return 0;
}

int pm_opt_exit_codes(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->exit_codes = true;
    return 0;
}

int pm_opt_errhandler(struct pm_parser *p, const char *name, char **args)
{
    if (strcmp(args[0], "mpi_errors_are_fatal") != 0)
        return pm_usage_error(
            p,
            "'%s %s': only mpi_errors_are_fatal is supported; the program can call "
            "MPI_Comm_set_errhandler",
            name, args[0]);
    return 0;
}

int pm_opt_json(struct pm_parser *p, const char *name, char **args)
{
    int err = pm_file_check(args[0]);

    if (err)
        return pm_usage_error(p, "'%s %s': %s", name, args[0], strerror(-err));
    p->spec->json = args[0];
    return 0;
}

int pm_opt_verbose(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->verbose = true;
    return 0;
}

int pm_opt_help(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->action = PM_HELP;
    return 0;
}

int pm_opt_version(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->action = PM_VERSION;
    return 0;
}

int pm_opt_help_settings(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->action = PM_HELP_SETTINGS;
    return 0;
}

int pm_opt_jobs(struct pm_parser *p, const char *name, char **args)
{
    (void) name, (void) args;
    p->spec->action = PM_JOBS;
    return 0;
}

int pm_opt_ignore(struct pm_parser *p, const char *name, char **args)
{
    (void) p, (void) name, (void) args;
    return 0;
}

int pm_opt_warn(struct pm_parser *p, const char *name, char **args)
{
    bool alone = strchr(name, '=') || !args[0];

    p->warn("option '%s%s%s' has no effect here and is ignored", name, alone ? "" : " ",
            alone ? "" : args[0]);
    return 0;
}
