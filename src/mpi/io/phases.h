/* phases.h — the two phases of a collective access, in rounds (phases.c). */
#ifndef PHASES_H
#define PHASES_H

#include "io.h"

struct wish { /* of a process: the part of its stream, and the bytes of the file around it */
    uint64_t at, len, low, high;
    int64_t errclass; /* it cannot take part */
};

struct phases {
    struct adi3_access *a;
    const struct wish *all;        /* by rank */
    const struct adi3_view *views; /* likewise */
    int size;
    int aggregators;            /* the first ranks */
    uint64_t low, high, domain; /* domain i begins i * domain bytes after low */
};

/* Collective. The result is in p->a. Errors: of messages, and MPI_ERR_NO_MEM; those of the file are
 * in p->a in the process that has met them, and in all as a class. */
int phases_run(struct phases *p);

#endif /* PHASES_H */
