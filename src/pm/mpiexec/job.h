/* job.h — a running job: its ranks, and how it ends. */
#ifndef JOB_H
#define JOB_H

#include <sys/resource.h>
#include <sys/types.h>
#include <signal.h>
#include "loop.h"
#include "output.h"
#include "pm_server.h"
#include "spec.h"

enum { PM_EXIT_USAGE = 1, PM_EXIT_TIMEOUT = 124, PM_EXIT_CANNOT = 126, PM_EXIT_MISSING = 127 };

enum pm_rank_state {
    PM_RANK_NOT_STARTED,
    PM_RANK_RUNS,
    PM_RANK_LEFT_CHILDREN, /* the rank has ended; its process group still has processes */
    PM_RANK_ENDED,
};

struct pm_link { /* mpiexec's end of the PMI socket of a rank */
    struct pm_source source;
    int fd;      /* -1: closed */
    char *queue; /* replies that do not fit the socket yet */
    size_t head, len;
};

struct pm_rank {
    int rank;
    const struct pm_program *program;
    enum pm_rank_state state;
    pid_t pid;       /* also the number of its process group */
    int wait_status; /* from waitpid */
    struct pm_link link;
    struct pm_stream out, err;
    struct pm_job *job;
};

enum pm_cause {
    PM_NO_FAILURE,
    PM_EXITED,         /* value: exit code */
    PM_NOT_FINALIZED,  /* exited between init and finalize; value: exit code */
    PM_KILLED,         /* value: signal */
    PM_ABORTED,        /* value: code; why: text of the library */
    PM_PROTOCOL_ERROR, /* why completes "rank 3 ..." */
    PM_NOT_STARTED,    /* value: errno; why: the file */
    PM_TIMED_OUT,      /* value: seconds */
    PM_INTERRUPTED,    /* value: the signal that mpiexec received */
    PM_OUTPUT_CLOSED,  /* the reader of mpiexec's output has gone */
    PM_OUTPUT_ERROR,   /* output cannot be written; value: errno; why: the file, or NULL */
};

/* How the job ends: its first failure, or the cause of that. */
struct pm_job_status {
    enum pm_cause cause;
    int rank, value;
    const char *why; /* pm_record_failure() copies it */
};

enum pm_phase { PM_JOB_RUNS, PM_JOB_TERMINATING, PM_JOB_KILLING, PM_JOB_ABANDONED };

struct pm_job {
    const struct pm_spec *spec;
    int size, started, running;
    int groups_left; /* ranks in state PM_RANK_LEFT_CHILDREN */
    bool children;   /* pm_reap() has found living children */
    int unlisted;    /* why inherited children cannot be found: -errno; 0: they can */
    struct pm_rank *rank;
    struct pm_server_job *server;
    struct pm_output output;
    enum pm_phase phase;
    struct pm_job_status status;
    char why[512];                /* the text that status.why points to */
    struct pm_timer status_timer; /* while set, the cause of the failure may still replace it */
    struct pm_timer kill_timer;   /* sends SIGKILL, then gives up */
    struct pm_timer timeout;      /* of -timeout */
    struct pm_timer lost_link;    /* looks for ranks that closed their PMI socket */
    struct pm_timer leftovers;    /* ends what the ranks have started and left running */
    struct pm_timer output_timer; /* sets drop_output */
    struct pm_timer reader_timer; /* watches the reader of the output */
    bool drop_output;             /* do not wait for a reader that does not read */
    int end_signal;               /* the signal that asks processes to end */
    int signal_pipe;              /* signals from the supervisor, a byte each */
    int pmi_fd;                   /* the value of PMI_FD in the ranks */
    int null_fd;                  /* /dev/null */
    int rank0_stdin;              /* the descriptor that rank 0 gets as standard input */
    struct rlimit nofile;         /* the limit that mpiexec was started with */
    sigset_t mask;                /* likewise */
    struct sigaction sigpipe;     /* likewise */
    char **program_file;          /* of each program */
    char ***environ;              /* of each program */
};

/* launch.c: what a new process needs. Filled before vfork, read between vfork and exec. */
struct pm_launch {
    const char *file, *wdir;
    char **argv, **environ, **shell_argv;
    int fd[3], pmi, pmi_number;
    pid_t parent;
    const struct rlimit *nofile;
    const sigset_t *mask;
    const struct sigaction *sigpipe;
    int error;          /* 0, or the errno of a failed start */
    const char *failed; /* what failed: a file, or a text */
};
pid_t pm_launch(struct pm_launch *l); /* negative: vfork failed; look at l->error in any case */

/* start.c: 0, -errno, or, after a log line with the reason, mpiexec's exit code. */
int pm_prepare(struct pm_job *j);
void pm_start_some(struct pm_job *j);

/* children.c: the children of this process in ascending order, zombies included. */
struct pm_pids { /* a zeroed struct is an empty list */
    pid_t *pid;
    size_t n, capacity;
};
int pm_children(struct pm_pids *p); /* -errno: the list cannot be read, and p is empty */
bool pm_pids_contain(const struct pm_pids *p, pid_t pid);

/* supervisor.c: forks. The child returns the pipe that signals arrive from, a byte each; the parent
 * forwards them and never returns. handled has these signals and SIGCHLD, all blocked. -errno. */
int pm_supervise(char **argv, const sigset_t *handled);

/* link.c: the PMI connection between a rank and the server. */
int pm_link_server(struct pm_job *j);
int pm_link_open(struct pm_rank *r, int fd);
void pm_link_drain(struct pm_rank *r);
void pm_link_close(struct pm_rank *r);

/* memory.c: the descriptor of the memory of this number, which is made if need be; -errno. */
int pm_memory(int number);
void pm_memory_forget(int number);

/* reap.c: the ends of processes. */
void pm_reap(struct pm_job *j);

/* inherited.c: signals inherited children, as the phase demands. */
void pm_end_inherited(struct pm_job *j);

/* end.c: ends the job. */
void pm_signal_ranks(struct pm_job *j, int signal);
void pm_end_job(struct pm_job *j, int signal); /* sends this signal, and SIGKILL one second later */
void pm_limit_output_wait(struct pm_job *j); /* from now on, output may delay the end by 3 s only */
/* After a failure: sets drop_output when the reader stops reading. */
void pm_watch_reader(struct pm_job *j);
void pm_kill_job(struct pm_job *j);
bool pm_job_over(struct pm_job *j); /* no process of the job is left */

/* status.c: how the job ends. */
void pm_rank_exited(struct pm_job *j, const struct pm_rank *r); /* takes account of the end of r */
void pm_record_failure(struct pm_job *j,
                       const struct pm_job_status *v); /* a failure that does not end other ranks */
void pm_fail_job(struct pm_job *j, const struct pm_job_status *v); /* a failure that ends the job */
int pm_exit_code(const struct pm_job_status *v);
void pm_log_status(const struct pm_job_status *v); /* writes the last log line */
const char *pm_signal_name(int signal);

/* signals.c: signals that mpiexec receives. */
int pm_signals_block(struct pm_job *j, sigset_t *handled); /* before pm_supervise() */
int pm_signals_open(struct pm_job *j);

int pm_open_null(void); /* input.c: /dev/null, or a pipe at its end; -errno */

/* Standard input of rank 0: sets j->rank0_stdin. */
int pm_input_open(struct pm_job *j);
void pm_input_started(struct pm_job *j); /* rank 0 has been started */
void pm_input_close(void);               /* rank 0 reads no more */

#endif /* JOB_H */
