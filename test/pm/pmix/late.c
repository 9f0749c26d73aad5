/* late.c — a library for LD_PRELOAD that makes mpirun slow where it may be preempted: its main
 * thread sleeps each time that it has given work to libpmix's thread.
 *
 * libpmix 4.2 answers a process that leaves before it notes that this process leaves. So with this
 * library it takes the end of the connection for a death. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LATE_US = 20000 };

typedef void activate(void *event, int what, short calls);

__attribute__((visibility("default"))) activate event_active; /* of libevent */

/* What mpirun starts runs without this library. */
__attribute__((constructor)) static void begin(void) { (void) unsetenv("LD_PRELOAD"); }

void event_active(void *event, int what, short calls)
{
    void *address = dlsym(RTLD_NEXT, "event_active");
    activate *next;
    Dl_info caller;

    memcpy(&next, &address, sizeof next); /* ISO C has no cast for this */
    next(event, what, calls);
    if (gettid() == getpid() && dladdr(__builtin_return_address(0), &caller)
        && strstr(caller.dli_fname, "libpmix"))
        (void) usleep(LATE_US);
}
