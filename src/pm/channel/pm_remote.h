/* pm_remote.h — a node on another host: the commands of pm_node.h go through a channel to a proxy,
 * and its events come back.
 *
 * A proxy is started by a command such as "ssh HOST PROGRAM", whose standard input and output are
 * the channel. Lines of its standard error are log lines that begin with the name of the host. */
#ifndef PM_REMOTE_H
#define PM_REMOTE_H

#include "pm/server/pm_hub.h"
#include "pm/node/pm_node.h"

struct pm_step;
struct pm_remote;

struct pm_remote_config {
    const char *host;                 /* its name in texts; copied */
    char *const *command;             /* ended by NULL; copied. NULL with a step */
    struct pm_step *step;             /* that starts its proxy; NULL: the command does */
    struct pm_remote *via;            /* a relay that runs the command; NULL: mpiexec does */
    const char *launcher;             /* the name of what it calls; NULL: a proxy of this host */
    int timeout_ms;                   /* without answers; 0: none */
    const struct pm_signals *signals; /* what the command gets back */
};

struct pm_remote_events {
    struct pm_node_events node;
    /* The node cannot be reached, or not any more: text says the host and why; or it says why, and
     * is the same for all nodes of a step. ended() follows, and no other event. */
    void (*lost)(void *owner, const char *text);
    /* A note of the hub of a job on the node. -errno: it is wrong, and the node is lost. */
    int (*note)(void *owner, int job, const struct pm_note *note);
    void (*signaled)(void *owner, int signal); /* its proxy was asked to end; NULL: ignored */
};

struct pm_ports { /* where mpiexec may listen; zeroed: at any port */
    int low, high;
};

/* step.c: one command that starts the proxies of several hosts. They connect to mpiexec, and are
 * sealed by a secret that the command passes to them. It is started in the next turn of the loop,
 * for the nodes that have been opened with the step until then. words: the command, which gets
 * options with the names of the hosts behind its first word. NULL with errno. */
struct pm_step *pm_step_create(char *const *words, const struct pm_ports *ports,
                               const struct pm_signals *signals);

/* relay_open.c: a relay (relay.c), which runs the commands of nodes that are opened with it. It
 * ends when they have ended. NULL with errno. */
struct pm_remote *pm_relay_open(const struct pm_remote_config *config);

bool pm_can_step(void); /* false: it was built without what seals connections */

/* NULL with errno. */
struct pm_remote *pm_remote_open(const struct pm_remote_config *config,
                                 const struct pm_remote_events *events);

/* As pm_node_prepare() and so on. A node that cannot be reached any more ignores them. */
void pm_remote_prepare(struct pm_remote *r, const struct pm_plan *plan);
void pm_remote_start(struct pm_remote *r, const struct pm_start *start);
void pm_remote_pause(struct pm_remote *r, int sink, bool paused);
void pm_remote_resize(struct pm_remote *r, int rows, int columns);
void pm_remote_input(struct pm_remote *r, int process, const char *bytes, size_t len);
void pm_remote_signal(struct pm_remote *r, int job, int signal);
void pm_remote_forget(struct pm_remote *r, int job);
void pm_remote_find_exiting(struct pm_remote *r);
void pm_remote_finish(struct pm_remote *r);
void pm_remote_end(struct pm_remote *r, int signal, int grace_ms);
void pm_remote_kill(struct pm_remote *r);
void pm_remote_drop_output(struct pm_remote *r);

/* Makes the hub of a job on the node, before its plan. universe: as of pm_server_create(). */
void pm_remote_job(struct pm_remote *r, int job, const struct pm_server_config *config,
                   int universe);
void pm_remote_note(struct pm_remote *r, int job, const struct pm_note *note); /* to the hub */

#endif /* PM_REMOTE_H */
