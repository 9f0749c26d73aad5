/* starling_info.c — the program starling_info. It asks the libmpi of its tree, so that it speaks of
 * the library that programs will have.
 *
 * It loads that by the path that it was itself called by: the loader's $ORIGIN needs /proc, which
 * is not there while the image of a container is built. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include "mpi/tool/starling_info.h"

/* From the directory of this program: in an installed tree, and in that of a build. */
static const char *const place[] = { STARLING_LIBRARY, "libmpi.so.12" };

static void *load_library(void)
{
    char path[PATH_MAX + sizeof STARLING_LIBRARY + 16];
    const char *called = (const char *) getauxval(AT_EXECFN);
    void *library = NULL;

    if (!called || !realpath(called, path)) {
        fprintf(stderr, "starling_info: cannot find itself at '%s'\n", called ? called : "");
        return NULL;
    }
    char *name = strrchr(path, '/') + 1;
    for (int i = 0; i < 2 && !library; i++) {
        memcpy(name, place[i], strlen(place[i]) + 1);
        library = dlopen(path, RTLD_NOW);
    }
    if (!library)
        fprintf(stderr, "starling_info: %s\n", dlerror());
    return library;
}

int main(int argc, char **argv)
{
    void *library = load_library();
    void *address = library ? dlsym(library, "MPIR_Starling_info") : NULL;
    int (*info)(int, char **);

    if (!address) {
        if (library)
            fprintf(stderr, "starling_info: libmpi.so.12 is of another MPI or version\n");
        return 1;
    }
    memcpy(&info, &address, sizeof info); /* ISO C has no cast for this */
    return info(argc, argv);
}
