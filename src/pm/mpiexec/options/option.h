/* option.h — the table of mpiexec's options, from which the help text and the manual are made. */
#ifndef OPTION_H
#define OPTION_H

#include "pm/mpiexec/options/mpiexec_options.h"

struct pm_parser {
    struct pm_spec *spec;
    const struct pm_option *table; /* its functions for files look options up, too */
    struct pm_program *program;    /* the program between two colons that is being parsed */
    void (*warn)(const char *fmt, ...);
    char *why;
    size_t len;
};

enum pm_scope { PM_JOB, PM_PROGRAM }; /* for the whole job, or up to the next colon */

struct pm_option {
    /* Without dashes, separated by blanks. The help text shows the first and lists the others. */
    const char *names;
    const char *params; /* names of the arguments, separated by blanks */
    enum pm_scope scope;
    int (*set)(struct pm_parser *p, const char *name, char **args);
    const char *help; /* a sentence; NULL: not in the help text */
};

extern const struct pm_option pm_options[]; /* the last row has no names */

int pm_option_arity(const struct pm_option *o);
/* Whether `name` is one of `names`, which are separated by blanks. */
bool pm_option_has_name(const char *names, const char *name, size_t len);

/* nearest.c: the option of that name in a table, and a name there that is so similar that it may be
 * meant; or NULL. */
const struct pm_option *pm_option_find(const struct pm_option *table, const char *name, size_t len);
const char *pm_option_nearest(const struct pm_option *table, const char *name);

/* foreign_options.c: what to use instead of an option that mpiexec does not have; NULL: it is not
 * known. */
const char *pm_option_instead(const char *name, size_t len);

