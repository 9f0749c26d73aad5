/* adi3_connect.h — introduces processes of different jobs to each other.
 *
 * For src/mpi/comm, which exchanges what is here between two groups: the jobs of their members, and
 * a business card of each member. */
#ifndef ADI3_CONNECT_H
#define ADI3_CONNECT_H

#include <stdint.h>
#include "adi3/adi3_comm.h"

enum { ADI3_KEY = 32, ADI3_BUSINESS_CARD = 2816, ADI3_JOB_NAME = 48 };

struct adi3_job_record {
    uint64_t id;
    int32_t size, unused;
    uint64_t credit;             /* bytes that a process of the job takes eagerly from one sender */
    unsigned char key[ADI3_KEY]; /* its public key; all zero: it has none */
    char name[ADI3_JOB_NAME];
};

struct adi3_business_card {
    struct adi3_process_name name;
    char text[ADI3_BUSINESS_CARD];
};

/* Whether our job has keys: there is a libsodium. Jobs of which one has none are connected in the
 * memory of one node alone. */
bool adi3_has_keys(void);
/* What the leaders of two groups prove to each other when both have keys: that they have the key of
 * the connection, and that these are the messages, of len bytes each. The proof is of the leader
 * that has sent `sent`. */
struct adi3_proof_of {
    const unsigned char *key; /* ADI3_KEY bytes */
    const void *sent, *received;
    size_t len;
};
void adi3_proof_make(const struct adi3_proof_of *of, unsigned char proof[ADI3_KEY]);
bool adi3_proof_holds(const struct adi3_proof_of *of, const unsigned char proof[ADI3_KEY]);

/* Writes the jobs of the members of a group, most of them at most. Returns how many there are. */
int adi3_group_jobs(const struct adi3_group *g, struct adi3_job_record *jobs, int most);
/* Writes the business card of this process, with which processes of other jobs reach it: opens the
 * devices that its own job did not need, by this process alone, and exposes its node's memory under
 * the number *memory, which is in the card. Errors: MPI_ERR_OTHER. */
int adi3_own_business_card(struct adi3_business_card *card, uint64_t *memory);
/* Learns of a job, unless it is known. Waits while a process of it has told this one that nothing
 * follows, or the other way, and not yet both: see connect/links.c. Its processes may send from now
 * on. Errors: MPI_ERR_OTHER, also when it is known with another key; MPI_ERR_NO_MEM. */
int adi3_job_learn(const struct adi3_job_record *job);
/* Must follow when the connect is over in all processes, or has failed: a job that no communicator
 * links is forgotten. */
void adi3_job_learned(const struct adi3_job_record *job, bool failed);
/* Takes the business card of a process of such a job. Errors: MPI_ERR_OTHER when the job or the
 * rank is not known, or the business card is of another process; MPI_ERR_NO_MEM. */
int adi3_business_card_take(const struct adi3_business_card *card);
/* Joins the memory of these processes' jobs on this node, as far as they have some. The other side
 * makes this call at the same time. Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM; of one process only,
 * and the others must not connect either. */
int adi3_jobs_introduce(const struct adi3_business_card *business_cards, int n);
/* Both sides are done with adi3_jobs_introduce(): the memory is no longer exposed under the number,
 * which may be 0. */
void adi3_jobs_introduced(uint64_t memory);
/* Finds devices for the processes of another job that this one has to tell its end, after inter has
 * been made: see connected.c. Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int adi3_connected(const struct adi3_comm *inter);
/* Lets go what a new communicator links: some process of its two groups could not connect. */
void adi3_comm_unlink(struct adi3_comm *c);

void adi3_comm_drain(const struct adi3_comm *c); /* waits for all requests of c that are active */
/* Before a communicator with a span is let go all its processes exchange whom they know: sets
 * known[i] for its peers. Then adi3_comm_leave() waits until all peers whose last link it was have
 * told that nothing follows, and forgets them, or until they are linked again; known[i]: peer i
 * knows this process, or the other way. Nothing of the communicator is under way. */
void adi3_comm_known(const struct adi3_comm *c, unsigned char *known);
void adi3_comm_leave(struct adi3_comm *c, const unsigned char *known);
int adi3_random(void *data, size_t len); /* Errors: MPI_ERR_OTHER */

/* Exchanges bytes with the process at the other end of a connected socket, while messages go on.
 * Errors: MPI_ERR_OTHER. */
int adi3_link_exchange(int link, const void *out, size_t out_len, void *in, size_t in_len);

/* Agrees on a key with the process at the other end of a connected socket, which makes this call
 * as well (link_key.c), while messages go on. The socket is quiet afterwards. All zero: one of them
 * has no libsodium. Errors: MPI_ERR_OTHER. */
int adi3_link_key(int link, unsigned char key[ADI3_KEY]);
/* Whether it is true at one end. An error after 20 s, as the other end may not ask. */
int adi3_link_either(int link, bool *either);
unsigned adi3_unreachable(void); /* how often no device has reached a process */

#endif /* ADI3_CONNECT_H */
