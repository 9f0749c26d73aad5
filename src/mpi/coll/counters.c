/* counters.c — the counters of collective operations. */
#include "mpi/coll/coll.h"

static const void *begun_on(const void *comm, int form)
{
    return &((const struct adi3_comm *) comm)->begun[form];
}

static const void *blocking_of_comm(const void *comm) { return begun_on(comm, ADI3_FORM_BLOCKING); }
static const void *nonblocking_of_comm(const void *comm) { return begun_on(comm, ADI3_FORM_BEGUN); }
static const void *persistent_of_comm(const void *comm) { return begun_on(comm, ADI3_FORM_INIT); }

#define ROW(form, doc)                                                                             \
    COUNTER_OBJECT_ROW("coll_" #form "_calls", COUNTER_EVENTS, COUNTER_OF_COMM, form##_of_comm,    \
                       "calls", doc)

const struct counter mpir_coll_counters[] = {
    ROW(blocking, "How many blocking collective operations this process has begun, those that "
                  "other calls consist of included."),
    ROW(nonblocking, "How many nonblocking collective operations this process has begun, "
                     "MPI_Comm_idup and collective accesses to files included."),
    ROW(persistent, "How many persistent collective operations this process has initialized."),
    { 0 }
};
