/* option.h — the options of mpiexec are a table; the help text is made from it. */
#ifndef OPTION_H
#define OPTION_H

#include "spec.h"

struct pm_parser {
    struct pm_spec *spec;
    struct pm_program *program; /* between the last colon and the next */
    void (*warn)(const char *fmt, ...);
    char *why;
    size_t len;
};

enum pm_scope { PM_JOB, PM_PROGRAM }; /* for everything, or up to the next colon */

struct pm_option {
    const char *names;  /* without dashes, separated by blanks; the first is in the help text */
    const char *params; /* one word for each argument */
    enum pm_scope scope;
    int (*set)(struct pm_parser *p, const char *name, char **args);
    const char *help; /* one sentence; NULL: accepted, but not offered */
};

extern const struct pm_option pm_options[]; /* ended by names == NULL */

int pm_option_arity(const struct pm_option *o);

/* nearest.c: the table's option of that name, and for people the most similar name or NULL. */
const struct pm_option *pm_option_find(const char *name, size_t len);
const char *pm_option_nearest(const char *name);

/* Sets why, returns -EINVAL. */
int pm_refuse(struct pm_parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* handlers.c */
int pm_opt_count(struct pm_parser *p, const char *name, char **args);
int pm_opt_wdir(struct pm_parser *p, const char *name, char **args);
int pm_opt_path(struct pm_parser *p, const char *name, char **args);
int pm_opt_host(struct pm_parser *p, const char *name, char **args);
int pm_opt_label(struct pm_parser *p, const char *name, char **args);
int pm_opt_prefix(struct pm_parser *p, const char *name, char **args);
int pm_opt_outfile(struct pm_parser *p, const char *name, char **args);
int pm_opt_errfile(struct pm_parser *p, const char *name, char **args);
int pm_opt_timeout(struct pm_parser *p, const char *name, char **args);
int pm_opt_usize(struct pm_parser *p, const char *name, char **args);
int pm_opt_verbose(struct pm_parser *p, const char *name, char **args);
int pm_opt_help(struct pm_parser *p, const char *name, char **args);
int pm_opt_version(struct pm_parser *p, const char *name, char **args);
int pm_opt_help_settings(struct pm_parser *p, const char *name, char **args);
int pm_opt_bind(struct pm_parser *p, const char *name, char **args);
int pm_opt_ignore(struct pm_parser *p, const char *name, char **args);
int pm_opt_warn(struct pm_parser *p, const char *name, char **args);
int pm_opt_unsupported(struct pm_parser *p, const char *name, char **args);

/* settings.c */
int pm_opt_set(struct pm_parser *p, const char *name, char **args);

/* env_options.c */
int pm_opt_env(struct pm_parser *p, const char *name, char **args);
int pm_opt_genv(struct pm_parser *p, const char *name, char **args);
int pm_opt_envlist(struct pm_parser *p, const char *name, char **args);
int pm_opt_genvlist(struct pm_parser *p, const char *name, char **args);
int pm_opt_envmode(struct pm_parser *p, const char *name, char **args);
int pm_opt_genvmode(struct pm_parser *p, const char *name, char **args);
int pm_opt_export(struct pm_parser *p, const char *name, char **args);

/* configfile.c: adds the programs that a file describes, one on each line. */
int pm_opt_configfile(struct pm_parser *p, const char *name, char **args);

/* options.c: parses one or more programs with colons between them, and adds them. */
int pm_parse_programs(struct pm_parser *p, char **args);

#endif /* OPTION_H */
