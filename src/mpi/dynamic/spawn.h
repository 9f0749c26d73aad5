/* spawn.h — what MPI_Comm_spawn and MPI_Comm_spawn_multiple give to one function. */
#ifndef SPAWN_H
#define SPAWN_H

#include "mpi/mpir.h"

struct mpir_spawn_args { /* as the user gave them; all but codes matter at root only */
    int count;           /* commands */
    char *const *command;
    char **const *argv; /* NULL: none has arguments */
    const int *maxprocs;
    const MPI_Info *info;
    int *codes; /* MPI_ERRCODES_IGNORE, or room for those of all processes */
};

/* Spawns a job. Collective over c, whose processes all get the same error. Sets the codes, as far
 * as root's arguments say how many there are. Errors: MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_INFO,
 * MPI_ERR_INFO_VALUE, MPI_ERR_SPAWN, MPI_ERR_NO_MEM. */
int mpir_spawn(struct adi3_comm *c, int root, const struct mpir_spawn_args *a,
               struct adi3_comm **made);

/* ---- root's arguments (spawn_args.c) --------------------------------------------------------- */

struct mpir_spawn_plan {
    struct adi3_spawn_request request;
    struct adi3_spawn_program *program; /* of the request */
    struct adi3_spawn_info *info;       /* of all programs */
    int processes;                      /* the sum of all maxprocs; 0 until they are known */
};
/* Checks the arguments, and makes a request of them, which points into the arguments and into info
 * objects. The caller frees the plan, also after an error. */
int mpir_spawn_plan_make(const struct mpir_spawn_args *a, struct mpir_spawn_plan *plan);
void mpir_spawn_plan_free(struct mpir_spawn_plan *plan);
/* Turns the launcher's codes of the processes that were asked for into those of all maxprocs, in
 * place. Returns how many processes were left out. */
int mpir_spawn_plan_codes(const struct mpir_spawn_plan *plan, const struct mpir_spawn_args *a,
                          int *codes);

#endif /* SPAWN_H */
