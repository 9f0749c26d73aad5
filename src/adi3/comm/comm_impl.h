/* comm_impl.h — shared between the files of src/adi3/comm, and no others. */
#ifndef COMM_IMPL_H
#define COMM_IMPL_H

#include "adi3/comm/comm.h"
#include "adi3/p2p/p2p.h"

/* The processes of a group, in a list that the group keeps; NULL without memory. */
struct adi3_proc **group_procs(struct adi3_group *g);
void context_init(void);

/* block.c */
/* The ids that this process may pick: the first, and a counter of so many bits behind it. */
struct context_range {
    uint32_t first, bits, counter;
};
struct context_range *block_range(struct adi3_comm *c); /* of c's block */
void block_share(const struct adi3_comm *parent, struct adi3_comm *made);
void block_release(struct adi3_comm *c);

/* The rank of a process in a group without a list, or MPI_UNDEFINED. */
static inline int group_rank_in_row(const struct adi3_group *g, int process)
{
    int away = process - g->first;
    int place = g->stride == 1 ? away : g->stride ? away / g->stride : 0;

    return place >= 0 && place < g->size && place * g->stride == away ? place : MPI_UNDEFINED;
}

#endif /* COMM_IMPL_H */
