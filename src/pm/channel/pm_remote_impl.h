/* pm_remote_impl.h — what the files of a remote node share. */
#ifndef PM_REMOTE_IMPL_H
#define PM_REMOTE_IMPL_H

#include "pm/node/loop.h"
#include "pm/channel/pm_channel.h"
#include "pm/channel/pm_command.h"
#include "pm/channel/pm_pump.h"
#include "pm/channel/pm_remote.h"

enum pm_remote_phase {
    PM_REMOTE_STARTS, /* its proxy has not greeted yet */
    PM_REMOTE_RUNS,
    PM_REMOTE_ENDED, /* the proxy has said so, or the node is not wanted any more */
    PM_REMOTE_LOST,
};

struct pm_remote_process {
    int job;
    bool known; /* it has been started, and its job is not forgotten */
    int sink[PM_STREAMS];
    bool ended; /* exited() or not_started() has been called */
};

struct pm_remote_sink {
    int untold; /* bytes that have come from the node, for which it has got no credit */
    bool paused;
    bool used;
};

struct pm_remote_job {
    int number;
    size_t executables; /* of its plan */
    bool waits;         /* for the answer to that */
    bool leaves;        /* it is to be forgotten */
};

/* How a proxy is started. */
struct pm_remote_starter {
    int (*launch)(struct pm_remote *r);           /* -errno */
    void (*end)(struct pm_remote *r, int signal); /* 0: what has started it should end by itself */
    bool here; /* mpiexec itself runs the command, and finds out when it ends */
};

struct pm_remote {
    struct pm_remote_events events;
    char *host;
    char **words;         /* of the command */
    const char *launcher; /* the name of what it calls; NULL: a proxy of this host */
    const struct pm_remote_starter *starter;
    void (*on_left)(struct pm_remote *r); /* nothing more will come from it; NULL: no matter */
    /* Of a relay: frames about the children that it carries. */
    void (*on_child_frame)(struct pm_remote *r, const struct pm_frame *f);
    struct pm_step *step;  /* instead of a command */
    struct pm_remote *via; /* the relay that runs the command; NULL: mpiexec does */
    int number;            /* there */
    bool runs;             /* its command, on the relay */
    bool direct;           /* the relay could not start it: mpiexec runs the command */
    bool exited;           /* the end of its channel has not come yet */
    int wait_status;
    struct pm_pump pump;
    struct pm_remote **carried; /* of a relay */
    int carries, carried_left;
    int timeout_ms;
    struct pm_signals signals;
    enum pm_remote_phase phase;
    bool may_end;               /* FINISH, or an order to end, has been sent to the proxy */
    bool left;                  /* nothing more will come from its proxy */
    bool ended;                 /* ended() has been called */
    struct pm_channel *channel; /* NULL: its proxy has not connected yet */
    struct pm_bytes early;      /* frames that wait until the proxy is there */

    struct pm_command command;
    int attempts;                  /* to start it */
    struct pm_timer start_timer;   /* limits the start, or waits to start again */
    char last[PM_LINE_OF_COMMAND]; /* a line that is shown when it turns out not to be the cause */
    struct pm_timer answer_timer;
    uint64_t heard; /* frames when the node was told to end */

    struct pm_remote_job *job; /* those that the node knows */
    int jobs;
    struct pm_remote_process *process; /* by number */
    int room;
    struct pm_remote_sink *sink;
    int sinks, used; /* at most, and those in use by processes */
};

/* remote_end.c: the node is lost. fmt completes "host NAME: ". */
void pm_remote_lose(struct pm_remote *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void pm_remote_lose_as(struct pm_remote *r, const char *text); /* text: of several nodes */
void pm_remote_send(struct pm_remote *r, const struct pm_frame *f);
void pm_remote_send_number(struct pm_remote *r, enum pm_frame_kind kind, int number);
void pm_remote_leave(struct pm_remote *r);          /* waits for the end of what has started it, */
void pm_remote_finish_leaving(struct pm_remote *r); /* and then calls ended() */

/* remote_events.c: the event of a frame. */
void pm_remote_frame(void *owner, const struct pm_frame *f);
/* The text of a frame, cut to len bytes with its NUL. */
const char *pm_frame_text(const struct pm_frame *f, char *text, size_t len);
/* A job that the node knows; NULL: it does not. */
struct pm_remote_job *pm_remote_job_of(const struct pm_remote *r, int number);
struct pm_remote_sink *pm_remote_sink_of(struct pm_remote *r, int sink); /* NULL: no memory */
void pm_remote_give_credit(struct pm_remote *r, int sink);

/* remote_start.c */
extern const struct pm_remote_starter pm_command_starter;
int pm_remote_launch(struct pm_remote *r); /* starts its proxy; -errno */
int pm_remote_connect(struct pm_remote *r, int fd, struct pm_seal *seal); /* its proxy is there */
void pm_remote_launch_directly(struct pm_remote *r);
void pm_remote_line(struct pm_remote *r, const char *line);  /* of the command */
void pm_remote_exited(struct pm_remote *r, int wait_status); /* the command has */

/* carried.c */
int pm_carried_add(struct pm_remote *relay, struct pm_remote *r); /* -ENOMEM */
void pm_carried_frame(struct pm_remote *relay, const struct pm_frame *f);

/* step.c */
int pm_step_add(struct pm_step *s, struct pm_remote *r); /* -ENOMEM */

#endif /* PM_REMOTE_IMPL_H */
