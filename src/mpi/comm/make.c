/* make.c — what all new communicators have in common. */
#include "comm/comm.h"
#include "topo/topo.h"

void mpir_comm_ends(struct adi3_comm *c) { mpir_topology_release(c->topology); }

int mpir_comm_make(struct adi3_comm *c, const struct adi3_team *t, int tag, struct adi3_comm **made)
{
    uint32_t ctx;
    int err = adi3_context_agree(c, t, tag, &ctx);

    if (!err)
        err = adi3_comm_new(c, t, ctx, made);
    if (!err)
        (*made)->errhandler = c->errhandler;
    return err;
}
