/* held.h — what a process holds: descriptors, mappings, and names of abstract sockets. Tests
 * compare it before and after. */
#ifndef HELD_H
#define HELD_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int held_fds(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int n = 0;

    if (!dir)
        abort();
    while (readdir(dir))
        n++;
    (void) closedir(dir);
    return n;
}

/* Lines of a file that have a word, such as mappings of a name in /proc/self/maps. */
static inline int held_lines(const char *path, const char *word)
{
    FILE *file = fopen(path, "re");
    char line[4096];
    int n = 0;

    if (!file)
        abort();
    while (fgets(line, sizeof line, file))
        n += strstr(line, word) != NULL;
    (void) fclose(file);
    return n;
}

static inline int held_maps(const char *word) { return held_lines("/proc/self/maps", word); }
static inline int held_names(const char *word) { return held_lines("/proc/net/unix", word); }

#endif /* HELD_H */
