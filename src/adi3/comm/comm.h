/* comm.h — communicators and groups: their start, for the job. Their end is a hook. */
#ifndef COMM_H
#define COMM_H

#include "adi3/adi3_comm.h"
#include "adi3/base/base.h"

int comm_init(void); /* makes MPI_COMM_WORLD and MPI_COMM_SELF */

#endif /* COMM_H */
