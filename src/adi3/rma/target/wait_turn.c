/* wait_turn.c — waits for what a process of a window says. */
#include "adi3/rma/target/target_impl.h"

int rma_wait_turn(struct adi3_win *w, struct adi3_wait *wait, int rank)
{
    struct adi3_proc *p = w->comm->proc[rank];

    wait->peer = &p->peer;
    if (p->lost)
        return proc_error(p, p->lost);
    w->awaited = p;
    adi3_wait_turn(wait);
    return MPI_SUCCESS;
}
