/* job_impl.h — shared between the files of src/adi3/job, and no others. */
#ifndef JOB_IMPL_H
#define JOB_IMPL_H

#include "adi3_job.h"
#include "collchk.h"
#include "p2p.h"

/* finalize.c: MPI_Finalize waits for its sends, and looks now and then what is known of those. */
struct ends {
    uint64_t since; /* ns */
    bool *asked;    /* by rank in MPI_COMM_WORLD, whether it has ended; NULL: none yet */
    bool told;
};
void ends_begin(struct ends *e);
void ends_look(struct ends *e);
void ends_end(struct ends *e);

#endif /* JOB_IMPL_H */
