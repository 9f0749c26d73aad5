/* placement.c — prints the host of each rank of a command line of mpiexec, without starting it. */
#include <stdarg.h>
#include <stdio.h>
#include "pm/mpiexec/reach/mpiexec_reach.h"

static void warn(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vfprintf(stderr, fmt, args);
    va_end(args);
    (void) fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    struct pm_spec spec = { .program = NULL };
    char why[1024];

    (void) argc;
    if (pm_parse(&spec, argv + 1, why, sizeof why, warn) || pm_find_hosts(&spec, why, sizeof why)) {
        warn("%s", why);
        pm_spec_free(&spec);
        return 1;
    }
    for (int i = 0; i < spec.size; i++)
        (void) printf("%s%s", i ? " " : "", spec.hosts.entry[spec.place[i]]->name);
    (void) printf("\nuniverse %d\n", spec.universe);
    pm_spec_free(&spec);
    return 0;
}
