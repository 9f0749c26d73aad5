/* user.c — sets of CPUs that the user has written: "0+2,4-7,1" is one for each rank. */
#include <errno.h>
#include <string.h>
#include "pm/bind/bind_impl.h"

/* Reads a set such as "0+4-7", of len characters. */
static int read_set(const char *text, size_t len, struct pm_cpus *set)
{
    const char *end = text + len;
    struct pm_cpus range;

    *set = (struct pm_cpus) { { 0 } };
    for (const char *at = text;; at++) {
        const char *plus = memchr(at, '+', (size_t) (end - at));
        size_t n = (size_t) ((plus ? plus : end) - at);
        if (pm_cpus_parse(&range, at, n))
            return -EINVAL;
        pm_cpus_add(set, &range);
        if (!plus)
            return 0;
        at = plus;
    }
}

int pm_user_set(const char *list, int rank, struct pm_cpus *set)
{
    int sets = 1, i = 0;

    for (const char *c = list; *c; c++)
        sets += *c == ',';
    for (const char *at = list;; at++, i++) {
        struct pm_cpus one;
        size_t n = strcspn(at, ",");
        if (read_set(at, n, &one))
            return -EINVAL;
        if (i == rank % sets)
            *set = one;
        at += n;
        if (!*at)
            return 0;
    }
}
