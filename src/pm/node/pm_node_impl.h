/* pm_node_impl.h — what the files of a node share. */
#ifndef PM_NODE_IMPL_H
#define PM_NODE_IMPL_H

#include <sys/resource.h>
#include "pm/node/loop.h"
#include "pm/bind/pm_cpus.h"
#include "pm/node/pm_node.h"

enum { PM_FILE_NAME_MAX = 4096 };

enum pm_process_state {
    PM_PROCESS_RUNS,
    PM_PROCESS_LEFT_CHILDREN, /* it has ended; its process group still has processes */
    PM_PROCESS_ENDED,
};

struct pm_link { /* the node's end of the PMI socket of a process */
    struct pm_source source;
    int fd;      /* -1: closed */
    char *queue; /* bytes that do not fit the socket yet */
    size_t head, len;
};

struct pm_stream { /* a pipe from a process, or a pseudo-terminal */
    struct pm_source source;
    struct pm_process *process;
    struct pm_lane *lane;
    int number; /* PM_OUT or PM_ERR */
    int fd;     /* the node's end of the pipe; -1: closed */
    bool pty;
    enum pm_hold hold;
    char *held; /* a line without its end */
    size_t len, capacity;
    uint64_t changed_ns; /* time of the last byte of a line that may be a prompt; 0: none */
    struct pm_stream *next_prompt;
    struct pm_stream *next_paused; /* waits for the end of a long line of another stream */
};

struct pm_lane { /* the streams of one sink */
    struct pm_source readable;
    int epoll; /* of their pipes */
    bool watched, paused;
    struct pm_stream *long_line;      /* its long line is passed on in part; NULL: none */
    struct pm_stream *paused_streams; /* list of those that wait for the end of the long line */
    struct pm_timer pause_timer;      /* limits the wait; set while a stream waits */
};

struct pm_forward { /* standard input of a process */
    struct pm_source writable;
    int fd;      /* the write end of a pipe; -1: none */
    char *bytes; /* bytes[at, len) have not been written yet */
    size_t at, len;
};

struct pm_process {
    struct pm_node *node;
    int number, job, rank;
    enum pm_process_state state;
    bool started; /* exited() is due */
    pid_t pid;    /* also the number of its process group */
    enum pm_input_kind input_kind;
    struct pm_link link;
    struct pm_stream stream[PM_STREAMS];
    struct pm_forward input;
    int calls_fd; /* of pmi_calls.h; -1: no MPI program has begun */
};

struct pm_program_file { /* an executable of a plan */
    const struct pm_executable *executable;
    const char *wdir; /* NULL: that of the node */
    char *file;
    char **environ; /* the first PM_ENV_SLOTS pointers are set for each process */
};

struct pm_programs { /* of the plan of a job */
    struct pm_programs *next;
    int job;
    size_t count;
    struct pm_program_file file[];
};

enum pm_phase { PM_NODE_RUNS, PM_NODE_TERMINATING, PM_NODE_KILLING, PM_NODE_ABANDONED };

struct pm_node {
    struct pm_node_events events;
    struct pm_signals signals;
    struct pm_source child_ended;
    int child_fd; /* signalfd of SIGCHLD */
    struct pm_programs *programs;
    struct pm_process **process; /* by number; NULL: there is none */
    int processes, room, running;
    int groups_left;       /* processes in state PM_PROCESS_LEFT_CHILDREN */
    bool children;         /* pm_reap() has found living children */
    int unlisted;          /* why inherited children cannot be found: -errno; 0: they can */
    struct pm_lane **lane; /* by the number of the sink */
    int lanes;
    struct pm_memory *memories;
    struct pm_leaving *leaving;
    struct pm_timer forget_timer; /* looks for jobs that can be forgotten */
    enum pm_phase phase;
    bool finishing, reading_rest, dropping, ended;
    void (*check)(struct pm_timer *t); /* looks whether the node has ended, */
    struct pm_timer check_timer;       /* by this timer */
    struct pm_timer kill_timer;        /* sends SIGKILL, then gives up */
    int end_signal;                    /* the signal that asks processes to end */
    int rows, columns;                 /* of pseudo-terminals */
    int leftovers_ms;                  /* of the plan */
    uint64_t kill_ns;                  /* when kill_timer sends SIGKILL */
    int null_fd;                       /* /dev/null */
    int pmi_fd;                        /* the value of PMI_FD in processes */
    struct rlimit nofile;              /* the limit that the node was started with */
};

/* Soon looks whether the node has ended. */
static inline void pm_node_check(struct pm_node *n)
{
    if (!n->ended && !pm_timer_is_set(&n->check_timer))
        pm_timer_set(&n->check_timer, 0, n->check);
}

/* prepare.c */
enum { PM_ENV_SLOTS = 7 }; /* variables that differ from process to process */

