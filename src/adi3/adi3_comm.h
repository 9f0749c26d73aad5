/* adi3_comm.h — communicators and groups: how they are made, compared and freed.
 *
 * For src/mpi. As data they are in adi3_base.h, since all rooms need them. This room stands above
 * messages: it sends context ids, and takes over the queues of new communicators. */
#ifndef ADI3_COMM_H
#define ADI3_COMM_H

#include <stdbool.h>
#include <stdint.h>
#include "adi3/adi3_base.h"

/* Gives all processes of a subgroup of c the context id that its first process picks, by messages
 * with this tag. Errors: MPI_ERR_GROUP when digests differ; the id is broadcast all the same. */
int adi3_context_distribute(struct adi3_comm *c, const struct adi3_subgroup *t, int tag,
                            uint32_t *ctx);
/* Picks an id for a communicator made of c: no process of c has it. 0: there is none left. */
uint32_t adi3_context_pick(struct adi3_comm *c);

/* Blocks of context ids (block.c), for communicators whose processes are of several jobs. */
enum { ADI3_BLOCKS = 1024 };
struct adi3_block_map {
    uint64_t word[ADI3_BLOCKS / 64];
};
extern struct adi3_block_map adi3_blocks;          /* that this process uses or has reserved */
bool adi3_group_spans(const struct adi3_group *g); /* its processes are of several jobs */
/* One of the blocks that are not used, the same for the same random number; -1: there is none. */
int adi3_block_choose(const struct adi3_block_map *used, uint64_t random);
bool adi3_block_reserve(struct adi3_block_map *mine, int block); /* false: it is used already */
void adi3_block_free(struct adi3_block_map *mine, int block);
uint32_t adi3_block_first_id(int block); /* for the communicator that chose it */
/* Gives c the block that all its processes have reserved for it, once; it is freed with c and the
 * communicators made of c. Errors: MPI_ERR_OTHER when c is too large, MPI_ERR_NO_MEM. */
int adi3_comm_set_block(struct adi3_comm *c, int block);

/* Makes an intracommunicator of the subgroup of c, with a context id that all its processes have.
 * Sends no messages. */
int adi3_comm_new(struct adi3_comm *c, const struct adi3_subgroup *t, uint32_t ctx,
                  struct adi3_comm **made);
/* The same in two steps. The first makes it of its groups, to which it takes references. remote:
 * NULL, or the remote group of an intercommunicator. */
int adi3_comm_make(struct adi3_group *g, struct adi3_group *remote, struct adi3_comm **made);
/* The second gives it its contexts: then it can send and receive. An intercommunicator has two ids,
 * one for each group: this process receives with its group's and sends with the other's. */
int adi3_comm_open(struct adi3_comm *c, uint32_t recv_ctx, uint32_t send_ctx);
void adi3_comm_set_hints(struct adi3_comm *c, uint8_t hints); /* all its hints, from now on */
/* src/mpi's: called when the last reference is gone; frees the attributes and what else src/mpi
 * has attached. */
extern void (*adi3_comm_ends)(struct adi3_comm *c);

/* Makes a group with one reference and no handle of the program; NULL without memory. The members
 * are numbers of processes, in memory that the group frees, also when this fails. */
struct adi3_group *adi3_group_make(int size, int *member);
struct adi3_group *adi3_group_strided(int size, int first, int stride);
struct adi3_group *adi3_group_copy(const struct adi3_group *g);
void adi3_group_release(struct adi3_group *g);
/* Gives the program a handle, with a reference of its own, and takes it back. A group has one
 * handle at most, so that a freed one names nothing. */
MPI_Group adi3_group_user_acquire(struct adi3_group *g);
void adi3_group_user_release(struct adi3_group *g);

/* A process as all processes of all jobs name it, for messages. */
struct adi3_process_name {
    uint64_t job;
    int32_t rank, zero;
};
struct adi3_process_name adi3_group_name(const struct adi3_group *g, int i); /* of member i */
/* Makes the group of n processes with these names. Errors: MPI_ERR_OTHER when this process knows
 * one of them not, MPI_ERR_NO_MEM. */
int adi3_group_named(int n, const struct adi3_process_name *names, struct adi3_group **made);
/* An order of all processes. */
bool adi3_process_before(const struct adi3_process_name *a, const struct adi3_process_name *b);
uint32_t adi3_group_digest(const struct adi3_group *g); /* the same for equal groups */

/* Make new groups of others, as adi3_group_make() does (§6.3.2). Ranks are valid and distinct; a
 * range is first, last and stride. */
struct adi3_group *adi3_group_union(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_intersection(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_difference(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_incl(const struct adi3_group *g, int n, const int *ranks);
struct adi3_group *adi3_group_excl(const struct adi3_group *g, int n, const int *ranks);
struct adi3_group *adi3_group_range_incl(const struct adi3_group *g, int n, int (*ranges)[3]);
struct adi3_group *adi3_group_range_excl(const struct adi3_group *g, int n, int (*ranges)[3]);

/* Sets *result to MPI_IDENT when members and order are the same, MPI_SIMILAR when only the members
 * are, else MPI_UNEQUAL. Errors: MPI_ERR_NO_MEM, as below. */
int adi3_group_compare(struct adi3_group *a, struct adi3_group *b, int *result);
/* Translates n ranks in the group `from`, or MPI_PROC_NULL, to ranks in the group `to`, or
 * MPI_UNDEFINED. */
int adi3_group_translate(const struct adi3_group *from, int n, const int *ranks,
                         struct adi3_group *to, int *result);

#endif /* ADI3_COMM_H */
