/* hello.c — the first messages of two leaders, and the proofs that they come from leaders that have
 * the key of the connection. What a stranger has sent goes no further than this file. */
#include <string.h>
#include "mpi/comm/hello.h"
#include "mpi/errhan/errhan.h"

enum { MEMBERS_MOST = 1 << 22 };

static void hello_make(const struct adi3_comm *c, struct mpir_hello *h)
{
    *h = (struct mpir_hello) { .magic = MPIR_HELLO_MAGIC,
                               .members = c->size,
                               .has_keys = adi3_has_keys() };
    h->jobs = adi3_group_jobs(c->group, h->job, MPIR_JOBS_MOST);
    h->failed = adi3_random(h->nonce, sizeof h->nonce) != MPI_SUCCESS;
}

static int hello_check(const struct mpir_hello *h, const char *whose)
{
    if (h->magic != MPIR_HELLO_MAGIC)
        return mpir_error(MPI_ERR_OTHER, "the other end of the connection is no group of a program "
                                         "with this library");
    if (h->failed)
        return mpir_error(MPI_ERR_OTHER, "the leader of the %s group has no random numbers", whose);
    if (h->jobs < 1 || h->jobs > MPIR_JOBS_MOST || h->members < 1 || h->members > MEMBERS_MOST)
        return mpir_error(MPI_ERR_OTHER,
                          "the %s group has %d processes of %d jobs; at most %d of %d can connect",
                          whose, (int) h->members, (int) h->jobs, MEMBERS_MOST, MPIR_JOBS_MOST);
    return MPI_SUCCESS;
}

/* Both or neither: else the one that has keys could not tell the other from a stranger. */
static int check_keys(const struct mpir_hello *ours, const struct mpir_hello *theirs)
{
    if (!ours->has_keys == !theirs->has_keys)
        return MPI_SUCCESS;
    return mpir_error(
        MPI_ERR_OTHER,
        "the leader of the %s group cannot load libsodium, so it cannot prove that it "
        "has the key of the connection",
        ours->has_keys ? "remote" : "local");
}

/* Whether the other leader has proved that it has the key. It may not have sent back what it got.
 */
static bool is_proven(const struct adi3_proof_of *of, const unsigned char proof[ADI3_KEY])
{
    const struct mpir_hello *ours = of->received, *theirs = of->sent;

    return memcmp(ours->nonce, theirs->nonce, ADI3_KEY) != 0 && adi3_proof_holds(of, proof);
}

static int exchange_proofs(const struct mpir_peer_comm *p, const struct mpir_hello *ours,
                           const struct mpir_hello *theirs)
{
    const struct adi3_proof_of our = { p->key, ours, theirs, sizeof *ours },
                               their = { p->key, theirs, ours, sizeof *theirs };
    unsigned char out[ADI3_KEY] = { 0 }, in[ADI3_KEY];
    const struct mpir_exchange_buffer b = { out, in, sizeof out, sizeof in };
    const struct adi3_comm *c = p->local_comm;
    int refused = 0;

    if (c->rank == p->local_leader)
        adi3_proof_make(&our, out);
    int err = mpir_exchange(p, &b);
    if (!err && c->rank == p->local_leader)
        refused = !is_proven(&their, in);
    if (!err)
        err = mpir_broadcast_id(p->local_comm, p->local_leader, &refused, sizeof refused);
    if (!err && refused)
        err = mpir_error(MPI_ERR_OTHER, "the other end of the connection has not proved that it "
                                        "has the key of the connection");
    return err;
}

int mpir_hello_exchange(const struct mpir_peer_comm *p, struct mpir_hello *ours,
                        struct mpir_hello *theirs)
{
    const struct mpir_exchange_buffer b = { ours, theirs, sizeof *ours, sizeof *theirs };

    hello_make(p->local_comm, ours);
    int err = mpir_exchange(p, &b);
    if (!err)
        err = mpir_broadcast_id(p->local_comm, p->local_leader, ours, sizeof *ours);
    if (!err)
        err = hello_check(ours, "local");
    if (!err)
        err = hello_check(theirs, "remote");
    if (!err)
        err = check_keys(ours, theirs);
    if (!err && ours->has_keys && !p->is_known)
        err = exchange_proofs(p, ours, theirs);
    return err;
}
