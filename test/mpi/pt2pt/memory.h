/* memory.h — the memory that messages take in a process that does not receive them. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not NULL with AddressSanitizer, which keeps freed memory, so that nothing can be measured. */
void __asan_init(void) __attribute__((weak));

/* Memory of this process that is not files or shared, in bytes; 0 when the system does not report
 * it. */
static inline long private_memory(void)
{
    long pages, resident, shared;
    FILE *f = fopen("/proc/self/statm", "r");
    int n = f ? fscanf(f, "%ld %ld %ld", &pages, &resident, &shared) : 0;

    if (f)
        fclose(f);
    return n == 3 ? (resident - shared) * sysconf(_SC_PAGESIZE) : 0;
}

/* Bytes that a device takes in addition: a provider of libfabric has pools, made in steps of 16
 * MiB. When STARLING_DEVICES is not set, that device is used where the library has no other. */
static inline long device_memory(long others)
{
    const char *devices = getenv("STARLING_DEVICES");
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int n;

    MPI_Get_library_version(text, &n);
    bool libfabric = devices ? strstr(devices, "libfabric") : strstr(text, "self,libfabric");
    return libfabric ? 64L << 20 : others;
}

/* Bytes that the library takes in addition, where it is built to list memory that is not freed. */
static inline long counted(long bytes) { return LISTS_MEMORY ? bytes : 0; }

#endif /* MEMORY_H */
