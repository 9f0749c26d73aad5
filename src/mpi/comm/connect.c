/* connect.c — an intercommunicator of two groups whose processes do not know each other yet.
 *
 * The leaders are connected by a socket, or have a communicator in common. The groups exchange
 * their jobs and a business card of each process, and join each other's shared memory where they
 * are on one node. Then they are like groups of one job. */
#include <stdlib.h>
#include "mpi/comm/hello.h"

struct connection {
    struct mpir_peer_comm p;
    struct mpir_hello ours, theirs;
    struct adi3_business_card *our_business_cards, *their_business_cards;
    int learned;     /* jobs of the other group */
    uint64_t memory; /* the number under which this process exposes its node's memory; 0: not yet */
};

static int connection_consensus(const struct connection *x, int err)
{
    return mpir_peer_consensus(&x->p, x->theirs.members, err);
}

static int exchange_business_cards(struct connection *x)
{
    struct adi3_comm *c = x->p.local_comm;
    size_t one = sizeof(struct adi3_business_card), n = (size_t) c->size,
           m = (size_t) x->theirs.members;
    struct adi3_business_card mine;

    x->our_business_cards = malloc(n * one);
    x->their_business_cards = malloc(m * one);
    int err = x->our_business_cards && x->their_business_cards
                  ? adi3_own_business_card(&mine, &x->memory)
                  : adi3_no_memory("for the business cards of %d processes", c->size + (int) m);
    err = connection_consensus(x, err);
    if (!err)
        err = mpir_gather_all(c, &mine, one, x->our_business_cards);
    if (err)
        return err;
    const struct mpir_exchange_buffer b = { x->our_business_cards, x->their_business_cards, n * one,
                                            m * one };
    return mpir_exchange(&x->p, &b);
}

static int connection_learn_peers(struct connection *x)
{
    int err = MPI_SUCCESS;

    for (; x->learned < x->theirs.jobs && !err; x->learned += !err)
        err = adi3_job_learn(&x->theirs.job[x->learned]);
    for (int i = 0; i < x->theirs.members && !err; i++)
        err = adi3_business_card_take(&x->their_business_cards[i]);
    if (!err)
        err = adi3_jobs_introduce(x->their_business_cards, x->theirs.members);
    return err;
}

static int connection_make_comm(const struct connection *x, struct adi3_comm **made)
{
    struct adi3_comm *c = x->p.local_comm;
    const struct adi3_subgroup all = { .size = c->size, .me = c->rank };
    struct adi3_group *remote;
    struct mpir_ids ids;
    int err = mpir_handshake(&x->p, c->group, &ids, &remote);

    if (!err) {
        err = mpir_groups_disjoint(c->group, remote);
        if (!err)
            err = mpir_inter_make(c, &all, remote, &ids, made);
        adi3_group_release(remote);
    }
    if (!err)
        err = adi3_connected(*made);
    err = connection_consensus(x, err);
    if (err && *made) {
        adi3_comm_unlink(*made);
        adi3_comm_release(*made);
        *made = NULL;
    }
    return err;
}

int mpir_connect_by(const struct mpir_peer_comm *p, struct adi3_comm **made)
{
    struct connection x = { .p = *p };
    int err = mpir_hello_exchange(&x.p, &x.ours, &x.theirs);

    *made = NULL;
    if (!err)
        err = exchange_business_cards(&x);
    if (!err)
        err = connection_consensus(&x, connection_learn_peers(&x));
    adi3_jobs_introduced(x.memory);
    if (!err)
        err = connection_make_comm(&x, made);
    for (int i = 0; i < x.learned; i++)
        adi3_job_learned(&x.theirs.job[i], err != MPI_SUCCESS);
    free(x.our_business_cards);
    free(x.their_business_cards);
    return err;
}

int mpir_connect(struct adi3_comm *c, int root, int link, const unsigned char *key,
                 struct adi3_comm **made)
{
    const struct mpir_peer_comm p = {
        .local_comm = c, .local_leader = root, .link = link, .key = key
    };

    return mpir_connect_by(&p, made);
}
