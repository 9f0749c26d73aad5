/* adi3_comm.h — communicators and groups: how they are made, compared and ended. */
#ifndef ADI3_COMM_H
#define ADI3_COMM_H

#include <stdbool.h>
#include <stdint.h>
#include "adi3_base.h"

/* Gives the whole subgroup of c a context id that its first process picks. MPI_ERR_GROUP when
 * digests differ; the others are told all the same. */
int adi3_context_agree(struct adi3_comm *c, const struct adi3_subgroup *t, int tag, uint32_t *ctx);
uint32_t adi3_context_pick(void); /* one that no process uses */

/* Makes an intracommunicator of the subgroup of c, with an id that all have. No messages. */
int adi3_comm_new(struct adi3_comm *c, const struct adi3_subgroup *t, uint32_t ctx,
                  struct adi3_comm **made);
/* Likewise in two steps: of groups, which it holds; then its contexts. remote: NULL, or that of an
 * intercommunicator, which then has two ids: we receive with ours, and send with theirs. */
int adi3_comm_make(struct adi3_group *g, struct adi3_group *remote, struct adi3_comm **made);
int adi3_comm_open(struct adi3_comm *c, uint32_t recv_ctx, uint32_t send_ctx);
void adi3_comm_set_hints(struct adi3_comm *c, uint8_t hints); /* all its hints, from now on */
extern void (*adi3_comm_ends)(struct adi3_comm *c); /* nobody holds it: what src/mpi hung on it */

/* A group of one reference, and no handle of the user's; NULL without memory. The members are
 * processes of MPI_COMM_WORLD, in memory that is the group's from then on, also when it fails. */
struct adi3_group *adi3_group_make(int size, int *member);
struct adi3_group *adi3_group_strided(int size, int first, int stride);
struct adi3_group *adi3_group_copy(const struct adi3_group *g);
void adi3_group_release(struct adi3_group *g);
/* A handle for the user, with a reference of its own, and its end: one for each group, so that a
 * handle that was freed names nothing. */
MPI_Group adi3_group_user_acquire(struct adi3_group *g);
void adi3_group_user_release(struct adi3_group *g);

/* New groups of those there are, as adi3_group_make gives them (§6.3.2). Ranks are valid and
 * distinct; a range is first, last and stride. */
struct adi3_group *adi3_group_union(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_intersection(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_difference(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_incl(const struct adi3_group *g, int n, const int *ranks);
struct adi3_group *adi3_group_excl(const struct adi3_group *g, int n, const int *ranks);
struct adi3_group *adi3_group_range_incl(const struct adi3_group *g, int n, int (*ranges)[3]);
struct adi3_group *adi3_group_range_excl(const struct adi3_group *g, int n, int (*ranges)[3]);

/* MPI_IDENT when the order is the same too, MPI_SIMILAR when only the members are, else
 * MPI_UNEQUAL. Errors: MPI_ERR_NO_MEM, as below. */
int adi3_group_compare(struct adi3_group *a, struct adi3_group *b, int *result);
/* Ranks in the group from, or MPI_PROC_NULL, to ranks in the group to, or MPI_UNDEFINED. */
int adi3_group_translate(const struct adi3_group *from, int n, const int *ranks,
                         struct adi3_group *to, int *result);

#endif /* ADI3_COMM_H */
