/* mpiexec_job.h — running jobs: what their ranks and nodes do, and how they end. */
#ifndef MPIEXEC_JOB_H
#define MPIEXEC_JOB_H

#include "pm/node/loop.h"
#include "pm/mpiexec/reach/mpiexec_reach.h"

enum {
    PM_EXIT_USAGE = 1,
    PM_EXIT_LOST = 1,
    PM_EXIT_TIMEOUT = 124,
    PM_EXIT_CANNOT = 126,
    PM_EXIT_MISSING = 127
};

enum pm_cause {
    PM_NO_FAILURE,
    PM_EXITED,         /* value: exit code */
    PM_NOT_FINALIZED,  /* exited between init and finalize; value: exit code */
    PM_KILLED,         /* value: signal; why: its last MPI call, or "" */
    PM_ABORTED,        /* value: code; why: text of the library */
    PM_PROTOCOL_ERROR, /* why completes "rank 3 ..." */
    PM_NOT_STARTED,    /* value: errno; why: the file */
    PM_TIMED_OUT,      /* value: seconds */
    PM_INTERRUPTED,    /* value: the signal that mpiexec received; why: or the host that has */
    PM_OUTPUT_CLOSED,  /* the reader of mpiexec's output has gone */
    PM_OUTPUT_ERROR,   /* output cannot be written; value: errno; why: the file, or NULL */
    PM_REFUSED,        /* cannot be run, as a log line says; value: exit code */
    PM_NODE_LOST,      /* value: exit code; why: a sentence */
};

/* How the run ends: the first failure of a job, or the cause of that. */
struct pm_status {
    enum pm_cause cause;
    const struct pm_rank *rank; /* NULL: it is of none */
    int value;
    const char *why; /* pm_record_failure() copies it */
};

struct pm_spawn;

/* How a run ends, which its nodes and its output need not know. */
struct pm_outcome {
    struct pm_run *run;
    struct pm_server *server; /* of all jobs */
    /* pm_spawn_job(), for the server */
    void (*spawn)(struct pm_rank *spawner, int request, const struct pm_spawn *s);
    struct pm_status status;
    char why[1536];               /* the text that status.why points to */
    struct pm_timer status_timer; /* while set, the cause of the failure may still replace it */
    struct pm_timer lost_link;    /* looks for ranks that closed their PMI socket */
    struct pm_timer leftovers;    /* ends what the ranks have started and left running */
    int grace_ms;                 /* that the processes have to end, of pm_end_run() */
    struct pm_timer grace_timer;  /* says which ranks are waited for */
    struct pm_timer output_timer; /* drops output */
    struct pm_timer reader_timer; /* watches the reader of the output */
    bool drop_output;             /* do not wait for a reader that does not read */
    int signal_pipe;              /* signals from the supervisor, a byte each */
};

/* events.c: what the nodes call; their owner is a pm_host. */
extern const struct pm_remote_events pm_job_events;

/* start.c: 0 or -errno. The nodes then say whether they are ready. */
int pm_prepare(struct pm_job *j);
bool pm_start_some(struct pm_run *r); /* true when there is more to start */

/* spawn.c: a rank asks for another job: events.spawn() of its PMI server. */
void pm_spawn_job(struct pm_rank *spawner, int request, const struct pm_spawn *s);

/* pmi.c: the PMI server of the job. preput: as of pm_server_config. */
int pm_serve(struct pm_job *j, const char *const *preput);
int pm_signals_open(struct pm_run *r); /* signals.c: those that mpiexec receives */

/* status.c */
void pm_record_failure(struct pm_run *r,
                       const struct pm_status *v); /* a failure that does not end other ranks */
void pm_fail_run(struct pm_run *r, const struct pm_status *v); /* a failure that ends all ranks */
/* The same, of a job; one that is being spawned is abandoned, and the others go on. */
void pm_fail_job(struct pm_job *j, const struct pm_status *v);
int pm_exit_code(const struct pm_status *v);

/* end.c: the output may delay the end by 2 s only, when the processes have ended or their time is
 * over. */
void pm_limit_output_wait(struct pm_run *r);
/* After a failure: drops output when the reader stops reading. */
void pm_watch_reader(struct pm_run *r);

/* The last log lines. */
void pm_log_exit_codes(const struct pm_run *r); /* exit_codes.c: those of all ranks */
void pm_log_refusals(const struct pm_job *j);   /* refusals.c */
void pm_log_status(const struct pm_run *r);     /* status.c */

/* report.c: writes the file of -json; -errno. failed: why the job could not even begin, or NULL. */
int pm_report(const struct pm_run *r, const char *failed);
uint64_t pm_clock_ns(void); /* the time of day */

/* query_socket.c: other programs can ask about the jobs. Without that, they run all the same. */
void pm_query_socket_open(const struct pm_run *r);

/* list_jobs.c: prints a line for each mpiexec of this user that runs on this host. An exit code. */
int pm_print_jobs(void);

#endif /* MPIEXEC_JOB_H */
