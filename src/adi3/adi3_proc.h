/* adi3_proc.h — processes: what src/mpi may know of their places and devices.
 *
 * The room's other face, for ADI3, is proc.h. */
#ifndef ADI3_PROC_H
#define ADI3_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include "adi3/adi3_base.h"

extern int adi3_verbose; /* the setting VERBOSE */
/* Describes which device serves which process. False, without a text, when the setting VERBOSE does
 * not ask for it. */
bool adi3_devices_used(char *text, size_t len);

/* Memory for MPI_Alloc_mem from the first open device with alloc_mem(); the caller frees it by
 * dev_free_mem(). NULL: no device has alloc_mem(), or no memory. */
void *dev_alloc_mem(size_t align, size_t len);
bool dev_free_mem(void *at); /* false: no device allocated the memory */

enum { ADI3_TITLE = 96 };
/* Names the process with this number for texts: "process 3 of MPI_COMM_WORLD" or "rank 3 of job B".
 * Returns text. */
const char *adi3_process_title(int number, char text[ADI3_TITLE]);

/* ---- places (place.c) ------------------------------------------------------------------------ */

enum adi3_level { ADI3_PACKAGE, ADI3_NUMA, ADI3_L3, ADI3_L2, ADI3_CORE, ADI3_PU, ADI3_LEVELS };

/* The parts of its node that a process was bound to when it called MPI_Init: their numbers on the
 * node by level; -1 at levels where it may run in more than one part. */
struct adi3_place {
    int at[ADI3_LEVELS];
};

/* The lowest rank in MPI_COMM_WORLD on this node: it names the node. */
int adi3_node_leader(void);
int adi3_node_cores(void); /* that any process of the job may use here */
/* The nodes of the job, numbered in the order of their lowest ranks. */
struct adi3_node_map {
    int count, mine; /* nodes; the number of our node */
    /* The arrays are NULL where each process is alone on its node: then its number is its rank. */
    const int *node;   /* of each rank */
    const int *leader; /* the lowest rank of each node */
    const int *ranks;  /* sorted by node, then by rank: ... */
    const int *first;  /* ... those of node k begin at ranks[first[k]] and end before
                        * ranks[first[k + 1]] */
};
/* Finds the map, which all processes of the node have in common, and which stays. The other
 * processes need not take part: where the launcher has no lists of the ranks of each node, their
 * business cards are read. Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int adi3_node_map_find(const struct adi3_node_map **map);
/* Sets ranks and first of a map for the nodes of so many ranks. */
void adi3_node_map_sort(const int *node, int size, int nodes, int *ranks, int *first);

static inline int adi3_node_map_leader(const struct adi3_node_map *map, int node)
{
    return map->leader ? map->leader[node] : node;
}

/* Sets *leader to the number of the leader of the node of rank in c, a process of the same job.
 * That process need not take part: see adi3_node_map_find(); of a process of another job the
 * business card is read, once. Errors: as there. */
int adi3_node_of(const struct adi3_comm *c, int rank, int *leader);
/* Sets id[] to a number for the node of each process of c, which may be of several jobs: processes
 * with the same number share memory. All processes see the same numbers. The others need not take
 * part: the business cards say it. Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int adi3_node_ids(const struct adi3_comm *c, uint64_t *id);
/* That number for our node; where the node is not known, one that our processes there have, and
 * those of no other job. */
uint64_t adi3_node_here(void);
/* Whether this process shares memory with all of c, as far as it has come to know: jobs that were
 * connected by processes of another node may be here, too. */
bool adi3_shares_memory(const struct adi3_comm *c);
/* False when all processes of this node may run on the same cores: then their places are the
 * same. */
bool adi3_node_bound(void);
/* The place of rank in c. False when it is on another node, or when there is no hwloc. */
bool adi3_place(const struct adi3_comm *c, int rank, struct adi3_place *place);

#endif /* ADI3_PROC_H */
