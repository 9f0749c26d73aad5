/* pmix_load.c — libpmix, loaded when a launcher speaks PMIx: libmpi itself needs libc alone.
 *
 * It is never unloaded, because its threads and those of its libraries may still end. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

static const char library_name[] = "libpmix.so.2";

struct pmix_abi pmix;

static const struct {
    const char *name;
    void *function; /* a pointer to it */
} functions[] = {
    { "PMIx_Init", &pmix.init },
    { "PMIx_Finalize", &pmix.finalize },
    { "PMIx_Abort", &pmix.abort },
    { "PMIx_Put", &pmix.put },
    { "PMIx_Commit", &pmix.commit },
    { "PMIx_Fence_nb", &pmix.fence },
    { "PMIx_Get", &pmix.get },
    { "PMIx_Spawn_nb", &pmix.spawn },
    { "PMIx_Publish", &pmix.publish },
    { "PMIx_Lookup", &pmix.lookup },
    { "PMIx_Unpublish", &pmix.unpublish },
    { "PMIx_Register_event_handler", &pmix.handle },
    { "PMIx_Error_string", &pmix.error_text },
};

static int libpmix_refuse(const char *why, const char *function)
{
    return pmi_fail(-ELIBACC,
                    "a launcher that speaks PMIx started this process (%s), but %s%s; install that "
                    "library, or "
                    "start the process with Starling's mpiexec or srun --mpi=pmi2",
                    pmi_client.launcher, why, function);
}

int pmix_load(void)
{
    void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        const char *why = dlerror();
        return libpmix_refuse(why ? why : library_name, "");
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address) {
            (void) dlclose(library);
            return libpmix_refuse("libpmix.so.2 is too old: it has no ", functions[i].name);
        }
        memcpy(functions[i].function, &address, sizeof address); /* ISO C has no cast for this */
    }
    return 0;
}
