/* adi3_spawn.h — starts processes by the launcher, and gets a socket to the first of them.
 *
 * For src/mpi/dynamic, which connects the new job with the processes that have spawned it. */
#ifndef ADI3_SPAWN_H
#define ADI3_SPAWN_H

#include <stdbool.h>
#include "adi3/adi3_port.h"

struct adi3_spawn_info { /* of the request for a program: what the launcher gets */
    const char *key, *value;
};

struct adi3_spawn_program {
    const char *command;
    char *const *argv; /* the arguments behind the command, and NULL; NULL: none */
    int count;         /* processes */
    const struct adi3_spawn_info *info;
    int infos;
};

struct adi3_spawn_request { /* for one job */
    const struct adi3_spawn_program *program;
    int programs;
    int seconds; /* most until it calls MPI_Init; negative: without end */
};

struct adi3_spawn; /* a job that does not yet belong to its spawner */
/* Starts the job, and waits until its process 0 has called MPI_Init and is at the other end of the
 * link, which the caller closes, while messages go on. adi3_spawn_end() must follow if this
 * succeeds. Errors: MPI_ERR_SPAWN, MPI_ERR_NO_MEM; MPI_ERR_INFO_VALUE when the launcher refuses the
 * value of an info key; those of adi3_port_open(). After an error no process of the job runs, as
 * far as the launcher can tell, and end it. */
int adi3_spawn_begin(const struct adi3_spawn_request *r, struct adi3_spawn **spawn,
                     struct adi3_port_link *link);
/* connected: the job belongs to its spawner now; otherwise it ends, as far as the launcher can end
 * it. Then sets a code for each process, in order: 0 when it runs; what the launcher has left out
 * has another one. */
void adi3_spawn_end(struct adi3_spawn *spawn, bool connected, int *codes);

/* The port of the process that has spawned this job; false when no process of MPI has. */
bool adi3_parent_port(char name[MPI_MAX_PORT_NAME]);

#endif /* ADI3_SPAWN_H */
