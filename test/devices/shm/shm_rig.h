/* shm_rig.h — a node for the shm device: shared memory, forked processes, and a test in place of
 * ADI3. There may be two jobs, each with memory of its own, in which the processes of the other one
 * are guests. */
#ifndef SHM_RIG_H
#define SHM_RIG_H

#include "platform/os.h"
#include "devices/shm/ring.h"
#include "unit.h"

enum { RIG_MEMORY = 32 << 20, RIG_MOST = 256 };

struct rig_shared {
    _Atomic uint64_t used;
    _Atomic uint32_t ready;                           /* processes that have opened the device */
    _Atomic int go, stop;                             /* for the tests */
    _Atomic int wakes;                                /* wake-ups of all processes */
    _Atomic uint64_t sent[RIG_MOST], taken[RIG_MOST]; /* counters for the tests */
    struct {
        OS_ALIGNED _Atomic uint32_t asleep;
    } slot[RIG_MOST];
    char endpoint[RIG_MOST][DEV_ENDPOINT_MAX];
};

extern struct rig_shared *rig; /* the memory of the first job, in which tests have their counters */
extern int rig_given;          /* how often this process has given memory back */
extern struct dev_upcalls rig_upcalls; /* each test fills in what it needs */
extern struct dev_node rig_node;       /* of this process's job */
extern struct dev_node rig_other_node; /* of the other job, as this process sees it */

void rig_make(int count);       /* the node; before processes are forked */
void rig_make_other(int count); /* a second job with so many processes */
void rig_drop(void);
void rig_join(int index);       /* takes this index for the process and opens the device */
void rig_join_other(int index); /* the same in the second job */
void rig_leave(void);
void rig_wait_ready(uint32_t count);
/* A process of this one's job, or of the other. Adds it to the device if it was not. */
struct dev_peer *rig_peer(int index), *rig_other_peer(int index);

/* Payload that looks like the words of entries: a read at a wrong place would take it for one. */
void rig_fill(void *buf, size_t len, uint32_t seed);
bool rig_is_filled(const void *buf, size_t len, uint32_t seed);

#endif /* SHM_RIG_H */
