/* supervisor.h — what a process that runs ranks does to itself before. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct pm_signals { /* the settings of this process before pm_signals_block(), restored in ranks */
    sigset_t mask;
    struct sigaction sigpipe;
};

/* signals.c: blocks the signals that are handled. -errno. */
int pm_signals_block(struct pm_signals *before, sigset_t *handled);
const char *pm_signal_name(int signal);

/* interrupt.c: calls these for the signals to this process and its supervisor, which arrive from
 * the pipe of pm_supervise(). Needs an open loop. -errno. */
struct pm_signal_events {
    void (*received)(int signal);
    void (*supervisor_ended)(void);
};
int pm_signals_watch(int pipe, const struct pm_signal_events *events);

/* supervisor.c: forks. The child returns the pipe that signals arrive from, a byte each; the parent
 * forwards them and never returns. handled has these signals and SIGCHLD, all blocked. -errno. */
int pm_supervise(char **argv, const sigset_t *handled);

/* In the child: whether the group of the parent, or of this process, may read the terminal. */
bool pm_is_in_foreground(void);

/* Kills all descendants of this process, but for children from before pm_supervise(). */
void pm_kill_children(void);

/* children.c: a child of this process that is no process of a rank: a node here leaves it alone. */
void pm_child_keep(pid_t pid);
/* As waitpid() with WNOHANG: whether that child has ended, which is said once. */
bool pm_child_has_ended(pid_t pid, int *status);

int pm_open_null(void); /* null.c: /dev/null, or a pipe at its end; -errno */

#endif /* SUPERVISOR_H */
