/* pm_command.h — a program that mpiexec runs to have a proxy: ssh, srun, or a proxy of this host.
 *
 * It is in a process group of its own, so that Ctrl-C reaches mpiexec alone, and dies with
 * mpiexec. Its standard error comes in lines. */
#ifndef PM_COMMAND_H
#define PM_COMMAND_H

#include <sys/types.h>
#include "pm/node/loop.h"
#include "pm/node/supervisor.h"

enum { PM_LINE_OF_COMMAND = 1024 };

struct pm_command_events {
    void *owner;
    void (*line)(void *owner, const char *line); /* without its end; only what can be printed */
    void (*closed)(void *owner);                 /* its standard error; may be NULL */
    /* The command has ended, and all its lines have come. */
    void (*exited)(void *owner, int wait_status);
    /* It has not ended in time: it is killed. If it does not end then, abandoned() follows. */
    void (*overdue)(void *owner);
    void (*abandoned)(void *owner);
};

struct pm_command {
    struct pm_command_events events;
    pid_t pid;           /* -1: it does not run */
    uint64_t give_up_ns; /* until when its end is waited for; 0: it is not */
    bool killed;
    struct pm_timer exit_timer; /* looks whether it has ended */
    int error_fd;               /* -1: closed */
    struct pm_source error_readable;
    char text[PM_LINE_OF_COMMAND]; /* the beginning of a line */
    size_t len;
};

/* A copy of words, which are ended by NULL; words == NULL: of none. NULL: no memory; what has been
 * copied then stays, as mpiexec ends. */
char **pm_command_words(char *const *words);

void pm_command_init(struct pm_command *c, const struct pm_command_events *events);

/* Runs words, ended by NULL, with these descriptors as standard input and output; out may be -1 for
 * that of standard error. -errno. */
int pm_command_run(struct pm_command *c, char *const *words, int in, int out,
                   const struct pm_signals *signals);
void pm_command_wait(struct pm_command *c, int ms); /* it should end within that time now */
void pm_command_kill(struct pm_command *c, int signal);

/* "ssh ended with 255", what being the name. */
void pm_command_describe(const char *what, int wait_status, char *text, size_t len);

/* How many bytes of a line are what each log line begins with. */
size_t pm_command_skip(const char *line, size_t len);

/* A log line of a host, of what the host or a command has printed. */
void pm_command_show(const char *host, const char *line, size_t len);

#endif /* PM_COMMAND_H */
