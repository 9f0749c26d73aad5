/* needed.c — a program whose libraries are looked at. */
#include <sys/mman.h>
#include <unistd.h>
#include "fuzz.h"
#include "pm/node/pm_node_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    int fd = memfd_create("program", MFD_CLOEXEC);

    MUST(fd >= 0 && write(fd, data, len) == (ssize_t) len);
    (void) pm_needs_open_mpi(fd);
    (void) close(fd);
    return 0;
}
