/* comm.h — making communicators, for all calls that do. */
#ifndef COMM_H
#define COMM_H

#include "mpir.h"

/* Makes the communicator of a team of c, with c's error handler. Collective over the team; tag: 0,
 * or one of its own where others than the team's members may make one at the same time. */
int mpir_comm_make(struct adi3_comm *c, const struct adi3_team *t, int tag,
                   struct adi3_comm **made);

/* Nobody holds c any more: gives back what src/mpi keeps with it. */
void mpir_comm_ends(struct adi3_comm *c);

#endif /* COMM_H */
