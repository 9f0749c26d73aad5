/* job.h — a running job: its ranks, the nodes that they are on, and how it ends. */
#ifndef JOB_H
#define JOB_H

#include <stdio.h>
#include "log.h"
#include "loop.h"
#include "output.h"
#include "pm_node.h"
#include "pm_remote.h"
#include "pm_server.h"
#include "spec.h"

enum {
    PM_EXIT_USAGE = 1,
    PM_EXIT_LOST = 1,
    PM_EXIT_TIMEOUT = 124,
    PM_EXIT_CANNOT = 126,
    PM_EXIT_MISSING = 127
};

enum pm_rank_state { PM_RANK_NOT_STARTED, PM_RANK_RUNS, PM_RANK_ENDED };

struct pm_rank {
    const struct pm_program *program;
    struct pm_host *host;
    int process;       /* its number on that node */
    size_t executable; /* the number of its program there */
    enum pm_rank_state state;
    pid_t pid;    /* 0: it was not started */
    bool exiting; /* before the job was told to end: its status may be the cause of that */
    bool exited;  /* with this status */
    int wait_status;
    uint64_t started_ns, ended_ns;    /* as mpiexec heard of it: pm_clock_ns() */
    bool pmi_ended;                   /* it has closed its PMI socket */
    bool reads;                       /* standard input is forwarded to it */
    bool behind;                      /* and it has not taken all of it yet */
    struct pm_sink *sink[PM_STREAMS]; /* NULL: its output is not wanted */
    struct pm_sink *copy[PM_STREAMS]; /* a file that gets the same, or NULL */
    bool unfinished[PM_STREAMS];      /* the last line of that stream has no newline yet */
};

