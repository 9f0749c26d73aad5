/* pmix.c — the client of launchers that speak PMIx, such as Open MPI's mpirun and srun --mpi=pmix.
 *
 * libpmix finds the launcher by the environment and has a thread that talks to it and calls back
 * here. The other threads poll an eventfd instead of a socket. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

enum { KILL_WAIT_S = 10 };

enum { UNDER_WAY = 1 }; /* results are 0 or negative */

static atomic_int fence_status;

/* ---- joining and leaving --------------------------------------------------------------------- */

/* Signals are for the threads of the program: libpmix's thread inherits a mask that blocks all. */
static int init_library(void)
{
    sigset_t all, before;

    (void) sigfillset(&all);
    (void) pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pmix.init(&pmix_self, NULL, 0);
    (void) pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static int job_enter_pmix(struct pmi_job *job)
{
    static int lost[] = { PMIX_ABI_LOST_CONNECTION, PMIX_ABI_LOST_SERVER };
    int err = pmix_job_size(&job->size);

    if (err)
        return err;
    if (pmix_self.rank >= (uint32_t) job->size)
        return pmi_fail(-EINVAL, "the launcher (%s) gave rank %u of %d", pmi_client.launcher,
                        (unsigned) pmix_self.rank, job->size);
    job->rank = (int) pmix_self.rank;
    pmix_self.job[sizeof pmix_self.job - 1] = '\0';
    memcpy(job->name, pmix_self.job, sizeof job->name);
    pmi_client.fd = os_new_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE));
    if (pmi_client.fd < 0)
        return pmi_fail(pmi_client.fd, "eventfd: %s", strerror(-pmi_client.fd));
    /* Where that fails, the death of the parent alone ends this process. */
    (void) pmix.handle(lost, sizeof lost / sizeof *lost, NULL, 0, pmix_lost, NULL, NULL);
    return 0;
}

int pmix_join(struct pmi_job *job)
{
    int err = pmix_load();

    if (err)
        return err;
    int status = init_library();
    if (status)
        return pmi_fail(-ECONNREFUSED,
                        "the launcher (%s) cannot be joined by PMIx: %s; unset PMIX_NAMESPACE if "
                        "this process is not meant to be a rank",
                        pmi_client.launcher, pmix.error_text(status));
    err = job_enter_pmix(job);
    if (err)
        (void) pmix.finalize(NULL, 0);
    else
        atomic_store(&pmix_joined, true);
    return err;
}

int pmix_finalize(void)
{
    atomic_store(&pmix_joined, false);
    int status = pmix.finalize(NULL, 0);
    return status ? pmi_fail(-EPROTO, "leaving the launcher (%s): %s", pmi_client.launcher,
                             pmix.error_text(status))
                  : 0;
}

void pmix_abort(int exit_code, const char *why)
{
    if (!pmix.abort(exit_code, why, NULL, 0))
        os_sleep_ns(KILL_WAIT_S * 1000000000ull);
}

/* ---- requests in two halves: what libpmix's thread does -------------------------------------- */

void pmix_notify(void)
{
    const uint64_t one = 1;

    (void) !write(pmi_client.fd, &one, sizeof one);
}

void pmix_finished(void)
{
    uint64_t count;

    (void) !read(pmi_client.fd, &count, sizeof count);
}

static void on_fence(int status, void *arg)
{
    (void) arg;
    atomic_store(&fence_status, status);
    pmix_notify();
}

/* ---- the barrier ----------------------------------------------------------------------------- */

static int fence_failed(int status)
{
    return pmi_client.broken = pmi_fail(
               -ECONNRESET, "a barrier of the launcher (%s) failed: %s", pmi_client.launcher,
               status == PMIX_ABI_PARTIAL_SUCCESS ? "a process of the job has ended"
                                                  : pmix.error_text(status));
}

/* What was put before reaches the others by the barrier. */
int pmix_barrier_start(void)
{
    struct pmix_abi_proc all = pmix_self;
    const struct pmix_abi_info collect = pmix_option(PMIX_ABI_COLLECT);

    all.rank = PMIX_ABI_WILDCARD;
    atomic_store(&fence_status, UNDER_WAY);
    int status = pmix.commit();
    if (!status)
        status = pmix.fence(&all, 1, &collect, 1, on_fence, NULL);
    if (status == PMIX_ABI_OPERATION_SUCCEEDED) {
        on_fence(PMIX_ABI_SUCCESS, NULL);
        return 0;
    }
    return status ? fence_failed(status) : 0;
}

bool pmix_barrier_over(void) { return atomic_load(&fence_status) != UNDER_WAY; }

int pmix_barrier_finish(void)
{
    int err = 0;

    while (!err && !pmix_barrier_over())
        err = pmi_wait();
    if (err)
        return err;
    pmix_finished();
    int status = atomic_load(&fence_status);
    return status ? fence_failed(status) : 0;
}
