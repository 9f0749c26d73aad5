/* facts.c — facts about a communicator for the Fortran library. */
#include "mpi/core/facts.h"
#include "mpi/topo/topo.h"

int MPIR_Comm_look(const char *name, MPI_Comm comm, struct mpir_comm_facts *facts)
{
    struct adi3_comm *c;

    if (mpir_is(ADI3_DOWN))
        return 0;
    struct mpir_call call = mpir_enter(name);
    struct mpir_call ignored = call;
    int found = mpir_comm_arg(&ignored, comm, &c) == MPI_SUCCESS;
    if (found) {
        *facts = (struct mpir_comm_facts) {
            .rank = c->rank, .size = c->size, .peers = c->peers, .inter = c->remote != 0
        };
        if (c->topology)
            mpir_degrees(c, &facts->sources, &facts->destinations);
    }
    (void) mpir_leave(&call);
    return found;
}
