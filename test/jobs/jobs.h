/* jobs.h — included before all of an MPI program: its MPI_COMM_WORLD has the processes of several
 * jobs. See world.c. */
#ifndef JOBS_H
#define JOBS_H

#include "world.h"

#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD          jobs_world
#define MPI_Init                world_init
#define MPI_Init_thread         world_init_thread
#define MPI_Comm_set_errhandler world_set_errhandler
#define MPI_Finalize            world_finalize

#endif /* JOBS_H */
