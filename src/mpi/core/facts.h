/* facts.h — facts about objects that the Fortran library needs for sections of arrays.
 *
 * libmpi exports these. They call no error handler for a wrong handle: the call that the program
 * made does that. */
#ifndef FACTS_H
#define FACTS_H

#include "mpi.h"

#pragma GCC visibility push(default)

struct mpir_type_facts {
    MPI_Aint size, extent, true_lb, true_extent;
    int contig; /* one element behind the other, without holes, from the address of the buffer on */
    /* When all basic elements are the same: their type, predefined and never freed, and its size;
     * else MPI_DATATYPE_NULL. */
    MPI_Datatype basic;
    MPI_Aint basic_size;
};
/* False when datatype is not committed, is no datatype, or MPI is not initialized. */
int MPIR_Type_look(const char *call, MPI_Datatype datatype, struct mpir_type_facts *facts);

struct mpir_comm_facts {
    int rank, size, peers; /* peers: the processes of the other group, in an intercommunicator */
    int inter;             /* it is one */
    int sources, destinations; /* neighbors; 0 without a topology */
};
/* False for a wrong handle, or when MPI is not initialized. */
int MPIR_Comm_look(const char *call, MPI_Comm comm, struct mpir_comm_facts *facts);

#pragma GCC visibility pop

#endif /* FACTS_H */
