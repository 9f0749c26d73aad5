/* mpiexec_options.h — the command line in parsed form: the programs of a job and its options. */
#ifndef MPIEXEC_OPTIONS_H
#define MPIEXEC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "pm/bind/pm_bind.h"
#include "pm/hosts/pm_hosts.h"
#include "pm/channel/pm_remote.h"

enum { PM_SIZE_MAX = 100000 }; /* processes of a job */
enum { PM_NODE_TIMEOUT_S = 10, PM_DIRECT_HOSTS = 64 };
enum { PM_UNIVERSE_SYSTEM = -2 };

enum pm_env_mode { PM_ENV_DEFAULT, PM_ENV_ALL, PM_ENV_NONE, PM_ENV_LIST };

struct pm_assignment {
    const char *name, *value;
    char *text; /* that they point into, or NULL; allocated */
};

/* The environment of a program: variables of mpiexec, then assignments in the order given. */
struct pm_env_rules {
    enum pm_env_mode mode;
    const char *list; /* for PM_ENV_LIST: names, separated by commas */
    struct pm_assignment *assign;
    size_t assigned;
};

struct pm_program {
    int maxprocs;            /* of -n; 0: not given, then set by pm_find_hosts() */
    int count;               /* processes, set by pm_find_hosts(): maxprocs, or what -soft allows */
    char **argv;             /* ended by NULL; [0] as the user wrote it */
    const char *wdir;        /* NULL: mpiexec's own */
    const char *wdir_option; /* the name of the option that gave it */
    const char *cwd; /* where it runs without wdir, if that directory is there: of the spawner; or
                      * NULL */
    const char *host, *host_option; /* the hosts to run on, and the name of the option, or NULL */
    const char *soft, *arch;        /* as the user wrote them, or NULL */
    const char *file;               /* of -file, or NULL */
    char *file_text;                /* what is in it; allocated */
    const char *path;               /* directories to search, separated by colons; NULL: PATH */
    bool path_first;                /* also for names with a slash */
    bool has_appnum;                /* MPI_APPNUM is not the number of the program, but: */
    int appnum;
    struct pm_env_rules env;
    const struct pm_layout *layout; /* NULL: that of all programs */
};

enum { PM_INPUT_TO_ALL = -1, PM_INPUT_TO_NONE = -2 };

enum pm_pty_use { PM_PTY_AUTO, PM_PTY_YES, PM_PTY_NO };

enum pm_action { PM_RUN, PM_HELP, PM_VERSION, PM_HELP_SETTINGS, PM_JOBS, PM_SERVE_NAMES };

struct pm_spec { /* texts point into the arguments of the caller, unless marked as allocated */
    enum pm_action action;
    const struct pm_option *help_of; /* with PM_HELP: of this option only, or NULL */
    struct pm_program *program;
    size_t programs;
    int size; /* processes of all programs, set by pm_find_hosts() */
    struct pm_env_rules env;
    const char *prefix;            /* pattern before each line of output, or NULL */
    bool timestamp;                /* and before that the date and the time */
    const char *outfile, *errfile; /* patterns, or NULL */
    char *outdir;                  /* directory for a file of each stream, or NULL; allocated */
    bool copies;             /* the files are copies of what mpiexec writes to its own output */
    bool merges;             /* standard error of ranks goes where their standard output goes */
    const char *output_from; /* ranks whose output is shown, as "0,4-7"; NULL: all */
    const char *output_from_option; /* the name of the option that gave it */
    char *settings;                 /* "A=1\nB=2", or NULL; allocated */
    char *configfile;  /* its text, into which the arguments of programs point; allocated */
    int universe;      /* -1: no value; PM_UNIVERSE_SYSTEM until pm_find_hosts() */
    const char *usize; /* as the user wrote it, or NULL */
    const char *hostfile, *manager, *own_name; /* of -f, -rmk and -localhost, or NULL */
    const char *host, *host_option;            /* for programs without hosts of their own */
    struct pm_layout layout;
    struct pm_hosts hosts;
    int *place;               /* the number of the host of each rank; allocated */
    int timeout_s;            /* 0: none */
    int grace_s;              /* that ranks have to end after a signal; -1: as grace.c says */
    int input_rank;           /* that has standard input, or one of the numbers above */
    const char *input_option; /* the name of the option that gave it */
    const char *names_file;   /* with PM_SERVE_NAMES */
    const char *json;         /* file to describe the job in, or NULL */
    char **command;           /* the arguments of mpiexec, also its name; ended by NULL */
    uint64_t started_ns;      /* when mpiexec was started: pm_clock_ns() */
    const char *version;      /* of Starling */
    bool verbose;
    enum pm_pty_use pty;       /* for standard output of the ranks */
    struct pm_ports ports;     /* for proxies that connect to mpiexec */
    bool exit_codes;           /* print those of all ranks */
    bool survive;              /* the job goes on when ranks die */
    const char *self;          /* how mpiexec was called */
    const char *launcher;      /* how nodes are reached: ssh, rsh or fork; NULL: not given */
    const char *launcher_exec; /* the program instead of ssh or rsh, or NULL */
    const char *tree;          /* of -prefix: where Starling is installed, or NULL */
    int direct_hosts;          /* that mpiexec reaches without a relay */
    int node_timeout_s;        /* a node that does not answer for so long is lost; 0: no limit */
    struct pm_bind bind;
    int cpus_per_rank; /* of -cpus-per-proc, which stands for pe= of -map-by; 0: not given */
    bool report_bindings;
};

