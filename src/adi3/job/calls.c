/* calls.c — lets mpiexec know which MPI call a process was in when it was killed.
 *
 * Each MPI call writes its name and that it is inside to adi3_current, and nothing else. Memory of
 * the launcher replaces the page of that variable, so that what a process has written there is
 * readable after its end: no handler of signals is needed. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include "adi3/job/job_impl.h"
#include "platform/os.h"
#include "pm/pmi/pmi.h"
#include "pm/pmi/pmi_calls.h"

_Static_assert(offsetof(struct adi3_current, call) == offsetof(struct pmi_current, name)
                   && offsetof(struct adi3_current, inside) == offsetof(struct pmi_current, inside)
                   && offsetof(struct adi3_current, threads)
                          == offsetof(struct pmi_current, threads)
                   && (int) ADI3_INSIDE == (int) PMI_INSIDE_CALL,
               "the node of mpiexec reads it");

static bool shared;

/* Gives the memory its contents: 0 or a negative errno. */
static int write_calls(int fd, size_t page, const char *names, size_t len)
{
    struct pmi_names n = { PMI_NAMES_MAGIC, (uintptr_t) names, len };
    struct iovec v[] = { { &adi3_current, page },
                         { &n, sizeof n },
                         { (void *) (uintptr_t) names, len } };
    size_t all = page + sizeof n + len;
    int err = os_memfd_seal(fd, all);

    if (err)
        return err;
    return os_file_write(fd, (struct os_iov) { v, 3 }, 0) == (int64_t) all ? 0 : -ENOSPC;
}

void adi3_share_calls(const char *names, size_t len)
{
    int fd = pmi_calls_take();
    size_t page = os_page();

    if (fd < 0)
        return;
    if (page <= sizeof adi3_current && !((uintptr_t) &adi3_current % page)
        && !write_calls(fd, page, names, len))
        shared = !os_map_over(&adi3_current, page, fd);
    (void) close(fd);
}

/* What the child writes must not be taken for what its parent does. */
void adi3_unshare_calls(void)
{
    struct adi3_current now = { adi3_current.call, adi3_current.inside, adi3_current.threads };

    if (shared && !os_map_over(&adi3_current, os_page(), -1)) {
        adi3_current.call = now.call;
        adi3_current.inside = now.inside;
        adi3_current.threads = now.threads;
    }
    shared = false;
}
