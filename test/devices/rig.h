/* rig.h — a few processes with one device and no MPI above it. */
#ifndef RIG_H
#define RIG_H

#include <sys/types.h>
#include "check.h"
#include "devices/device.h"
#include "platform/os.h"

enum {
    RIG_MAX = 4,
    RIG_MEMORY = 256 << 20,
    RIG_FLAGS = 16,
    RIG_LIMIT_MS = 75000, /* of a slow machine beside other work */
    RIG_PEER_TIMEOUT_S = 3,
    RIG_AT_ONCE = 20000, /* bytes, of every second process */
    RIG_JOB = 77,        /* ids of the job, and of another one that it knows */
    RIG_OTHER_JOB = 88,
};

struct rig_shared { /* all processes of one run see it */
    _Atomic uint32_t arrived;
    _Atomic uint32_t asleep[RIG_MAX];
    _Atomic int alive[RIG_MAX];
    _Atomic int flag[RIG_FLAGS]; /* for the scenario */
    _Atomic size_t taken;        /* by dev_node's take */
    pid_t pid[RIG_MAX];
    char endpoint[RIG_MAX][DEV_ENDPOINT_MAX];
    uint16_t relay_port[RIG_MAX];
    pid_t relay;
};

struct rig_plan {
    const char *name;
    int size;                                /* processes */
    unsigned limit_ms;                       /* 0: the usual */
    bool apart;                              /* each process is its own node */
    bool torn;                               /* sockets: through a relay that tears the stream */
    const struct dev_upcalls *up;            /* NULL: traffic.h */
    void (*before)(void);                    /* before the device is opened; NULL: nothing */
    void (*run)(void);                       /* in each process; returns when all is as expected */
    bool (*ends_well)(int rank, int status); /* NULL: exit code 0 is expected */
};

struct rig { /* this process's view */
    const struct dev_ops *dev;
    struct dev_limits limits;
    struct dev_env env;
    struct dev_job job, other_job;
    struct dev_node node;
    struct rig_shared *shared;
    int rank, size;
    struct dev_peer peer[RIG_MAX];
    bool added[RIG_MAX];
    bool sleepy;  /* wait in the kernel instead of spinning */
    bool watches; /* calls watch() for all peers while polls move nothing */
    int sleeps_timed_out;
};

extern struct rig rig;

const struct dev_ops *rig_device(const char *name); /* ends the program if there is none */
const char *rig_inner(const char *name);            /* of chaos:shm: shm */
/* Runs the plan in fresh processes; false and a line on stderr if any did not end well in time. */
bool rig_run(const struct dev_ops *dev, const struct rig_plan *plan);

static inline int next_rank(void) { return (rig.rank + 1) % rig.size; }
static inline int last_rank(void) { return (rig.rank + rig.size - 1) % rig.size; }
void rig_barrier(void); /* polls the device, like everything that waits */
struct dev_peer *rig_peer(int rank);
/* The upcalls of these names. */
const struct dev_job *rig_job(uint64_t id);
struct dev_peer *rig_peer_of(const struct dev_job *job, int rank);
void rig_del_peer(int rank); /* del_peer, if it was added */
static inline bool rig_poll_device(void) { return rig.dev->poll && rig.dev->poll(); }
bool rig_poll(void); /* polls once; gives way when there was nothing */
#define RIG_WAIT(cond)                                                                             \
    do {                                                                                           \
        while (!(cond))                                                                            \
            (void) rig_poll();                                                                     \
    } while (0)

/* relay.c — a network that cuts the stream into pieces; runs until its parent ends. */
void relay_start(struct rig_shared *shared, int size);
void relay_endpoint(
    int to, char endpoint[DEV_ENDPOINT_MAX]); /* the endpoint of `to`, but with the relay's port */

#endif /* RIG_H */
