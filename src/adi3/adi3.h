/* adi3.h — the abstract device interface: all that src/mpi may call below itself.
 *
 * It is the list of the faces of ADI3's rooms; each has a header, adi3_ROOM.h, whose first lines
 * say what the room is for. src/mpi has checked arguments and resolved handles before it calls,
 * and holds the ADI3 lock: functions that change state assert that. They return MPI_SUCCESS or
 * an MPI error code with its text, and do not call error handlers. Processes and requests are
 * opaque here, because they hold state of devices. */
#ifndef ADI3_H
#define ADI3_H

#include "adi3/adi3_base.h"
#include "adi3/adi3_clock.h"
#include "adi3/adi3_collchk.h"
#include "adi3/adi3_comm.h"
#include "adi3/adi3_connect.h"
#include "adi3/adi3_datatype.h"
#include "adi3/adi3_io.h"
#include "adi3/adi3_job.h"
#include "adi3/adi3_language.h"
#include "adi3/adi3_op.h"
#include "adi3/adi3_p2p.h"
#include "adi3/adi3_port.h"
#include "adi3/adi3_proc.h"
#include "adi3/adi3_progress.h"
#include "adi3/adi3_request.h"
#include "adi3/adi3_rma.h"
#include "adi3/adi3_sched.h"
#include "adi3/adi3_shmcoll.h"
#include "adi3/adi3_spawn.h"

#endif /* ADI3_H */
