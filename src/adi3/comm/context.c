/* context.c — context ids.
 *
 * The first process of a new communicator picks the context id, from numbers that it alone uses,
 * and broadcasts it to the others. So there are no retries, and any number of communicators can
 * be made at the same time. Ids are even; the odd one above each is for collective operations. */
#include "adi3/comm/comm_impl.h"

static struct context_range job_ids;

/* An id of the job is 0, the rank of the process that picks it, its counter, and a bit that is 0;
 * others are in block.c. The counters 0 and 1 belong to MPI_COMM_WORLD and MPI_COMM_SELF. */
uint32_t adi3_context_pick(struct adi3_comm *c)
{
    struct adi3_comm *home = c->local ? c->local : c;
    struct context_range *r = home->block ? block_range(home) : &job_ids;
    uint32_t mask = (1u << r->bits) - 1;

    assert(adi3_lock_held());
    for (uint32_t tried = 0; tried <= mask; tried++) {
        r->counter = (r->counter + 1) & mask;
        uint32_t id = (r->first | r->counter) << 1;
        if (r->counter >= 2 && !queues_find(id) && !queues_find(id + 1))
            return id;
    }
    return 0;
}

void context_init(void)
{
    uint32_t rank_bits = 0;

    while (1u << rank_bits < (uint32_t) adi3_job.size)
        rank_bits++;
    job_ids.bits = 30 - rank_bits;
    job_ids.first = (uint32_t) adi3_job.rank << job_ids.bits;
    job_ids.counter = 0;
}

/* What is broadcast: the id, and the digest that the subgroups of all processes must have. */
struct notice {
    uint32_t ctx, digest;
};

static int other_group(int from)
{
    return adi3_error(MPI_ERR_GROUP, "process %d of the communicator gave another group", from);
}

/* A process that has not received the id sends 0 to the others instead. */
static int no_id(int from)
{
    return adi3_error(MPI_ERR_OTHER,
                      "process %d of the communicator has not received the new context id", from);
}

/* Down a binomial tree. It goes on after an error, so that no process is left waiting. */
int adi3_context_distribute(struct adi3_comm *c, const struct adi3_subgroup *t, int tag,
                            uint32_t *ctx)
{
    struct notice n = { t->me ? 0 : adi3_context_pick(c), t->digest };
    struct adi3_data d = { &n, sizeof n, adi3_type_builtin(MPI_BYTE) };
    int bit = 1, err = MPI_SUCCESS;

    while (bit < t->size && !(t->me & bit))
        bit <<= 1;
    if (t->me) {
        int from = adi3_subgroup_rank(t, t->me - bit);
        err = adi3_recv(&d, from, tag, c, ADI3_COLL, MPI_STATUS_IGNORE);
        if (!err && !n.ctx)
            err = no_id(from);
        else if (!err && n.digest != t->digest)
            err = other_group(from);
    }
    while (bit >>= 1) {
        if (t->me + bit >= t->size)
            continue;
        int sent = adi3_send(&d, adi3_subgroup_rank(t, t->me + bit), tag, c, ADI3_COLL);
        if (!err)
            err = sent;
    }
    *ctx = n.ctx;
    if (!err && !n.ctx)
        err = adi3_error(MPI_ERR_OTHER, "this process has no context id left: the program has "
                                        "communicators with all of them");
    return err;
}
