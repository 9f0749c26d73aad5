/* spec.h — what the command line asks for, before anything has started. */
#ifndef SPEC_H
#define SPEC_H

#include <stdbool.h>
#include <stddef.h>

enum { PM_SIZE_MAX = 100000 }; /* processes of a job */

enum pm_env_mode { PM_ENV_DEFAULT, PM_ENV_ALL, PM_ENV_NONE, PM_ENV_LIST };

struct pm_assignment {
    const char *name, *value;
};

/* Which variables a program gets: some of mpiexec's own, and assignments in the order given. */
struct pm_env_rules {
    enum pm_env_mode mode;
    const char *list; /* for PM_ENV_LIST: names, separated by commas */
    struct pm_assignment *assign;
    size_t assigned;
};

struct pm_program {
    int count;        /* processes */
    char **argv;      /* ended by NULL; [0] as the user wrote it */
    const char *wdir; /* NULL: mpiexec's own */
    const char *host; /* as the user wrote it, or NULL */
    const char *path; /* colon list to look in; NULL: PATH */
    struct pm_env_rules env;
};

enum pm_action { PM_RUN, PM_HELP, PM_VERSION, PM_HELP_SETTINGS };

struct pm_spec { /* texts are the caller's arguments, unless said otherwise */
    enum pm_action action;
    struct pm_program *program;
    size_t programs;
    int size; /* processes of all programs */
    struct pm_env_rules env;
    const char *prefix;            /* pattern before each line of output, or NULL */
    const char *outfile, *errfile; /* patterns, or NULL */
    char *settings;                /* "A=1\nB=2", or NULL; allocated */
    char *configfile;              /* its text, which the programs' words lie in; allocated */
    int universe;                  /* -1: not known */
    int timeout_s;                 /* 0: none */
    bool verbose;
};

/* options.c: fills *spec, all zero, from the arguments after mpiexec's name. 0, or -EINVAL and
 * in why a sentence that names the value. warn is told about options without effect. */
int pm_parse(struct pm_spec *spec, char **args, char *why, size_t len,
             void (*warn)(const char *fmt, ...));
void pm_spec_free(struct pm_spec *spec);

void pm_help(void); /* to stdout, made from the table of options */

/* environ.c: the environment of a program. Its first PM_ENV_SLOTS pointers are for the variables
 * that differ from rank to rank; the caller sets them. NULL: out of memory. */
enum { PM_ENV_RANK, PM_ENV_LOCAL_RANK, PM_ENV_SLOTS };
char **pm_environ(const struct pm_spec *spec, const struct pm_program *program, int pmi_fd);

/* find.c: the file that a program's name stands for. 0, -ENOENT, or what is wrong with the file
 * that has that name. */
int pm_find(const struct pm_program *program, char *file, size_t len);

/* What the errno of execve(file) is about: the file, or in text what the file needs. */
const char *pm_culprit(const char *file, int err, char *text, size_t len);

#endif /* SPEC_H */
