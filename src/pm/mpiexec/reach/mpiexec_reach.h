/* mpiexec_reach.h — a call of mpiexec with its jobs, the nodes that their ranks are on, and how
 * these are reached. */
#ifndef MPIEXEC_REACH_H
#define MPIEXEC_REACH_H

#include "pm/mpiexec/options/mpiexec_options.h"
#include "pm/node/loop.h"
#include "pm/node/pm_node.h"
#include "pm/channel/pm_remote.h"

enum pm_rank_state { PM_RANK_NOT_STARTED, PM_RANK_RUNS, PM_RANK_ENDED };

struct pm_rank {
    struct pm_job *job;
    const struct pm_program *program;
    struct pm_part *part;
    struct pm_host *host;
    int number;  /* in its job */
    int local;   /* its number in its part */
    int process; /* its number on that node, when it has been started */
    bool has_process;
    int executable; /* the number of its program in the plan of its part */
    enum pm_rank_state state;
    pid_t pid;                        /* 0: it was not started */
    int error;                        /* why it was not: errno, or 0 when it is not known */
    int wait_status;                  /* when it has exited */
    uint64_t started_ns, ended_ns;    /* as mpiexec heard of it: pm_clock_ns() */
    struct pm_sink *sink[PM_STREAMS]; /* NULL: its output is not wanted */
    struct pm_sink *copy[PM_STREAMS]; /* a file that gets the same, or NULL */
    bool unfinished[PM_STREAMS];      /* the last line of that stream has no newline yet */
    bool exiting; /* before the job was told to end: its status may be the cause of that */
    bool exited;
    bool pmi_ended; /* it has closed its PMI socket */
    bool reads;     /* standard input is forwarded to it */
    bool behind;    /* the node has not taken all of the input yet */
};

struct pm_host { /* a node of the run */
    struct pm_run *run;
    int number, entry;         /* in the run, and in the list of hosts */
    struct pm_node *node;      /* inside mpiexec, */
    struct pm_remote *remote;  /* or behind a proxy */
    struct pm_rank **process;  /* the rank of each process, by its number; NULL: there is none */
    int processes, room, free; /* free: no number below is free */
    int size;                  /* ranks that have been placed there */
    bool ready;                /* for the ranks of a job */
    bool lost, ended;
    bool asked;                   /* which ranks are exiting, and has not answered yet */
    bool invented;                /* the node may call itself otherwise: keep the name */
    char name[256];               /* as the user wrote it, then as the node calls itself */
    struct pm_bind bind;          /* how its ranks are bound to CPUs */
    struct pm_topology *topology; /* NULL: not known */
};

struct pm_part { /* the ranks of a job on a node */
    struct pm_job *job;
    struct pm_host *host;
    int *rank; /* their numbers in the job */
    int size;
    bool ready, forgotten;
    char *refusal;                    /* why the node refuses them; NULL: it does not */
    struct pm_executable *executable; /* of their plan, */
    size_t *program, executables;     /* and the number of the program of each */
    struct pm_cpus *cpus;             /* of each rank; NULL: none is bound */
};

enum pm_job_state {
    PM_JOB_STARTS,    /* it is spawned, and its spawner waits for the answer */
    PM_JOB_PROBATION, /* its spawner has not connected to it yet: pmi_spawn.h */
    PM_JOB_STARTED,   /* or it is that of the command line */
    PM_JOB_ABANDONED, /* it could not be started as a whole: its ranks do not matter */
};

struct pm_job {
    struct pm_job *next;
    struct pm_run *run;
    int number; /* 0: that of the command line */
    char name[64];
    const struct pm_program *program;
    size_t programs;
    int size, started, running;
    int first;        /* the number of rank 0 among the ranks of all jobs */
    const int *place; /* the number of the host of each rank in the list */
    struct pm_rank *rank;
    bool inside;                      /* all its ranks are on the node inside mpiexec */
    struct pm_part *part;             /* one for each node that ranks of the job are on */
    int parts;                        /* whose nodes have been opened */
    struct pm_executable *executable; /* of each program */
    struct pm_server_job *server;
    int refusal_code;              /* exit code of the first node that refuses its part */
    struct pm_timer refusal_timer; /* set while the answers of others are waited for */

    enum pm_job_state state;
    bool prepared;                 /* its nodes have been asked to prepare it */
    bool stopped;                  /* no more ranks are started */
    const struct pm_bind *bind;    /* how its ranks are bound; NULL: as each host says */
    int error;                     /* errno: why it has no ranks; or 0 */
    struct pm_kept *kept;          /* memory that is freed with it */
    char **environ;                /* of its spawner, instead of mpiexec's; or NULL */
    bool later;                    /* its spawner hears of the time of probation */
    bool leaves;                   /* its nodes forget it */
    const struct pm_rank *spawner; /* NULL: the job was not spawned, or that job is forgotten */
    int spawner_job, spawner_rank;
    int request;   /* of the spawner */
    int confirmed; /* ranks of which their nodes have said that they run */

