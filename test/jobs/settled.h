/* settled.h — the descriptors of a process whose connections end. */
#ifndef SETTLED_H
#define SETTLED_H

#include <mpi.h>
#include "held.h"

/* How many there are once these are at most `most`, or after so many seconds. */
static inline int settled_fds(int most, double seconds)
{
    double end = MPI_Wtime() + seconds;
    int flag;

    while (held_fds() > most && MPI_Wtime() < end)
        MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    return held_fds();
}

#endif /* SETTLED_H */
