/* jobs.h — included before all of an MPI program: its MPI_COMM_WORLD has the processes of several
 * jobs. See world.c. */
#ifndef JOBS_H
#define JOBS_H

#include <mpi.h>

extern MPI_Comm jobs_world;
int world_init(int *argc, char ***argv);
int world_init_thread(int *argc, char ***argv, int required, int *provided);
int world_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int world_finalize(void);
int world_quiesce(void); /* adi3_quiesce() and adi3_reopen() */
int world_reopen(void);

#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD          jobs_world
#define MPI_Init                world_init
#define MPI_Init_thread         world_init_thread
#define MPI_Comm_set_errhandler world_set_errhandler
#define MPI_Finalize            world_finalize

#endif /* JOBS_H */
