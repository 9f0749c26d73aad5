/* comm.h — communicators and groups: what the job does at its begin and end. */
#ifndef COMM_H
#define COMM_H

#include "adi3_comm.h"
#include "base.h"

int comm_init(void); /* MPI_COMM_WORLD and MPI_COMM_SELF */

#endif /* COMM_H */
