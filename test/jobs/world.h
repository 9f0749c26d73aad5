/* world.h — connects jobs: see world.c. */
#ifndef WORLD_H
#define WORLD_H

#include <mpi.h>

#pragma GCC visibility push(default)
extern MPI_Comm jobs_world;
int world_init(int *argc, char ***argv);
int world_init_thread(int *argc, char ***argv, int required, int *provided);
int world_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int world_finalize(void);
/* Makes an intercommunicator with the group at the other end of a socket. Collective over comm,
 * whose rank 0 has the socket. An error is described in why. */
int world_connect(MPI_Comm comm, int link, MPI_Comm *inter, char why[MPI_MAX_ERROR_STRING]);
/* The same by the socket of job `guest`: see world.c. An error ends the program. */
MPI_Comm world_meet(MPI_Comm comm, int guest, int accepts);
int world_disconnect(MPI_Comm *comm); /* what MPI_Comm_disconnect will do */
int world_has_segment(MPI_Comm comm); /* its collective operations go through shared memory */
/* The nodes by which its operations have phases, and the node of each rank; 0: there are none. */
int world_nodes(MPI_Comm comm, int *node);
/* What this process knows of other jobs: those that a communicator, window or file links with it,
 * and all processes whose numbers are in use. */
struct world_known {
    int jobs, linked; /* linked: processes */
    int processes;
};
struct world_known world_known(void);
int world_quiesce(void); /* adi3_quiesce() and adi3_reopen() */
int world_reopen(void);
#pragma GCC visibility pop

#endif /* WORLD_H */
