/* job.c — joining the job and leaving it: the order in which the rooms of ADI3 begin and end. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/checkpoint/checkpoint.h"
#include "adi3/clock/clock.h"
#include "adi3/comm/comm.h"
#include "adi3/connect/connect.h"
#include "adi3/job/job_impl.h"
#include "adi3/io/io.h"
#include "adi3/port/port.h"
#include "adi3/rma/rma.h"
#include "adi3/sched/schedule.h"
#include "adi3/shmcoll/shmcoll.h"

static char forwarded[4096];
static bool joined;
static bool starling; /* the launcher is Starling's mpiexec */

static int launcher_error(void) { return adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()); }

int adi3_join(void)
{
    if (joined)
        return MPI_SUCCESS;
    if (pmi_init(&adi3_job))
        return launcher_error();
    joined = true;
    if (adi3_job.singleton)
        return MPI_SUCCESS;
    os_die_with_parent(); /* the parent may be a shell of the launcher */
    starling = !pmi_settings(forwarded, sizeof forwarded);
    if (!starling)
        forwarded[0] = '\0';
    return MPI_SUCCESS;
}

bool adi3_launcher_explains(void) { return starling; }

const char *adi3_forwarded(void) { return forwarded; }

void adi3_where(int *rank, int *size)
{
    struct pmi_job job = adi3_job;

    if (!joined)
        pmi_job_from_environment(&job);
    *rank = job.rank;
    *size = job.size;
}

/* From the ground up. What the rooms register must be there before devices are opened. */
static int init_rooms(void)
{
    static int (*const init[])(void) = { adi3_type_init,  request_init, p2p_init,
                                         collchk_init,    shmcoll_init, sched_init,
                                         checkpoint_init, finalize_init };
    int err = progress_init();

    for (size_t i = 0; i < sizeof init / sizeof *init && !err; i++)
        err = init[i]();
    if (!err)
        err = connect_init(adi3_abort);
    if (!err)
        err = port_init();
    if (!err)
        err = rma_init();
    if (!err)
        err = io_init();
    if (!err)
        err = finalize_barrier_init();
    return err;
}

int adi3_init(bool threads)
{
    int err = adi3_join();

    if (!err && !adi3_job.singleton) /* that is a program as any other in a pipe of the shell */
        output_buffer_lines();
    if (!err)
        err = init_rooms();
    if (!err)
        err = proc_init(&p2p_upcalls, threads || adi3_async);
    if (err)
        return err;
    p2p_set_credit();
    progress_begin();
    err = comm_init();
    if (!err)
        err = rma_begin();
    if (!err)
        err = clock_init();
    if (!err)
        err = thread_init(threads);
    adi3_current.threads = adi3_threads;
    return err;
}

/* Waits until all messages are delivered, as far as their receivers live, and until all that has
 * begun to arrive is here: devices write it to memory, and report its end to requests, that are
 * freed next. */
static void delivery_wait(void)
{
    struct adi3_wait w = { .on = NULL };
    struct finalize_wait f;

    finalize_wait_begin(&f);
    for (bool busy = true; busy;) {
        busy = p2p_with_devices() > 0 || p2p_arriving() > 0;
        for (struct adi3_request *r = NULL; !busy && (r = adi3_next(&adi3_requests, r));)
            busy = r->kind == ADI3_SEND && r->state != ADI3_DONE && r->state != ADI3_INIT;
        if (busy) {
            adi3_wait_turn(&w);
            finalize_wait_look(&f);
        }
    }
    adi3_wait_end(&w);
    finalize_wait_end(&f);
}

static void end_requests(void)
{
    struct adi3_request *next;

    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        p2p_end_request(r);
        request_free(r);
    }
}

int adi3_finalize(void)
{
    thread_finalize();
    port_finalize();
    mismatch_finalizing(true);
    delivery_wait();
    if (proc_any_lost) /* later, processes that leave may seem to be lost */
        queues_excuse();
    finalize_synchronize();
    delivery_wait();
    mismatch_finalizing(false);
    end_requests();
    base_finalize();
    connected_finalize();
    adi3_type_finalize();
    proc_finalize();
    progress_finalize();
    adi3_pools_free();
    pmi_name_server_leave();
    if (adi3_job.singleton) {
        pmi_detach();
        return MPI_SUCCESS;
    }
    bool one_node = adi3_node.count == adi3_job.size;
    return (one_node && pmi_tell_next()) || pmi_finalize() ? launcher_error() : MPI_SUCCESS;
}

void adi3_abort(int exit_code, const char *why)
{
    output_flush();
    connected_abort(exit_code);
    if (joined)
        pmi_abort(exit_code, why);
    _exit(exit_code && exit_code % 256 == 0 ? 1 : exit_code); /* the parent sees its low 8 bits */
}

int adi3_appnum(int *appnum)
{
    return adi3_job.singleton || pmi_appnum(appnum) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int adi3_program(char *text, size_t len)
{
    return adi3_job.singleton || pmi_program(text, len) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int adi3_universe_size(int *universe)
{
    struct os_cpus cpus;

    if (adi3_job.singleton) {
        os_cpus_allowed(&cpus);
        *universe = os_cpus_count(&cpus);
    } else if (pmi_universe_size(universe))
        return MPI_ERR_OTHER;
    if (*universe < adi3_job.size)
        *universe = adi3_job.size;
    return MPI_SUCCESS;
}
