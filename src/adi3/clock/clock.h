/* clock.h — the clock of MPI_Wtime: what the job does at its begin. */
#ifndef CLOCK_H
#define CLOCK_H

#include "adi3_clock.h"
#include "setting.h"

extern const struct setting clock_settings[];
int clock_init(void); /* with MPI_COMM_WORLD: all processes together */

#endif /* CLOCK_H */
