/* adi3.h — the abstract device interface: all that src/mpi may call below itself.
 *
 * One header for each room of src/adi3, from the ground up. Arguments are already checked and
 * handles already resolved. Functions return MPI_SUCCESS or an MPI error code with its text; they
 * do not call error handlers. The caller holds the ADI3 lock. Processes and requests are opaque
 * here, since devices live in them. */
#ifndef ADI3_H
#define ADI3_H

#include "adi3_base.h"
#include "adi3_clock.h"
#include "adi3_collchk.h"
#include "adi3_comm.h"
#include "adi3_datatype.h"
#include "adi3_job.h"
#include "adi3_op.h"
#include "adi3_p2p.h"
#include "adi3_proc.h"
#include "adi3_progress.h"
#include "adi3_request.h"
#include "adi3_sched.h"
#include "adi3_shmcoll.h"

#endif /* ADI3_H */
