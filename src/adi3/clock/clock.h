/* clock.h — the clock of MPI_Wtime: the start of this room, for the job. */
#ifndef CLOCK_H
#define CLOCK_H

#include "adi3/adi3_clock.h"
#include "platform/setting.h"

extern const struct setting clock_settings[];
int clock_init(void); /* once there is MPI_COMM_WORLD: all processes together */

#endif /* CLOCK_H */
