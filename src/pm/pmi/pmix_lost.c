/* pmix_lost.c — libpmix's thread reports that the launcher has died.
 *
 * The death of the parent ends a process (os_die_with_parent). The launcher is not the parent of a
 * process where a shell is between them, and without this handler that process would be left. */
#include <signal.h>
#include <unistd.h>
#include "pm/pmi/pmix_impl.h"

atomic_bool pmix_joined;

void pmix_lost(size_t handler, int status, const struct pmix_abi_proc *source,
               struct pmix_abi_info *info, size_t infos, struct pmix_abi_info *results, size_t n,
               pmix_abi_handled *handled, void *arg)
{
    (void) handler, (void) status, (void) source, (void) info, (void) infos;
    (void) results, (void) n;
    if (atomic_load(&pmix_joined))
        (void) kill(getpid(), SIGKILL);
    if (handled)
        handled(PMIX_ABI_SUCCESS, NULL, 0, NULL, NULL, arg);
}
