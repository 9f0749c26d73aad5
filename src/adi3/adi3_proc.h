/* adi3_proc.h — processes: what src/mpi may know of the places and devices of others. */
#ifndef ADI3_PROC_H
#define ADI3_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include "adi3_base.h"

extern int adi3_verbose; /* the setting VERBOSE */
/* Which device serves which process, in words, if the setting VERBOSE asks for it; else false. */
bool adi3_devices_used(char *text, size_t len);

/* ---- places (place.c) ------------------------------------------------------------------------ */

enum adi3_level { ADI3_PACKAGE, ADI3_NUMA, ADI3_L3, ADI3_L2, ADI3_CORE, ADI3_PU, ADI3_LEVELS };

/* The parts of its node that a process was bound to when it called MPI_Init, by their numbers
 * there; -1 at levels where it may run in more than one. */
struct adi3_place {
    int at[ADI3_LEVELS];
};

int adi3_node_leader(void); /* the lowest rank in MPI_COMM_WORLD on our node: the node's name */
/* The same of a process of c, which need not take part. Of a process on another node the launcher
 * is asked, once. */
int adi3_node_of(const struct adi3_comm *c, int rank, int *leader);
/* False when all processes of our node may run on the same cores: then no place differs. */
bool adi3_node_bound(void);
/* False when it is on another node, or when there is no hwloc. */
bool adi3_place(const struct adi3_comm *c, int rank, struct adi3_place *place);

#endif /* ADI3_PROC_H */
