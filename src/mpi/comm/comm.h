/* comm.h — making communicators, for all calls that do. */
#ifndef COMM_H
#define COMM_H

#include "mpir.h"

/* Makes the communicator of a subgroup of c, with c's error handler. Collective over the
 * subgroup; tag: 0, or one of its own where others than the subgroup's members may make one at
 * the same time. */
int mpir_comm_make(struct adi3_comm *c, const struct adi3_subgroup *t, int tag,
                   struct adi3_comm **made);

/* Likewise an intercommunicator of a subgroup of `home`, our half, and of another group. The ids
 * have been told to all. */
struct mpir_ids {
    uint32_t recv, send, local; /* to receive with, the other half's, that of our half alone */
};
int mpir_inter_make(struct adi3_comm *home, const struct adi3_subgroup *t,
                    struct adi3_group *remote, const struct mpir_ids *ids, struct adi3_comm **made);
struct mpir_ids mpir_ids_pick(void); /* recv and local */

/* The error handler of a communicator goes on to those that are made of it (§8.3.1). */
void mpir_comm_inherit(const struct adi3_comm *parent, struct adi3_comm *made);
void mpir_comm_init(void);

/* Makes the communicator of those who give the same color; NULL for MPI_UNDEFINED, and for a color
 * that one half of an intercommunicator has not given. Collective over c. */
int mpir_comm_split(struct adi3_comm *c, int color, int key, struct adi3_comm **made);

/* Makes a communicator like c, with all that c has cached; the second one waits for nobody, and
 * until the request is complete the communicator is for local calls alone. Collective over c. */
int mpir_comm_dup(struct adi3_comm *c, struct adi3_comm **made);
int mpir_comm_idup(struct adi3_comm *c, struct adi3_comm **made, MPI_Request *request);
/* Attributes by their functions, and the topology. */
int mpir_comm_copy_cache(struct adi3_comm *c, struct adi3_comm *made);

/* ---- hints (hints.c) ------------------------------------------------------------------------- */

/* Those that info has, by adi3_hint, the others as they are; MPI_ERR_INFO_VALUE. */
struct mpir_info;
int mpir_hints_read(const struct mpir_info *info, uint8_t *bits);
int mpir_hints_write(uint8_t bits, struct mpir_info *info);

/* ---- what all of a communicator must know (exchange.c) --------------------------------------- */

/* The records of all, by rank, of an intracommunicator. Collective. */
int mpir_gather_all(struct adi3_comm *c, const void *mine, size_t len, void *all);
/* What one process of an intracommunicator has, at all. Collective. */
int mpir_broadcast_id(struct adi3_comm *c, int root, void *data, size_t len);

/* The way between two groups, each of which is an intracommunicator's. */
struct mpir_peer_comm {
    struct adi3_comm *home; /* ours */
    int leader;             /* its process at this end of the bridge; the other end: */
    struct adi3_comm *over;
    int peer, tag;
};
struct mpir_peer_comm mpir_peer_comm_of(struct adi3_comm *inter);

struct mpir_exchange_buffer { /* bytes for the other group, and from it */
    const void *out;
    void *in;
    size_t out_len, in_len;
};
/* The leaders exchange letters, and each tells all of its group. Collective. */
int mpir_exchange(const struct mpir_peer_comm *b, const struct mpir_exchange_buffer *l);

/* Both groups tell each other of a group that will be half of an intercommunicator: ours is the
 * same in all of our half, or MPI_ERR_GROUP. Gives the other one, with a reference of the caller's,
 * and the ids. Collective. */
int mpir_handshake(const struct mpir_peer_comm *b, const struct adi3_group *ours,
                   struct mpir_ids *ids, struct adi3_group **theirs);

/* A group for the user, of his own. */
int mpir_group_copy_out(const struct adi3_group *g, MPI_Group *group);

/* The ranks in c's group of a group's members, the caller's to free; MPI_ERR_GROUP when one is not
 * there. */
int mpir_ranks_of(const struct adi3_group *g, const struct adi3_comm *c, int **ranks);
uint32_t mpir_group_digest(const struct adi3_group *g); /* the same for equal groups */

#endif /* COMM_H */
