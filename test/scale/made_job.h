/* made_job.h — a job without processes: MPI_COMM_WORLD with any number of ranks, placed on nodes in
 * the order of ranks; and the operations that it can record. */
#ifndef MADE_JOB_H
#define MADE_JOB_H

#include "adi3/adi3.h"
#include "mpi/coll/coll.h"
#include "recording.h"

/* ---- the library's functions that only record (wrapped.c) ------------------------------------ */

enum { RECEIVED_BYTE = 1 };
void wrapped_record(struct recording *r); /* from now on, the steps of a rank */
void wrapped_step(struct step step);      /* one more of these */
size_t wrapped_memory(void);              /* bytes that the rank has taken since then */
void *wrapped_reserve(void);              /* terabytes of memory without pages */

/* ---- the job (made_job.c) -------------------------------------------------------------------- */

/* blocking: operations are calls in this form, whose phases on a node may go through its memory. */
void made_job_open(int ranks, int per_node, bool blocking);
bool made_job_blocking(void);
void made_job_be(int rank); /* this rank asks from now on */
int made_job_nodes(void);
int made_job_per_node(void);

/* ---- operations (operations.c) --------------------------------------------------------------- */

struct operation {
    const char *name;
    struct coll_operation *coll; /* NULL: of no table; then record is given */
    bool reduces;                /* doubles, by MPI_SUM; others: bytes */
    /* Sets the arguments; len: bytes, of a block where there is one for each process. */
    void (*set)(struct coll *x, size_t len);
    void (*record)(void);
};

/* The row of this name; NULL: there is none. */
const struct operation *operation_find(const char *name);
extern const struct operation operations[]; /* ended by a NULL name */

/* The algorithm that the library chooses; NULL for an operation without a table. */
const struct coll_algorithm *operation_choice(const struct operation *o, size_t len);
bool operation_fits(const struct operation *o, const struct coll_algorithm *a, size_t len);

/* Records an algorithm in all ranks of the job. False, and r is closed, when it would have more
 * steps than `most` in all. */
bool operation_record(struct recording *r, const struct operation *o,
                      const struct coll_algorithm *a, size_t len, uint64_t most);

#endif /* MADE_JOB_H */