/* The executable of this number; NULL: the job has none. */
const struct pm_program_file *pm_program_of(const struct pm_node *n, int job, size_t executable);
void pm_forget_programs(struct pm_node *n, int job);

/* find.c: finds the file of a program. 0, -ENOENT, or the error of a file that has the name and
 * cannot be executed. */
int pm_find(const struct pm_executable *x, char *file, size_t len);

/* What the errno of execve(file) is about: returns file, or in text an interpreter or loader
 * that the file needs. */
const char *pm_culprit(const char *file, int err, char *text, size_t len);

/* topology.c: runs starling_topo. The caller frees the text; NULL: a log line says what failed. */
char *pm_ask_topology(const struct pm_node *n, const char *host);
/* needed.c: whether a file is a program that needs Open MPI's library. */
bool pm_is_of_open_mpi(const char *file);
bool pm_needs_open_mpi(int fd);

/* launch.c: what a new process needs. Filled before vfork, read between vfork and exec. */
struct pm_launch {
    const char *file, *wdir;
    char *const *argv;
    char **environ, **shell_argv;
    int fd[3], pmi, pmi_number;
    pid_t parent;
    const struct rlimit *nofile;
    const struct pm_signals *signals;
    bool bound; /* to these CPUs */
    struct pm_cpus cpus;
    int unbound;        /* 0, or the errno of a failed binding */
    int error;          /* 0, or the errno of a failed start */
    const char *failed; /* what failed: a file, or a text */
};
pid_t pm_launch(struct pm_launch *l); /* negative: vfork failed; look at l->error in any case */

/* children.c: the children of this process in ascending order, zombies included. */
struct pm_pids { /* a zeroed struct is an empty list */
    pid_t *pid;
    size_t n, capacity;
};
int pm_children(struct pm_pids *p); /* -errno: the list cannot be read, and p is empty */
bool pm_pids_contain(const struct pm_pids *p, pid_t pid);
bool pm_child_is_kept(pid_t pid);
void pm_child_ended(pid_t pid, int status); /* a child that is no rank */

/* link.c: the PMI socket of a process. */
int pm_link_open(struct pm_process *p, int fd);
void pm_link_drain(struct pm_process *p);
void pm_link_close(struct pm_process *p);

/* memory.c: the descriptor of the memory of this number, which is made if need be; -errno. */
int pm_memory(struct pm_node *n, int number);

/* calls.c: makes the memory of pmi_calls.h for the MPI program that begins now: a descriptor or
 * -errno. */
int pm_calls_open(struct pm_process *p);
void pm_calls_close(struct pm_process *p);
/* Which MPI call the process was in, for events.exited(). */
enum { PM_LAST_CALL = 96 };
void pm_calls_describe(const struct pm_process *p, char text[PM_LAST_CALL]);

/* pty.c: end[0] is for the node, end[1] for the process. -errno: none is to be had. */
int pm_pty_open(const struct pm_node *n, int end[2]);

/* stream.c */
int pm_stream_open(struct pm_stream *s, int fd);
bool pm_stream_read(struct pm_stream *s);  /* one read(); false when there are no bytes now */
void pm_stream_close(struct pm_stream *s); /* passes on an unfinished line first */

/* lane.c. A long line, which is too long to hold, is passed on in parts. Until its end the other
 * streams of the lane are paused, but not for ever: its rank may be waiting for the output of
 * another rank. */
struct pm_lane *pm_lane_of(struct pm_node *n, int sink); /* NULL with errno */
int pm_lane_add(struct pm_lane *l, struct pm_stream *s); /* reads s while l is not paused */
void pm_lane_remove(struct pm_lane *l, struct pm_stream *s);
void pm_lane_pause(struct pm_lane *l, struct pm_stream *s); /* until the end of the long line */
void pm_lane_end_long_line(struct pm_lane *l, const struct pm_stream *s);
bool pm_lane_has_other_long_line(const struct pm_lane *l, const struct pm_stream *s);
void pm_lanes_stop(struct pm_node *n); /* streams are then read by pm_stream_read() alone */

/* input.c. *process_end: the standard input of the process. */
int pm_process_open_input(struct pm_process *p, int *process_end);
bool pm_may_read_input(const struct pm_process *p); /* its standard input is open */
void pm_process_close_input(struct pm_process *p);

/* reap.c: the ends of processes. */
void pm_reap(struct pm_node *n);

/* forget.c: call when a process has ended, or its output. */
void pm_node_check_leaving(struct pm_node *n);

/* inherited.c: signals inherited children, as the phase demands. */
void pm_end_inherited(struct pm_node *n);

/* end.c */
void pm_node_limit_leftovers(struct pm_node *n); /* call when processes have ended */
bool pm_processes_ended(struct pm_node *n);

#endif /* PM_NODE_IMPL_H */