    bool fails;                /* it is to end; the cause may still be looked for */
    bool ends;                 /* alone, of all jobs: its ranks have been told to end */
    char *failure;             /* how it has failed, as a sentence, or NULL */
    int failure_weight;        /* cause_weight() of that */
    struct pm_timer end_timer; /* kills those that do not end */
};

struct pm_run { /* a call of mpiexec */
    struct pm_spec *spec;
    struct pm_job *job; /* of the command line; behind it the others that are known, as they came */
    struct pm_job *last;   /* of these; NULL: there are none */
    int spawns;            /* the number of the last one that was spawned */
    int well;              /* jobs that have ended well and are not known any more */
    bool some_over;        /* jobs that have ended may be forgotten */
    size_t listed;         /* hosts of the list that the command line, a file or a manager names */
    struct pm_host **host; /* the nodes; those that have been opened: */
    int hosts;
    int numbered; /* ranks that have got a number among those of all jobs */
    int ranks;    /* of all jobs that are known, */
    int running;  /* and those of them that run */
    int starting; /* prepared jobs that are to start more ranks */
    bool ends;    /* no more ranks are started; those that run have been told to end */
    const struct pm_remote_events *events; /* of the nodes */
    struct pm_step *step;                  /* that starts proxies of several hosts, or NULL */
    struct pm_remote **relay;              /* of each group of hosts, or NULL */
    struct pm_signals signals;             /* what mpiexec was started with */
    struct pm_output *output;              /* the sinks of mpiexec itself */
    struct pm_outcome *outcome;
};

/* find_hosts.c: finds the hosts of the job, the number of processes of each program, and the host
 * of each rank. 0, or -EINVAL with a sentence in why. */
int pm_find_hosts(struct pm_spec *spec, char *why, size_t len);

/* How ranks are bound to CPUs on a host, whose line in a file may say so. -EINVAL with a clause in
 * why; not for hosts that pm_find_hosts() has accepted. */
int pm_bind_on(const struct pm_spec *spec, const struct pm_host_entry *e, struct pm_bind *b,
               char *why, size_t len);

/* Chooses places for the ranks of a job that is spawned, whose programs have no count yet; they are
 * taken from the slots of hosts. The caller frees *place. -errno with a sentence in why; -EINVAL: a
 * value of a program is wrong. */
int pm_find_places(struct pm_run *r, struct pm_program *program, size_t programs, int **place,
                   char *why, size_t len);
void pm_free_place(const struct pm_job *j, int rank); /* another rank may have its slot */
void pm_stop_starting(struct pm_job *j); /* frees the places of ranks that are not started yet */

/* place.c: makes the ranks of a job, and opens the nodes that they are on. 0, -errno, or
 * PM_REFUSED_HOST. */
enum { PM_REFUSED_HOST = 1 }; /* a log line says why */
int pm_place(struct pm_job *j);
/* The job of this number; NULL: there is none. */
struct pm_job *pm_job_of(const struct pm_run *r, int number);
/* The part of the job on the node; NULL: there is none. */
struct pm_part *pm_part_on(const struct pm_job *j, const struct pm_host *h);
/* Gives a rank, which is started next, the number of its process on its node. -ENOMEM. */
int pm_host_add_process(struct pm_rank *r);
void pm_host_remove_process(struct pm_rank *r); /* whose job is forgotten there */

/* host_node.c: the commands of pm_node.h, to the node of a host. */
void pm_host_prepare(struct pm_host *h, const struct pm_plan *plan);
void pm_host_start(struct pm_host *h, const struct pm_start *start);
void pm_host_pause(struct pm_host *h, int sink, bool paused);
void pm_host_resize(struct pm_host *h, int rows, int columns);
void pm_host_input(struct pm_host *h, int process, const char *bytes, size_t len);
void pm_host_signal(struct pm_host *h, int job, int signal);
void pm_host_forget(struct pm_host *h, int job);
void pm_host_find_exiting(struct pm_host *h);
void pm_host_finish(struct pm_host *h);
void pm_host_end(struct pm_host *h, int signal, int grace_ms);
void pm_host_kill(struct pm_host *h);
void pm_host_drop_output(struct pm_host *h);
bool pm_run_over(const struct pm_run *r); /* all nodes have ended */

#endif /* MPIEXEC_REACH_H */
