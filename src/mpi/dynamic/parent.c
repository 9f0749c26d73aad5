/* parent.c — the connection of a spawned job with the processes that have spawned it. */
#include "mpi/comm/comm.h"
#include "mpi/dynamic/dynamic.h"
#include "mpi/errhan/errhan.h"

int mpir_parent_connect(void)
{
    const struct adi3_port_wait without_end = { -1, -1, NULL, NULL };
    char port[MPI_MAX_PORT_NAME];
    struct adi3_comm *made;

    if (!adi3_parent_port(port))
        return MPI_SUCCESS;
    int err = mpir_port_meet(&adi3_world, 0, MPIR_PORT_CONNECT, port, &without_end, &made);
    if (!err)
        err = mpir_comm_set_name(made, "MPI_COMM_PARENT");
    if (err)
        return mpir_error(err & ADI3_CLASS_MASK,
                          "the process that has spawned this one cannot be connected: %s",
                          mpir_error_cause(err));
    mpir_comm_parent = made;
    return MPI_SUCCESS;
}

void mpir_parent_free(void)
{
    struct adi3_comm *c = mpir_comm_parent;

    if (!c || c->closed != ADI3_OPEN)
        return;
    c->closed = ADI3_FREED;
    adi3_comm_release(c);
}
