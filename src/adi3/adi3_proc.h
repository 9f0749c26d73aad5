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
/* Sets *leader to the number of the leader of the node of rank in c, a process of the same job: so
 * jobs do not share a node here. That process need not take part: for another node its business
 * card is read, once. Errors: MPI_ERR_OTHER. */
int adi3_node_of(const struct adi3_comm *c, int rank, int *leader);
/* False when all processes of this node may run on the same cores: then their places are the
 * same. */
bool adi3_node_bound(void);
/* The place of rank in c. False when it is on another node, or when there is no hwloc. */
bool adi3_place(const struct adi3_comm *c, int rank, struct adi3_place *place);

#endif /* ADI3_PROC_H */
