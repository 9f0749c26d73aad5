/* job_impl.h — shared between the files of src/adi3/job, and no others. */
#ifndef JOB_IMPL_H
#define JOB_IMPL_H

#include "adi3/adi3_job.h"
#include "adi3/collchk/collchk.h"
#include "adi3/p2p/p2p.h"
#include "platform/setting.h"

extern const struct setting names_settings[]; /* names.c */

/* ---- MPI_Finalize waits for its sends (finalize.c) ------------------------------------------- */

struct finalize_wait {
    uint64_t since; /* ns */
    bool *asked;    /* by rank in MPI_COMM_WORLD: has been asked; NULL: none yet */
    bool warned;
};
void finalize_wait_begin(struct finalize_wait *w);
/* To be called again and again: warns once when a message will not be received. */
void finalize_wait_look(struct finalize_wait *w);
void finalize_wait_end(struct finalize_wait *w);
int finalize_init(void); /* also looks at receives that wait long */

/* ---- the barriers of MPI_Finalize (finalize_barrier.c) --------------------------------------- */

int finalize_barrier_init(void);
/* Waits until all processes of the job are here, and connected ones. */
void finalize_synchronize(void);

struct finalize_brought {
    uint64_t sum;
    uint32_t facts; /* what is true of any process */
};
/* Exchanges messages with the other leaders. Afterwards *b is the sum, and what is true of any. */
void finalize_exchange(const struct adi3_node_map *l, struct finalize_brought *b);

/* ---- the standard output of the program (output.c) ------------------------------------------- */

/* From now on a line of stdout, which is a pipe or a file, is written at its end. Not when the
 * program has chosen a buffer. */
void output_buffer_lines(void);
void output_flush(void); /* not while another thread is printing, since that may never end */

#endif /* JOB_IMPL_H */
