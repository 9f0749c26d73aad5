/* loggp.h — how long recorded steps take, in the LogGP model (Alexandrov et al.): latency L,
 * overhead o of the processor for each message, gap g between messages, and gap G for each byte.
 *
 * Ranks are on nodes, per_node on each, in order. A node has one adapter, which sends one message
 * and receives one at a time; the network between adapters has no bounds. Messages within a node
 * are copied by their sender. A send is complete when the processor has handed it over. */
#ifndef LOGGP_H
#define LOGGP_H

#include "recording.h"

struct loggp_path { /* in picoseconds */
    uint64_t latency, overhead, gap, byte;
};

struct loggp {
    struct loggp_path near, far; /* within a node; between nodes */
    uint64_t work;               /* of a byte that is copied or combined */
};

extern const struct loggp loggp_usual; /* 100 Gbit/s and 1.2 us between nodes */

struct loggp_result {
    uint64_t time;      /* picoseconds until the last rank ends */
    uint64_t far_sends; /* messages between nodes, of all ranks */
    uint64_t far_bytes; /* the most that an adapter sends or receives */
    int waiting;        /* a rank that never ends, or -1 */
    int mismatched;     /* messages whose receive is for another length */
};

/* All ranks begin at 0. Without memory the program ends. */
struct loggp_result loggp_run(const struct recording *r, const struct loggp *model, int per_node);

#endif /* LOGGP_H */
