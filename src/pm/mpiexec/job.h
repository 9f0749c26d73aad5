/* job.h — a job while it runs: its ranks, and how it ends. */
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
    PM_RANK_LEFT_CHILDREN, /* the rank has ended, something it started has not */
    PM_RANK_ENDED,
};

struct pm_link { /* our end of a rank's PMI socket */
    struct pm_source source;
    int fd;      /* -1: closed */
    char *queue; /* answers that the rank has not taken yet */
    size_t head, len;
};

struct pm_rank {
    int rank;
    const struct pm_program *program;
    enum pm_rank_state state;
    pid_t pid;       /* and its process group */
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
    PM_ABORTED,        /* value: code; why: the library's words */
    PM_PROTOCOL_ERROR, /* why continues "rank 3 ..." */
    PM_NOT_STARTED,    /* value: errno; why: the file */
    PM_TIMED_OUT,      /* value: seconds */
    PM_INTERRUPTED,    /* value: the signal mpiexec got */
    PM_OUTPUT_CLOSED,  /* nobody reads mpiexec's output any more */
    PM_OUTPUT_ERROR,   /* output is lost; value: errno; why: the file, or NULL */
};

struct pm_job_status {
    enum pm_cause cause;
    int rank, value;
    const char *why; /* kept by pm_record_failure() */
};

enum pm_phase { PM_JOB_RUNS, PM_JOB_TERMINATING, PM_JOB_KILLING, PM_JOB_ABANDONED };

struct pm_job {
    const struct pm_spec *spec;
    int size, started, running;
    int groups_left; /* ranks in PM_RANK_LEFT_CHILDREN */
    bool children;   /* there were some when it was last looked */
    struct pm_rank *rank;
    struct pm_server *server;
    struct pm_output output;
    enum pm_phase phase;
    struct pm_job_status status;  /* the first failure */
    char why[512];                /* its text */
    struct pm_timer status_timer; /* set: the verdict may still be replaced by its cause */
    struct pm_timer kill_timer, timeout, lost_link, leftovers, output_timer, reader_timer;
    bool drop_output;         /* output that nobody reads is not waited for */
    int end_signal;           /* the signal that asks the job to end */
    int signal_pipe;          /* a pipe: signals from the supervisor */
    int pmi_fd;               /* its number in the ranks */
    int null_fd;              /* /dev/null */
    int rank0_stdin;          /* the descriptor rank 0 gets as standard input */
    struct rlimit nofile;     /* as mpiexec found it */
    sigset_t mask;            /* likewise */
    struct sigaction sigpipe; /* likewise */
    char **program_file;      /* of each program */
    char ***environ;          /* of each program */
};

/* launch.c: all that a new process needs; made before vfork, read between it and exec. */
struct pm_launch {
    const char *file, *wdir;
    char **argv, **environ, **shell_argv;
    int fd[3], pmi, pmi_number;
    pid_t parent;
    const struct rlimit *nofile;
    const sigset_t *mask;
    const struct sigaction *sigpipe;
    int error;          /* set when it could not be started */
    const char *failed; /* what the error is about */
};
pid_t pm_launch(struct pm_launch *l); /* or a negative errno */

/* start.c: 0, -errno, or mpiexec's exit code when the reason has been said. */
int pm_prepare(struct pm_job *j);
void pm_start_some(struct pm_job *j);

/* children.c: the children of this process, in ascending order; those that are dead and not yet
 * waited for, too. */
struct pm_pids { /* all zero is none */
    pid_t *pid;
    size_t n, capacity;
};
void pm_children(struct pm_pids *p);
bool pm_pids_contain(const struct pm_pids *p, pid_t pid);

/* supervisor.c: goes on in a child process; the parent never returns. handled: the signals to pass
 * on, and SIGCHLD, all blocked. The pipe that they come through as bytes, or -errno. */
int pm_supervise(char **argv, const sigset_t *handled);

/* link.c: PMI between a rank and the server. */
int pm_link_server(struct pm_job *j);
int pm_link_open(struct pm_rank *r, int fd);
void pm_link_drain(struct pm_rank *r);
void pm_link_close(struct pm_rank *r);

/* reap.c */
void pm_reap(struct pm_job *j);
void pm_end_inherited(struct pm_job *j); /* what the ranks have left, as the phase demands */

/* end.c */
void pm_signal_ranks(struct pm_job *j, int signal);
void pm_end_job(struct pm_job *j, int signal); /* this signal now, one second later SIGKILL */
void pm_limit_output_wait(struct pm_job *j);   /* the user wants mpiexec itself to end */
void pm_watch_reader(struct pm_job *j);        /* of a failed job: only while it reads */
void pm_kill_job(struct pm_job *j);
bool pm_job_over(struct pm_job *j); /* nothing of the job is left */

/* status.c */
void pm_rank_exited(struct pm_job *j, const struct pm_rank *r); /* r has ended */
void pm_record_failure(struct pm_job *j,
                       const struct pm_job_status *v); /* a failure that ends nobody else */
void pm_fail_job(struct pm_job *j, const struct pm_job_status *v); /* a failure that ends the job */
int pm_exit_code(const struct pm_job_status *v);
void pm_log_status(const struct pm_job_status *v); /* says the last line */
const char *pm_signal_name(int signal);

/* signals.c */
int pm_signals_block(struct pm_job *j, sigset_t *handled); /* before pm_supervise() */
int pm_signals_open(struct pm_job *j);

int pm_open_null(void); /* a descriptor to read nothing from, or -errno */

/* input.c: standard input for rank 0; its descriptor there in j->rank0_stdin. */
int pm_input_open(struct pm_job *j);
void pm_input_started(struct pm_job *j); /* rank 0 has it */
void pm_input_close(void);               /* and wants no more of it */

#endif /* JOB_H */