struct pm_host { /* a node of the job */
    struct pm_job *job;
    struct pm_node *node;     /* inside mpiexec, */
    struct pm_remote *remote; /* or behind a proxy */
    int *rank;                /* of each process */
    int size;                 /* processes */
    bool ready, ended;
    bool asked;                       /* which ranks are exiting, and has not answered yet */
    char *refusal;                    /* why it refuses its part; NULL: it does not */
    bool invented;                    /* the node may call itself otherwise: keep the name */
    char name[256];                   /* as the user wrote it, then as the node calls itself */
    struct pm_executable *executable; /* of its plan, */
    size_t *program;                  /* and the number of the program of each */
    struct pm_bind bind;              /* how its ranks are bound to CPUs */
    struct pm_topology *topology;     /* NULL: not known */
    struct pm_cpus *cpus;             /* of each process; NULL: none is bound */
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

/* How the job ends: its first failure, or the cause of that. */
struct pm_job_status {
    enum pm_cause cause;
    int rank, value;
    const char *why; /* pm_record_failure() copies it */
};

struct pm_job {
    const struct pm_spec *spec;
    int size, started, running;
    bool ends; /* no more ranks are started; those that run have been told to end */
    struct pm_rank *rank;
    struct pm_host *host;
    int hosts;
    const struct pm_remote_events *events; /* of the nodes */
    struct pm_step *step;                  /* that starts proxies of several hosts, or NULL */
    struct pm_remote **relay;              /* of each group of hosts, or NULL */
    struct pm_signals signals;             /* what mpiexec was started with */
    struct pm_output *output;              /* the sinks of mpiexec itself */
    struct pm_run *run;
};

/* How a job runs and ends, which its nodes and its output need not know. */
struct pm_run {
    struct pm_job *job;
    struct pm_executable *executable; /* of each program */
    struct pm_server_job *server;
    struct pm_job_status status;
    char why[1536];                /* the text that status.why points to */
    int refusal_code;              /* exit code of the first node that refuses its part */
    struct pm_timer refusal_timer; /* set while the answers of others are waited for */
    struct pm_timer status_timer;  /* while set, the cause of the failure may still replace it */
    struct pm_timer lost_link;     /* looks for ranks that closed their PMI socket */
    struct pm_timer leftovers;     /* ends what the ranks have started and left running */
    int grace_ms;                  /* that the processes have to end, of pm_end_job() */
    struct pm_timer grace_timer;   /* says which ranks are waited for */
    struct pm_timer output_timer;  /* drops output */
    struct pm_timer reader_timer;  /* watches the reader of the output */
    bool drop_output;              /* do not wait for a reader that does not read */
    int signal_pipe;               /* signals from the supervisor, a byte each */
};

/* place.c: makes the ranks and the nodes of the job. 0, -errno, or PM_REFUSED_HOST. */
int pm_place(struct pm_job *j);

enum { PM_REFUSED_HOST = 1 }; /* a log line says why */

/* host.c: makes the node of a host. Its name, job and size are set. As pm_place(). */
int pm_host_open(struct pm_job *j, struct pm_host *h, const struct pm_host_entry *entry,
                 int hosts); /* of the job */

/* The commands of pm_node.h, to the node of a host. */
void pm_host_prepare(struct pm_host *h, const struct pm_plan *plan);
void pm_host_start(struct pm_host *h, const struct pm_start *start);
void pm_host_pause(struct pm_host *h, int sink, bool paused);
void pm_host_resize(struct pm_host *h, int rows, int columns);
void pm_host_input(struct pm_host *h, int process, const char *bytes, size_t len);
void pm_host_signal(struct pm_host *h, int signal);
void pm_host_find_exiting(struct pm_host *h);
void pm_host_finish(struct pm_host *h);
void pm_host_end(struct pm_host *h, int signal, int grace_ms);
void pm_host_kill(struct pm_host *h);
void pm_host_drop_output(struct pm_host *h);
bool pm_job_over(const struct pm_job *j); /* all nodes have ended */

/* refusals.c: a node cannot run its part, for a reason that fmt says. The job ends when the other
 * nodes have answered, or a second later. */
void pm_refuse_job(struct pm_host *h, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pm_check_refusals(struct pm_job *j); /* call when a node has answered */
void pm_log_refusals(const struct pm_job *j);

/* start.c: 0 or -errno. The nodes then say whether they are ready. */
int pm_prepare(struct pm_job *j);
bool pm_start_some(struct pm_job *j); /* true when there is more to start */

/* progress.c: from begin to end, says on a terminal which hosts are waited for. */
void pm_progress_begin(struct pm_job *j);
void pm_progress_end(struct pm_job *j);
void pm_progress_erase(const struct pm_job *j); /* another line will be written */

/* pty.c: whether the standard output of a rank, whose sinks are open, is a pseudo-terminal. */
bool pm_wants_pty(const struct pm_rank *r);
void pm_resize_ptys(struct pm_job *j); /* gives them the window size of mpiexec's terminal */

/* bind.c: chooses the CPUs of the ranks of a host. topology: what starling_topo prints there, or
 * NULL. */
void pm_bind_host(struct pm_host *h, const char *topology);
/* Writes the CPUs that a rank is bound to as text, and returns it; NULL: it is not bound. */
const char *pm_bind_text(const struct pm_rank *r, char *text, size_t len);
void pm_bind_report(const struct pm_job *j, int rank); /* logs that, with a drawing */

/* events.c: what nodes call; their owner is a pm_host. */
extern const struct pm_remote_events pm_job_events;

/* pmi.c: the PMI server of the job. */
int pm_serve(struct pm_job *j);
void pm_rank_closed_pmi(struct pm_job *j, int rank);
void pm_protocol_error(struct pm_job *j, int rank, const char *why);

/* output.c: text of a rank goes to its sink. */
int pm_output_open(struct pm_job *j, void (*failed)(int err, const char *file));
enum { PM_OUTPUT_FILE_MAX = 4096 };
/* Opens the sinks of a rank. -errno: file is what failed. */
int pm_output_of(struct pm_job *j, int rank, char file[PM_OUTPUT_FILE_MAX]);
void pm_output_put(struct pm_job *j, int rank, int stream, const struct pm_text *t);
/* outdir.c: makes the directory of -output. -errno. */
int pm_output_directory(const struct pm_spec *s);
/* The name of a file there, whose directory is made. -errno: the name is what failed. */
int pm_output_file(const struct pm_spec *s, const struct pm_place *from,
                   char file[PM_OUTPUT_FILE_MAX]);
/* waiting.c: text that waits for the end of a long line of another node. */
bool pm_waiting_add(struct pm_job *j, int rank, int stream, const struct pm_text *t);
void pm_waiting_pause(struct pm_job *j, int sink,
                      bool full); /* the sink is full, or not any more */
/* The line has ended. put gets each text, or NULL for the end of the stream. */
typedef void pm_waiting_put(struct pm_job *j, int rank, int stream, const struct pm_text *t);
void pm_waiting_replay(struct pm_job *j, int sink, bool full, pm_waiting_put *put);
void pm_output_ended(struct pm_job *j, int rank, int stream);

/* grace.c: how long processes have to end after a signal. */
enum pm_ending { PM_END_BY_SIGNAL, PM_END_BY_FAILURE, PM_END_LEFTOVERS };
int pm_grace_ms(const struct pm_spec *s, int signal, enum pm_ending why);
void pm_grace_begin(struct pm_job *j); /* says after a second for which ranks it waits */

/* end.c: ends the job. */
void pm_ranks_ended(struct pm_job *j); /* call when a rank has ended */
void pm_signal_ranks(struct pm_job *j, int signal);
/* Sends this signal, and SIGKILL when the time of pm_grace_ms() is over. */
void pm_end_job(struct pm_job *j, int signal, enum pm_ending why);
void pm_kill_job(struct pm_job *j);
void pm_drop_output(struct pm_job *j);
/* The output may delay the end by 2 s only, when the processes have ended or their time is over. */
void pm_limit_output_wait(struct pm_job *j);
/* After a failure: drops output when the reader stops reading. */
void pm_watch_reader(struct pm_job *j);

/* status.c: how the job ends. */
/* Takes account of the end of a rank, as events.exited() of its node reports it. */
void pm_rank_exited(struct pm_job *j, int rank, int wait_status, const char *last);
void pm_record_failure(struct pm_job *j,
                       const struct pm_job_status *v); /* a failure that does not end other ranks */
void pm_fail_job(struct pm_job *j, const struct pm_job_status *v); /* a failure that ends the job */
void pm_exiting_found(struct pm_host *h); /* its ranks that are exiting; or it is lost */
int pm_exit_code(const struct pm_job_status *v);
enum { PM_STATUS_MAX = 2048 };
/* The sentence about it; empty where there is none. */
void pm_describe_status(const struct pm_job *j, char *text, size_t len);
/* exit_codes.c: writes a log line with the exit codes of all ranks. */
void pm_log_exit_codes(const struct pm_job *j);
void pm_log_status(const struct pm_job *j); /* writes the last log line */

/* report.c: writes the file of -json; -errno. failed: why the job could not even begin, or NULL. */
int pm_report(const struct pm_job *j, const struct pm_spec *s, const char *failed);
/* The same, to f; of a job that runs, too. */
void pm_report_to(FILE *f, const struct pm_job *j, const struct pm_spec *s, const char *failed);
uint64_t pm_clock_ns(void); /* the time of day */

/* signals.c: signals that mpiexec receives. */
int pm_signals_open(struct pm_job *j);
void pm_host_signaled(void *owner, int signal); /* of struct pm_remote_events */

/* input.c: standard input of the ranks. */
enum pm_input_kind pm_input_add(struct pm_job *j, struct pm_rank *r); /* a rank that is started */
void pm_input_begin(struct pm_job *j); /* all ranks have been added */
void pm_input_taken(struct pm_rank *r);
void pm_input_close(struct pm_rank *r); /* the rank reads no more */

#endif /* JOB_H */
