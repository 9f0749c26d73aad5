/* pm_remote_impl.h — what the files of a remote node share. */
#ifndef PM_REMOTE_IMPL_H
#define PM_REMOTE_IMPL_H

#include "loop.h"
#include "pm_channel.h"
#include "pm_remote.h"

enum { PM_LINE_OF_COMMAND = 1024 };

enum pm_remote_phase {
    PM_REMOTE_STARTS, /* its proxy has not greeted yet */
    PM_REMOTE_RUNS,
    PM_REMOTE_ENDED, /* it has said so, or it is not wanted any more */
    PM_REMOTE_LOST,
};

struct pm_remote_process {
    int sink[PM_STREAMS];
    bool ended; /* exited() or not_started() has been called */
};

struct pm_remote_sink {
    int untold; /* bytes that have come from the node, for which it has got no credit */
    bool paused;
    bool used;
};

struct pm_remote {
    struct pm_remote_events events;
    char *host;
    char **command;
    bool by_ssh;
    int timeout_ms;
    struct pm_signals signals;
    enum pm_remote_phase phase;
    bool ended; /* ended() has been called */
    struct pm_channel *channel;
    struct pm_bytes early; /* frames that wait until the proxy is there */

    pid_t pid;           /* of the command; -1: none */
    int attempts;        /* to start it */
    uint64_t give_up_ns; /* until when its end is waited for; 0: it is not */
    bool killed;
    struct pm_timer start_timer; /* limits the start, or waits to start again */
    struct pm_timer exit_timer;  /* looks whether the command has ended */
    struct pm_timer answer_timer;
    uint64_t heard; /* frames when the node was told to end */
    int error_fd;   /* standard error of the command; -1: closed */
    struct pm_source error_readable;
    char line[PM_LINE_OF_COMMAND]; /* the beginning of a line from there */
    size_t line_len;
    char last[PM_LINE_OF_COMMAND]; /* a line that is shown when it turns out not to be the cause */

    size_t executables; /* of all plans */
    struct pm_remote_process *process;
    int processes, room;
    struct pm_remote_sink *sink;
    int sinks, used; /* those that there may be, and those that processes have */
};

/* remote.c: the node is lost. fmt completes "host NAME: ". */
void pm_remote_lose(struct pm_remote *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void pm_remote_send(struct pm_remote *r, const struct pm_frame *f);

/* remote_events.c: the event of a frame. */
void pm_remote_frame(void *owner, const struct pm_frame *f);
struct pm_remote_sink *pm_remote_sink_of(struct pm_remote *r, int sink); /* NULL: no memory */
void pm_remote_give_credit(struct pm_remote *r, int sink);

/* command.c: the process that the channel goes through. */
int pm_command_start(struct pm_remote *r);  /* -errno */
void pm_command_leave(struct pm_remote *r); /* waits for its end, and then calls ended() */

#endif /* PM_REMOTE_IMPL_H */
