/* trace.h — recorded steps as time-independent traces, which SimGrid replays (smpirun -replay). */
#ifndef TRACE_H
#define TRACE_H

#include "loggp.h"

/* Writes FOLDER/RANK for each rank, and FOLDER/traces, which names these. A flop is a picosecond of
 * the processor: overheads, and work. What a message takes on its way is the simulator's.
 * False: errno says why. */
bool trace_write(const struct recording *r, const struct loggp *model, int per_node,
                 const char *folder);

#endif /* TRACE_H */
