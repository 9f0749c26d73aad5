/* probe.h — measures how far apart two cores are at this moment, and keeps a thread on one of them.
 *
 * The cores of a virtual machine move: what takes 60 ns at one moment takes 300 ns a second later.
 * So every sample stands between two probes, and only samples of one distance are compared. */
#ifndef PROBE_H
#define PROBE_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum probe_distance { PROBE_NEAR, PROBE_FAR, PROBE_MIXED, PROBE_ONE_CORE };

struct probe { /* in memory that two processes share, zeroed; each on a core of its own */
    _Alignas(128) _Atomic unsigned turn;
    char rest[128 - sizeof(unsigned)];
};

/* Plays ping-pong as side 0 or 1 until the other side has played as often. The caller clears turn
 * between two games. Returns the time one way in ns; side 1 gets 0. */
double probe_play(struct probe *p, int side);

/* Near below 150 ns, far above 200 ns, mixed between; mixed too when the two do not agree. A time
 * below 0 stands for "there is only one core". */
enum probe_distance probe_class(double before_ns, double after_ns);
const char *probe_name(enum probe_distance d);

/* The cores of this machine (or container), whatever mask a launcher has set; their number. */
int probe_cores(cpu_set_t *all);
/* Keeps the calling thread on the nth of them; false when it cannot. */
bool probe_pin(int nth);

double probe_now(void); /* seconds */

#endif /* PROBE_H */
