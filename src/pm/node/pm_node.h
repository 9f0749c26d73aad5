/* pm_node.h — a node: starts processes here, passes on their output and their PMI requests, and
 * leaves none of them behind.
 *
 * The owner of a node is mpiexec with its jobs. It gives commands, and the node answers with
 * events; no command returns a result, and all arguments are numbers, texts and bytes. Commands and
 * events are therefore calls in one process, or frames of a channel to another host. An event may
 * come before the command that it answers has returned.
 *
 * The owner numbers the processes of a node, whatever job they are of: no two have the same number
 * until their job is forgotten. A job is a number, too, and has one plan. Streams of output name a
 * sink, also a number: the node stops reading all streams of a sink that is paused. Log lines of
 * the node are written with pm_log(). */
#ifndef PM_NODE_H
#define PM_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "pm/node/supervisor.h"

struct pm_executable {    /* what processes execute; not copied */
    char *const *argv;    /* ended by NULL; [0] is a name to look for */
    const char *arch;     /* the architecture that the node must have; NULL: any */
    const char *wdir;     /* NULL: the working directory of the node, */
    bool wdir_may_miss;   /* and also when it is not there */
    const char *path;     /* directories to search, separated by colons; NULL: the usual ones, */
    bool path_first;      /* also for names with a slash */
    char *const *environ; /* ended by NULL; the node adds what differs from process to process */
    bool login; /* and the variables of its own login that environ does not set: pm_is_of_login() */
};

/* login.c: whether a variable belongs to a host or a login, and not to a job. */
bool pm_is_of_login(const char *name, size_t len);

enum { PM_ALL_JOBS = -1 };

struct pm_plan {
    int job;
    const struct pm_executable *executable;
    size_t executables;
    int processes;         /* how many will be started */
    size_t files_of_owner; /* files that the owner will open in the process of the node */
    bool topology;         /* the owner wants to know what machine the node is */
    int leftovers_ms;      /* what processes leave behind has that long to end: pm_node_end() */
};

struct pm_refusal { /* why a plan is refused */
    enum {
        PM_NO_PROGRAM,
        PM_NO_DIRECTORY,
        PM_NO_ARCH,
        PM_OPEN_MPI,
        PM_FEW_FILES,
        PM_NO_RESOURCE
    } what;
    int err;               /* -errno, but for PM_FEW_FILES */
    size_t executable;     /* of the first four: which one of the plan */
    uint64_t files, limit; /* of PM_FEW_FILES: open files that are needed, and allowed */
};

enum { PM_OUT, PM_ERR, PM_STREAMS }; /* standard output and error of a process */
enum { PM_NO_SINK = -1 };            /* the stream is /dev/null */

/* Until when the node holds output: a line until its end, or, with PM_HOLD_PROMPTS, until it does
 * not grow, because it may be a prompt; with PM_HOLD_QUESTIONS only while the process may read the
 * answer, because its standard input is open. */
enum pm_hold { PM_HOLD_NOTHING, PM_HOLD_LINES, PM_HOLD_QUESTIONS, PM_HOLD_PROMPTS };

/* The standard input of a process: nothing, that of the node, or what pm_node_input() passes. */
enum pm_input_kind { PM_INPUT_NONE, PM_INPUT_INHERITED, PM_INPUT_FORWARDED };

struct pm_start {
    int process; /* its number */
    int job, rank;
    int local_rank, local_size; /* among the ranks of its job on the node */
    size_t executable;          /* of the plan of the job */
    int sink[PM_STREAMS];
    enum pm_hold hold[PM_STREAMS];
    bool pty; /* standard output is a pseudo-terminal, or a pipe where none is to be had */
    enum pm_input_kind input;
    const char *cpus; /* to bind it to, as "0,4-7"; NULL: it is not bound */
};

