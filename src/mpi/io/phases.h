/* phases.h — a collective access: what all processes want (collective.c), and the rounds in which
 * they do it together (phases.c). */
#ifndef PHASES_H
#define PHASES_H

#include "mpi/coll/coll.h"
#include "mpi/io/io.h"

struct wish { /* of a process: the part of its stream, and the bytes of the file around it */
    struct mpir_io_call call;
    uint64_t at, len, low, high;
    uint64_t run;     /* bytes of a run in the file, on average */
    int64_t errclass; /* it cannot take part, or has failed alone */
    bool alone;       /* it has moved all by itself: nothing is left */
};

struct phases {
    struct adi3_access *a;
    struct adi3_hints hints; /* when the call began: the same in all */
    struct wish *all;        /* by rank */
    int size;
    int aggregators;            /* aggregator i is rank i * size / aggregators */
    uint64_t low, high, domain; /* domain i begins i * domain bytes after low */
    uint64_t window;            /* bytes of a domain in a round */
};

/* Takes the steps of all rounds. Errors of the file are in p->a in the process that meets them. */
void phases_run(struct coll *x, struct phases *p);

#endif /* PHASES_H */