/* parse.c: fills *spec, which is zeroed, from the arguments after the name of mpiexec. 0, or
 * -EINVAL with a sentence in why that names the wrong value. Calls warn for options without
 * effect. */
int pm_parse(struct pm_spec *spec, char **args, char *why, size_t len,
             void (*warn)(const char *fmt, ...));
void pm_spec_free(struct pm_spec *spec); /* options.c */

enum pm_reaches { PM_EACH_HOST, PM_ALL_HOSTS, PM_THIS_HOST }; /* by one command */

struct pm_launcher {
    const char *names;      /* separated by blanks; the first is its program */
    const char *manager;    /* the resource manager whose own it is, or NULL */
    const char *options[8]; /* before those of the user */
    const char *user;       /* the option for the name of a user; NULL: it has none */
    enum pm_reaches reaches;
};

#define PM_TIMEOUT_OPTION "ConnectTimeout" /* among the options of a launcher: with its value */
/* The names of all launchers, for texts. */
#define PM_LAUNCHERS "ssh, rsh, srun, blaunch, qrsh or fork"

/* launchers.c: the first is ssh, the last has no names. */
extern const struct pm_launcher pm_launchers[];
const struct pm_launcher *pm_launcher_find(const char *name); /* or NULL */

/* keep.c: memory of malloc() that is freed with a list; NULL when it cannot be kept, or is. */
struct pm_kept;
void *pm_keep(struct pm_kept **list, void *memory);
void pm_free_kept(struct pm_kept **list);

struct pm_info { /* of a program that is spawned */
    const struct pm_info_pair {
        const char *key, *value;
    } * pair;
    size_t pairs;
    struct pm_kept **kept; /* gets the texts of the program */
    void (*warn)(const char *fmt, ...);
};

/* info.c: sets what the keys say: in the program, and of spec the layout and the binding, which are
 * those of the command line. -EINVAL with a sentence in why that names the wrong value. */
int pm_read_info(const struct pm_info *info, struct pm_spec *spec, struct pm_program *program,
                 char *why, size_t len);

/* rank_options.c: whether the job, of which all ranks are known, has the ranks that options name.
 * 0, or -EINVAL with a sentence in why. */
int pm_check_ranks(const struct pm_spec *spec, char *why, size_t len);
bool pm_shows_rank(const struct pm_spec *spec, int rank); /* by -output-from */

/* write_file.c: writes a file, "-" for standard output, or finds out whether that may work:
 * -errno. */
int pm_file_write(const char *file, const char *text, size_t len);
int pm_file_check(const char *file);

/* help.c: prints the help text, or that of one option. */
void pm_help(const struct pm_option *o);

#endif /* MPIEXEC_OPTIONS_H */
