/* predefined.c — the attributes that every communicator has (§8.1.2, §10.5). Users get pointers to
 * them. The values of MPI_UNIVERSE_SIZE and MPI_APPNUM come from the launcher, when they are
 * read. */
#include "mpi/attr/attr.h"
#include "mpi/errhan/errhan.h"

static int tag_ub = ADI3_TAG_UB, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE, universe_size, appnum;

#define ROW(keyval) [((keyval) -MPI_TAG_UB) / 2]
const struct mpir_predefined mpir_predefined[MPIR_COMM_PREDEFINED] = {
    ROW(MPI_TAG_UB) = { &tag_ub, NULL },
    ROW(MPI_HOST) = { &host, NULL },
    ROW(MPI_IO) = { &io, NULL },
    ROW(MPI_WTIME_IS_GLOBAL) = { &adi3_wtime_is_global, NULL },
    ROW(MPI_UNIVERSE_SIZE) = { &universe_size, adi3_universe_size },
    ROW(MPI_LASTUSEDCODE) = { &mpir_last_used_code, NULL },
    ROW(MPI_APPNUM) = { &appnum, adi3_appnum },
};
