/* huge.c — transparent huge pages. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "platform/os.h"

#define DIRECTORY "/sys/kernel/mm/transparent_hugepage/"

size_t os_huge_page(void)
{
    static size_t size;
    char text[32];

    if (!size) {
        os_read_text(DIRECTORY "hpage_pmd_size", text, sizeof text);
        size = strtoul(text, NULL, 10);
        size = size ? size : 1;
    }
    return size;
}

int os_huge_advise(void *mem, size_t len)
{
    char text[128];

    os_read_text(DIRECTORY "enabled", text, sizeof text); /* the choice is in brackets */
    if (strstr(text, "[never]"))
        return -EPERM;
    return madvise(mem, len, MADV_HUGEPAGE) ? -errno : 0;
}

int os_huge_collapse(void *mem, size_t len)
{
#ifdef MADV_COLLAPSE
    enum { COLLAPSE = MADV_COLLAPSE };
#else
    enum { COLLAPSE = 25 }; /* Linux 6.1; older ones say EINVAL */
#endif
    return madvise(mem, len, COLLAPSE) ? -errno : 0;
}