/* usage_error.c: writes the error text to why and returns -EINVAL. */
int pm_usage_error(struct pm_parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* handlers.c */
int pm_opt_count(struct pm_parser *p, const char *name, char **args);
int pm_opt_wdir(struct pm_parser *p, const char *name, char **args);
int pm_opt_path(struct pm_parser *p, const char *name, char **args);
int pm_opt_timeout(struct pm_parser *p, const char *name, char **args);
int pm_opt_stdout_pty(struct pm_parser *p, const char *name, char **args);
int pm_opt_grace(struct pm_parser *p, const char *name, char **args);
int pm_opt_mca(struct pm_parser *p, const char *name, char **args);
int pm_opt_usize(struct pm_parser *p, const char *name, char **args);
int pm_opt_survive(struct pm_parser *p, const char *name, char **args);
int pm_opt_exit_codes(struct pm_parser *p, const char *name, char **args);
int pm_opt_errhandler(struct pm_parser *p, const char *name, char **args);
int pm_opt_json(struct pm_parser *p, const char *name, char **args);
int pm_opt_verbose(struct pm_parser *p, const char *name, char **args);
int pm_opt_help(struct pm_parser *p, const char *name, char **args);
int pm_opt_version(struct pm_parser *p, const char *name, char **args);
int pm_opt_jobs(struct pm_parser *p, const char *name, char **args);
int pm_opt_help_settings(struct pm_parser *p, const char *name, char **args);
int pm_opt_ignore(struct pm_parser *p, const char *name, char **args);
int pm_opt_warn(struct pm_parser *p, const char *name, char **args);

/* output_options.c */
int pm_opt_label(struct pm_parser *p, const char *name, char **args);
int pm_opt_prefix(struct pm_parser *p, const char *name, char **args);
int pm_opt_tag(struct pm_parser *p, const char *name, char **args);
int pm_opt_timestamp(struct pm_parser *p, const char *name, char **args);
int pm_opt_merge(struct pm_parser *p, const char *name, char **args);
int pm_opt_output(struct pm_parser *p, const char *name, char **args);
int pm_opt_outdir(struct pm_parser *p, const char *name, char **args);
int pm_opt_outname(struct pm_parser *p, const char *name, char **args);
int pm_opt_outfile(struct pm_parser *p, const char *name, char **args);
int pm_opt_errfile(struct pm_parser *p, const char *name, char **args);

/* rank_options.c */
int pm_opt_stdin(struct pm_parser *p, const char *name, char **args);
int pm_opt_output_from(struct pm_parser *p, const char *name, char **args);

/* launch_options.c */
int pm_opt_launcher(struct pm_parser *p, const char *name, char **args);
int pm_opt_launcher_exec(struct pm_parser *p, const char *name, char **args);
int pm_opt_tree(struct pm_parser *p, const char *name, char **args);
int pm_opt_direct_hosts(struct pm_parser *p, const char *name, char **args);
int pm_opt_node_timeout(struct pm_parser *p, const char *name, char **args);
/* host_options.c */
int pm_opt_host(struct pm_parser *p, const char *name, char **args);
int pm_opt_hosts(struct pm_parser *p, const char *name, char **args);
int pm_opt_hostfile(struct pm_parser *p, const char *name, char **args);
int pm_opt_manager(struct pm_parser *p, const char *name, char **args);
int pm_opt_own_name(struct pm_parser *p, const char *name, char **args);
int pm_opt_per_host(struct pm_parser *p, const char *name, char **args);
int pm_opt_one_per_host(struct pm_parser *p, const char *name, char **args);
int pm_opt_by_node(struct pm_parser *p, const char *name, char **args);
int pm_opt_order(struct pm_parser *p, const char *name, char **args);
int pm_opt_skip_here(struct pm_parser *p, const char *name, char **args);
int pm_opt_strict(struct pm_parser *p, const char *name, char **args);
int pm_opt_soft(struct pm_parser *p, const char *name, char **args);
int pm_opt_arch(struct pm_parser *p, const char *name, char **args);

/* program_file.c */
int pm_opt_file(struct pm_parser *p, const char *name, char **args);

/* bind_options.c */
int pm_opt_bind_to(struct pm_parser *p, const char *name, char **args);
int pm_opt_map_by(struct pm_parser *p, const char *name, char **args);
int pm_opt_bind_to_object(struct pm_parser *p, const char *name, char **args);
int pm_opt_map_by_object(struct pm_parser *p, const char *name, char **args);
int pm_opt_per_socket(struct pm_parser *p, const char *name, char **args);
int pm_opt_ppr(struct pm_parser *p, const char *name, char **args);
int pm_opt_cpus_per_rank(struct pm_parser *p, const char *name, char **args);
int pm_opt_membind(struct pm_parser *p, const char *name, char **args);
int pm_opt_report_bindings(struct pm_parser *p, const char *name, char **args);
int pm_check_bind_options(struct pm_parser *p); /* whether they fit together */

/* variables.c: what the environment says, before all options. */
int pm_parse_variables(struct pm_parser *p);

/* settings.c */
int pm_opt_set(struct pm_parser *p, const char *name, char **args);
int pm_opt_backtrace(struct pm_parser *p, const char *name, char **args);
int pm_opt_iface(struct pm_parser *p, const char *name, char **args);

/* name_options.c */
int pm_opt_nameserver(struct pm_parser *p, const char *name, char **args);
int pm_opt_serve_names(struct pm_parser *p, const char *name, char **args);

/* env_options.c */
int pm_opt_env(struct pm_parser *p, const char *name, char **args);
int pm_opt_genv(struct pm_parser *p, const char *name, char **args);
int pm_opt_envlist(struct pm_parser *p, const char *name, char **args);
int pm_opt_genvlist(struct pm_parser *p, const char *name, char **args);
int pm_opt_envmode(struct pm_parser *p, const char *name, char **args);
int pm_opt_genvmode(struct pm_parser *p, const char *name, char **args);
int pm_opt_export(struct pm_parser *p, const char *name, char **args);

/* configfile.c: adds the programs of a file, one on each line. */
int pm_opt_configfile(struct pm_parser *p, const char *name, char **args);

/* options.c: parses programs with colons between them, and adds them. */
int pm_parse_programs(struct pm_parser *p, char **args);

#endif /* OPTION_H */
