/* beside.c — paths relative to the library or program itself, so that an installed tree can be
 * moved as a whole. */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include "platform/os.h"

/* The real path of the library or program that has this address; path has OS_PATH bytes. */
static bool file_of(const void *code, char *path)
{
    struct link_map *map = NULL;
    Dl_info info;

    _Static_assert(OS_PATH >= PATH_MAX, "realpath() may write PATH_MAX bytes");
    if (!dladdr1(code, &info, (void **) &map, RTLD_DL_LINKMAP) || !map)
        return false;
    /* The loader has no name for the program itself. */
    return realpath(*map->l_name ? map->l_name : "/proc/self/exe", path);
}

bool os_beside(const void *code, const char *file, char *path)
{
    size_t len = 0;

    if (*file != '/') {
        if (!file_of(code, path))
            return false;
        len = (size_t) (strrchr(path, '/') - path);
        for (; !strncmp(file, "../", 3); file += 3)
            if (len)
                len = (size_t) ((char *) memrchr(path, '/', len) - path);
        path[len++] = '/';
    }
    if (len + strlen(file) >= OS_PATH)
        return false;
    memcpy(path + len, file, strlen(file) + 1);
    return true;
}