struct pm_node_events {
    void *owner;
    /* The node can start the processes of the plan. host: its name; topology: what starling_topo
     * prints, or NULL when that is not wanted, or failed, as a log line has said. */
    void (*ready)(void *owner, int job, const char *host, const char *topology);
    void (*refused)(void *owner, int job, const struct pm_refusal *why);
    void (*started)(void *owner, int process, pid_t pid, const char *file);
    /* It could not be started because of what, a file or a text, and will not exit. */
    void (*not_started)(void *owner, int process, int err, const char *what);
    /* Lines, or the beginning of one. With more its end will follow, and until then other output
     * of the sink waits. */
    void (*output)(void *owner, int process, int stream, const char *bytes, size_t len, bool more);
    void (*output_ended)(void *owner, int process, int stream);
    void (*pmi)(void *owner, int process, const char *bytes, size_t len);
    void (*pmi_ended)(void *owner, int process); /* it has closed its PMI socket */
    void (*pmi_stuck)(void *owner, int process); /* the process does not read */
    void (*input_taken)(void *owner, int process);
    void (*input_ended)(void *owner, int process); /* it reads no more */
    void (*exiting)(void *owner, int process); /* exited() will follow: pm_node_find_exiting() */
    void (*exiting_found)(void *owner);        /* all of these */
    /* All its PMI requests have been passed on. Its output may still follow. last: the MPI call
     * that a signal has ended it in, or its last one, to be put behind the name of the signal; ""
     * when that is not known. */
    void (*exited)(void *owner, int process, int wait_status, const char *last);
    void (*forgotten)(void *owner, int job); /* nothing of it is left: pm_node_forget_job() */
    /* No process is left, or only those that SIGKILL does not end, as a log line has said; all
     * output has been passed on. */
    void (*ended)(void *owner);
};

struct pm_node;

/* Needs an open loop. signals: what processes get back. NULL with errno. */
struct pm_node *pm_node_create(const struct pm_node_events *events,
                               const struct pm_signals *signals);

/* The answer is ready() or refused(). */
void pm_node_prepare(struct pm_node *n, const struct pm_plan *plan);

/* The answer is started() or not_started(). */
void pm_node_start(struct pm_node *n, const struct pm_start *start);

void pm_node_pause(struct pm_node *n, int sink, bool paused);

/* The window size of pseudo-terminals from now on, 0 to USHRT_MAX. */
void pm_node_resize(struct pm_node *n, int rows, int columns);

/* Sends bytes to the PMI socket of a process. */
void pm_node_pmi(struct pm_node *n, int process, const char *bytes, size_t len);

/* Sends a line, and with it a descriptor of the memory of this number, which is made if need be;
 * where that is not possible, the other line alone. Memory PMI_CALLS is new, and of the process
 * alone: pmi_calls.h. */
void pm_node_share(struct pm_node *n, int process, int memory, const char *line,
                   const char *otherwise);
void pm_node_forget(struct pm_node *n, int memory); /* no process gets it any more */

/* Bytes for standard input, PM_INPUT_MAX at most; none: its end. More may be sent after
 * input_taken(). */
enum { PM_INPUT_MAX = 65536 };
void pm_node_input(struct pm_node *n, int process, const char *bytes, size_t len);

/* To the process groups of the processes of a job, or of all: PM_ALL_JOBS. */
void pm_node_signal(struct pm_node *n, int job, int signal);

/* The answer is exiting() for each process that is exiting now, and then exiting_found(). A process
 * closes its descriptors before its end is reported: what others do when they see that may arrive
 * first. */
void pm_node_find_exiting(struct pm_node *n);

/* No process of the job will be started any more. The answer is forgotten(), after all other events
 * of the job, when its processes and their groups have ended. */
void pm_node_forget_job(struct pm_node *n, int job);

/* No process of any job will be started any more; the node ends when there is none. */
void pm_node_finish(struct pm_node *n);

/* Ends the processes of all jobs: with this signal, and with SIGKILL those that have not ended
 * grace_ms later. When the processes and their groups have ended, what they leave behind has
 * leftovers_ms of its plan, if that is less. */
void pm_node_end(struct pm_node *n, int signal, int grace_ms);
void pm_node_kill(struct pm_node *n); /* with SIGKILL at once */

/* After the end of the processes, what is left of their output is lost. */
void pm_node_drop_output(struct pm_node *n);

#endif /* PM_NODE_H */
