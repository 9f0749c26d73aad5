/* comm.h — making communicators, for all calls that do. */
#ifndef COMM_H
#define COMM_H

#include "mpi/mpir.h"

/* Makes a communicator from a subgroup of c, with the error handler of c. Collective over the
 * subgroup. tag is 0, or a tag of this call where other processes of c may make a communicator at
 * the same time. */
int mpir_comm_make(struct adi3_comm *c, const struct adi3_subgroup *t, int tag,
                   struct adi3_comm **made);

/* Makes an intercommunicator from a subgroup of `home`, which becomes the local group, and a remote
 * group. All processes know the context ids already. */
struct mpir_ids {
    uint32_t recv, send, local; /* to receive with, to send with, of the local group alone */
};
int mpir_inter_make(struct adi3_comm *home, const struct adi3_subgroup *t,
                    struct adi3_group *remote, const struct mpir_ids *ids, struct adi3_comm **made);
struct mpir_ids mpir_ids_pick(struct adi3_comm *home); /* sets recv and local */

/* A new communicator gets the error handler of its parent (§8.3.1). */
void mpir_comm_inherit(const struct adi3_comm *parent, struct adi3_comm *made);
void mpir_comm_init(void);

/* Of a job that was spawned: with the processes that have spawned it. NULL once it is no more. */
extern struct adi3_comm *mpir_comm_parent;

/* Makes the communicator of the processes with the same color. Sets NULL for the color
 * MPI_UNDEFINED, and for a color that no process in one group of an intercommunicator has.
 * Collective over c. */
int mpir_comm_split(struct adi3_comm *c, int color, int key, struct adi3_comm **made);

/* Duplicates c with its attributes and topology. mpir_comm_idup returns without waiting: until the
 * request is complete only calls that send no message may use the new one. Collective over c. */
int mpir_comm_dup(struct adi3_comm *c, struct adi3_comm **made);
int mpir_comm_idup(struct adi3_comm *c, struct adi3_comm **made, MPI_Request *request);
/* Copies the attributes, by their copy functions, and the topology. */
int mpir_comm_copy_cache(struct adi3_comm *c, struct adi3_comm *made);

/* comm_set_name.c: copies the name, cut to MPI_MAX_OBJECT_NAME with its null character. */
int mpir_comm_set_name(struct adi3_comm *c, const char *name);

/* ---- hints (hints.c) ------------------------------------------------------------------------- */

/* Sets or clears the bits, of enum adi3_hint, of the hints in info; other bits stay. Errors:
 * MPI_ERR_INFO_VALUE. */
struct mpir_info;
int mpir_hints_read(const struct mpir_info *info, uint8_t *bits);
int mpir_hints_write(uint8_t bits, struct mpir_info *info);

/* ---- exchange of data before a communicator is made (exchange.c)
 * --------------------------------------- */

/* coll_begin() for an operation that is not the program's. */
struct coll;
void mpir_internal_begin(struct coll *x, struct adi3_comm *c);
/* Gathers a record of len bytes of each process, by rank, at all. Collective over c, which is an
 * intracommunicator. */
int mpir_gather_all(struct adi3_comm *c, const void *mine, size_t len, void *all);
/* Broadcasts the data of root. Collective over c, which is an intracommunicator. */
int mpir_broadcast_id(struct adi3_comm *c, int root, void *data, size_t len);
/* The least number of all processes. Collective over c, which is an intracommunicator. */
int mpir_least_of_all(struct adi3_comm *c, int mine, int *least);

/* How two groups exchange data: the leader of each sends to the leader of the other one. As the
 * arguments of MPI_Intercomm_create. */
struct mpir_peer_comm {
    struct adi3_comm *local_comm; /* the intracommunicator of the local group */
    int local_leader;
    struct adi3_comm *peer_comm; /* has both leaders; used at the leader only, as the rest is */
    int remote_leader, tag;
    int link; /* a socket connected to the other leader; used when peer_comm is NULL */
    const unsigned char *key; /* ADI3_KEY bytes that only the two leaders know; with the socket */
    bool is_known; /* in all processes: the leaders are in peer_comm, and have nothing to prove */
};
struct mpir_peer_comm mpir_peer_comm_of(struct adi3_comm *inter);

struct mpir_exchange_buffer { /* bytes to the other group, and from it */
    const void *out;
    void *in;
    size_t out_len, in_len;
};
/* The leaders exchange the bytes, and broadcast the received bytes in their groups. Collective over
 * both groups. */
int mpir_exchange(const struct mpir_peer_comm *p, const struct mpir_exchange_buffer *x);

/* A failure of one process is a failure of all processes of both groups. Returns the process's own
 * error, or an error with the rank of the failed process. Collective over both. */
int mpir_peer_consensus(const struct mpir_peer_comm *p, int remote_size, int err);

/* Exchanges the groups of a future intercommunicator between its two sides. `ours` must be the same
 * in all processes of the local side, or they get MPI_ERR_GROUP. Sets the other group, with a
 * reference for the caller, and the context ids. Collective over both sides. */
int mpir_handshake(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                   struct mpir_ids *ids, struct adi3_group **theirs);
/* Its two parts: only the second one needs to know the members of the other side. */
struct mpir_side {
    int size;
    uint32_t digest; /* of the leader's group */
    uint64_t job;    /* of all members; 0: they are of several */
    struct mpir_ids ids;
};
struct mpir_sides {
    struct mpir_side ours, theirs;
};
int mpir_sides_exchange(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                        struct mpir_sides *s);
int mpir_members_exchange(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                          const struct mpir_sides *s, struct mpir_ids *ids,
                          struct adi3_group **theirs);

/* Makes an intercommunicator of two groups whose processes need not know each other: the leaders,
 * of rank root, are connected by a socket, which stays the caller's, and both have a key of
 * ADI3_KEY bytes, which they prove to each other. link and key matter at root only. Collective over
 * both. Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM, after which *made is NULL. */
int mpir_connect(struct adi3_comm *c, int root, int link, const unsigned char *key,
                 struct adi3_comm **made);
/* The same by leaders that p says. */
int mpir_connect_by(const struct mpir_peer_comm *p, struct adi3_comm **made);

/* Drops a reference to c, of which nothing is under way. If c spans several jobs, processes that
 * have no other such communicator in common forget each other. Collective over c. Errors: those of
 * a process that has failed; the reference is dropped all the same. */
int mpir_let_go(struct adi3_comm *c);
/* The same of a communicator whose handle the caller has taken back, once nothing of it is under
 * way in this process. */
int mpir_disconnect(struct adi3_comm *c);

/* Chooses one block of context ids, which is then reserved in all processes of both groups (see
 * adi3_comm_set_block). Collective over both. Errors: MPI_ERR_OTHER when none is left. */
int mpir_block_consensus(const struct mpir_peer_comm *p, int *block);

/* Whether no process is in both groups of a future intercommunicator. Errors: MPI_ERR_COMM,
 * MPI_ERR_NO_MEM. */
int mpir_groups_disjoint(struct adi3_group *ours, struct adi3_group *theirs);

/* Makes a copy of a group with a handle for the user. */
int mpir_group_copy_out(const struct adi3_group *g, MPI_Group *group);

/* Sets the ranks in c of the members of a group, an array that the caller frees. Errors:
 * MPI_ERR_GROUP when a member is not in c. */
int mpir_ranks_of(const struct adi3_group *g, const struct adi3_comm *c, int **ranks);

#endif /* COMM_H */
