/* context.c — context ids.
 *
 * A context id is picked by the first process of the new communicator from its own numbers and
 * broadcast to the others: no retries, no agreement, any number under way. Ids are even; the odd
 * one above each is for collective operations. */
#include "comm_impl.h"

/* ---- context ids ----------------------------------------------------------------------------- */

static uint32_t counter, counter_bits;

/* The leader's rank in the high bits, its counter in the low ones, once shifted for the even id. */
uint32_t adi3_context_pick(void)
{
    uint32_t mask = (1u << counter_bits) - 1, id;

    do {
        counter = (counter + 1) & mask;
        id = ((uint32_t) adi3_job.rank << counter_bits | counter) << 1;
        /* 0 and 1 are those of MPI_COMM_WORLD and MPI_COMM_SELF */
    } while (queues_find(id) || queues_find(id + 1) || (id >> 1 & mask) < 2);
    return id;
}

void context_init(void)
{
    uint32_t rank_bits = 0;

    while (1u << rank_bits < (uint32_t) adi3_job.size)
        rank_bits++;
    counter_bits = 31 - rank_bits;
}

/* What goes down the tree: the id, and what the subgroups of all must have in common. */
struct notice {
    uint32_t ctx, digest;
};

static int differs(int from)
{
    return adi3_error(MPI_ERR_GROUP, "process %d of the communicator gave another group", from);
}

/* What whoever could not hear of an id tells the others instead. */
static int lost(int from)
{
    return adi3_error(MPI_ERR_OTHER, "process %d of the communicator had no id to tell", from);
}

/* Down a binomial tree, also after an error: the others are not left waiting. */
int adi3_context_agree(struct adi3_comm *c, const struct adi3_subgroup *t, int tag, uint32_t *ctx)
{
    struct notice n = { t->me ? 0 : adi3_context_pick(), t->digest };
    struct adi3_data d = { &n, sizeof n, adi3_type_builtin(MPI_BYTE) };
    int bit = 1, err = MPI_SUCCESS;

    while (bit < t->size && !(t->me & bit))
        bit <<= 1;
    if (t->me) {
        int from = adi3_subgroup_rank(t, t->me - bit);
        err = adi3_recv(&d, from, tag, c, ADI3_COLL, MPI_STATUS_IGNORE);
        if (!err && !n.ctx)
            err = lost(from);
        else if (!err && n.digest != t->digest)
            err = differs(from);
    }
    while (bit >>= 1) {
        if (t->me + bit >= t->size)
            continue;
        int sent = adi3_send(&d, adi3_subgroup_rank(t, t->me + bit), tag, c, ADI3_COLL);
        err = err ? err : sent;
    }
    *ctx = n.ctx;
    return err;
}
