/* dynamic.h — processes that start, find and leave each other (chapter 10): what the calls have in
 * common. */
#ifndef DYNAMIC_H
#define DYNAMIC_H

#include "mpi/mpir.h"

struct mpir_info;

/* Makes the error of root that of all processes of c. err counts at root alone. Collective over c,
 * which is an intracommunicator. */
int mpir_error_of_root(struct adi3_comm *c, int root, int err);

/* Accepts or connects at root, and makes an intercommunicator of c and the group of the process
 * that is met. name and w count at root alone. Collective over c. The error is the same in all
 * processes of c. */
enum mpir_port_side { MPIR_PORT_ACCEPT, MPIR_PORT_CONNECT };
int mpir_port_meet(struct adi3_comm *c, int root, enum mpir_port_side side, const char *name,
                   const struct adi3_port_wait *w, struct adi3_comm **made);

/* Sets *value to the number of a key, if the key is there. Errors: MPI_ERR_INFO_VALUE when it is
 * outside least..most. */
struct mpir_info_range {
    int least, most;
};
int mpir_info_int(const struct mpir_info *i, const char *key, struct mpir_info_range range,
                  int *value);

/* MPI_Comm_accept and MPI_Comm_connect, whose arguments but comm have not been checked. */
struct mpir_port_call {
    const char *port_name;
    MPI_Info info;
    int root;
    int seconds; /* unless info has a timeout; negative: without end */
    enum mpir_port_side side;
};
int mpir_port_call(struct adi3_comm *c, const struct mpir_port_call *p, MPI_Comm *newcomm);

/* In MPI_Init: connects with the processes that have spawned this job, if it was spawned.
 * Collective over MPI_COMM_WORLD. */
int mpir_parent_connect(void);
void mpir_parent_free(void); /* in MPI_Finalize: the program need not free that communicator */

#endif /* DYNAMIC_H */
