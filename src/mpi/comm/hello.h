/* hello.h — what the leaders of two groups tell each other first, when a socket connects them. */
#ifndef HELLO_H
#define HELLO_H

#include "adi3/adi3_connect.h"
#include "mpi/comm/comm.h"

enum { MPIR_HELLO_MAGIC = 0x53744a44, MPIR_JOBS_MOST = 64 };

struct mpir_hello {
    uint32_t magic;
    int32_t jobs, members;
    int32_t failed;   /* the leader has no random numbers */
    int32_t has_keys; /* its job has keys */
    int32_t unused;
    unsigned char nonce[ADI3_KEY]; /* random, so that no proof can be used twice */
    struct adi3_job_record job[MPIR_JOBS_MOST];
};

/* Exchanges hellos, and proofs that both leaders have p->key. Afterwards all processes of both
 * groups have both hellos. Collective over both groups. Errors: MPI_ERR_OTHER. */
int mpir_hello_exchange(const struct mpir_peer_comm *p, struct mpir_hello *ours,
                        struct mpir_hello *theirs);

#endif /* HELLO_H */
