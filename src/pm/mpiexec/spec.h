/* spec.h — the command line in parsed form: the programs of a job and its options. */
#ifndef SPEC_H
#define SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include "pm_bind.h"

enum { PM_SIZE_MAX = 100000 }; /* processes of a job */

enum pm_env_mode { PM_ENV_DEFAULT, PM_ENV_ALL, PM_ENV_NONE, PM_ENV_LIST };

struct pm_assignment {
    const char *name, *value;
};

/* The environment of a program: variables of mpiexec, then assignments in the order given. */
struct pm_env_rules {
    enum pm_env_mode mode;
    const char *list; /* for PM_ENV_LIST: names, separated by commas */
    struct pm_assignment *assign;
    size_t assigned;
};

struct pm_program {
    int count;                             /* processes */
    char **argv;                           /* ended by NULL; [0] as the user wrote it */
    const char *wdir;                      /* NULL: mpiexec's own */
    const char *host;                      /* as the user wrote it, or NULL */
    const char *wdir_option, *host_option; /* the names of the options that gave them */
    const char *path; /* directories to search, separated by colons; NULL: PATH */
    struct pm_env_rules env;
};

enum pm_action { PM_RUN, PM_HELP, PM_VERSION, PM_HELP_SETTINGS };

struct pm_spec { /* texts point into the arguments of the caller, unless marked as allocated */
    enum pm_action action;
    struct pm_program *program;
    size_t programs;
    int size; /* processes of all programs */
    struct pm_env_rules env;
    const char *prefix;            /* pattern before each line of output, or NULL */
    const char *outfile, *errfile; /* patterns, or NULL */
    char *settings;                /* "A=1\nB=2", or NULL; allocated */
    char *configfile; /* its text, into which the arguments of programs point; allocated */
    int universe;     /* -1: not known */
    int timeout_s;    /* 0: none */
    bool verbose;
    struct pm_bind bind;
    bool report_bindings;
};

/* options.c: fills *spec, which is zeroed, from the arguments after the name of mpiexec. 0, or
 * -EINVAL with a sentence in why that names the wrong value. Calls warn for options without
 * effect. */
int pm_parse(struct pm_spec *spec, char **args, char *why, size_t len,
             void (*warn)(const char *fmt, ...));
void pm_spec_free(struct pm_spec *spec);

void pm_help(void); /* prints the help text */

/* environ.c: makes the environment of a program, but for what differs from rank to rank. NULL: no
 * memory. */
char **pm_environ(const struct pm_spec *spec, const struct pm_program *program);
/* The value of a variable there, or NULL. */
const char *pm_environ_value(const struct pm_spec *spec, const struct pm_program *program,
                             const char *name);

#endif /* SPEC_H */
