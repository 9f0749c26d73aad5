/* pm_proxy_impl.h — what the files of a proxy share. */
#ifndef PM_PROXY_IMPL_H
#define PM_PROXY_IMPL_H

#include "pm/node/loop.h"
#include "pm/channel/pm_channel.h"
#include "pm/server/pm_hub.h"

struct pm_proxy_sink {
    bool used;
    int under_way; /* bytes for which no credit has come */
    bool paused;
};

struct pm_proxy_process {
    struct pm_proxy_job *job;
    int rank;
    int sink[PM_STREAMS];
};

enum { PM_NOT_STARTED_YET = -1, PM_ELSEWHERE = -2 };

struct pm_proxy_job { /* a job with ranks on the node */
    struct pm_proxy_job *next;
    struct pm_proxy *proxy;
    int number;
    struct pm_plan *plan; /* NULL: none has been accepted. Needed as long as the node has the job */
    bool accepted;        /* the plan */
    struct pm_server_job *hub;
    int *process_of, size; /* of each rank; or one of the two numbers above */
};

struct pm_proxy {
    struct pm_node *node;
    struct pm_channel *channel;
    bool greeted;     /* HELLO has come */
    bool alone;       /* the owner gets no more frames */
    bool ended;       /* the node has */
    int no_directory; /* why that of mpiexec is not the working directory: -errno; 0: it is */
    struct pm_proxy_process *process; /* by number; without a job: there is none */
    int room;
    struct pm_proxy_sink *sink;
    int sinks, window;        /* of each sink that is used: pm_window() */
    int used;                 /* sinks */
    struct pm_server *server; /* with the hubs of the node; NULL: no JOB has come */
    struct pm_proxy_job *jobs;
};

/* proxy_owner.c */
extern struct pm_proxy pm_own_proxy; /* there is one in a process */
void pm_proxy_send(const struct pm_frame *f);
void pm_proxy_fail(const char *why); /* tells the owner, and ends the node */
/* Nothing that the node does from now on is of use to the owner. */
void pm_proxy_end_alone(void);

/* proxy_commands.c: executes the command of a frame; owner is the proxy. */
void pm_proxy_command(void *owner, const struct pm_frame *f);

/* proxy_pmi.c: the hubs of the node. */
void pm_proxy_add_job(struct pm_proxy *p, const struct pm_frame *f);
struct pm_proxy_job *pm_proxy_job(const struct pm_proxy *p, int number); /* NULL: there is none */
void pm_proxy_note(struct pm_proxy *p, const struct pm_frame *f);
void pm_proxy_free_job(struct pm_proxy *p, int number);
bool pm_proxy_has(const struct pm_proxy_job *j, int rank); /* which has not been started */

/* proxy_events.c: sends the events of the node. */
extern const struct pm_node_events pm_proxy_events;
void pm_proxy_credit(struct pm_proxy *p, int sink, int bytes);

/* call.c: connects to mpiexec, as standard input says. Returns the connection and its seal, or
 * -errno with the end of the sentence "its proxy ..." in why. */
int pm_call(struct pm_seal **seal, char *why, size_t len);

#endif /* PM_PROXY_IMPL_H */
