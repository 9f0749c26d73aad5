/* cgroup.c — how much memory this process may still use before the kernel ends it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "os.h"

/* Reads a small file whole; "" when it cannot. */
static void slurp(const char *path, char *text, size_t len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, len - 1);

    text[n > 0 ? n : 0] = '\0';
    if (fd >= 0)
        (void) close(fd);
}

static bool join(char *path, size_t len, const char *a, const char *b, const char *c)
{
    size_t la = strlen(a), lb = strlen(b), lc = strlen(c);

    if (la + lb + lc >= len)
        return false;
    memcpy(path, a, la);
    memcpy(path + la, b, lb);
    memcpy(path + la + lb, c, lc + 1);
    return true;
}

/* The number behind a word at the beginning of a line; 0 when it is not there. */
static uint64_t number_of(const char *text, const char *word)
{
    size_t len = strlen(word);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, word, len) && line[len] == ' ')
            return strtoull(line + len, NULL, 10);
    }
    return 0;
}

/* Files in the cache that the kernel drops when it needs the memory. */
static uint64_t reclaimable(const char *group)
{
    char path[4352], stat[8192];

    (void) join(path, sizeof path, "/sys/fs/cgroup", group, "/memory.stat");
    slurp(path, stat, sizeof stat);
    return number_of(stat, "inactive_file") + number_of(stat, "active_file");
}

static uint64_t room_in(const char *group)
{
    char path[4352], max[32], current[32];

    if (!join(path, sizeof path, "/sys/fs/cgroup", group, "/memory.max"))
        return UINT64_MAX;
    slurp(path, max, sizeof max);
    if (max[0] < '0' || max[0] > '9') /* "max", or no such file */
        return UINT64_MAX;
    (void) join(path, sizeof path, "/sys/fs/cgroup", group, "/memory.current");
    slurp(path, current, sizeof current);
    uint64_t limit = strtoull(max, NULL, 10), used = strtoull(current, NULL, 10);
    uint64_t cache = reclaimable(group);

    used -= used < cache ? used : cache;
    return used < limit ? limit - used : 0;
}

/* A group's limit binds all groups below it: the nearest one up to the root decides. */
uint64_t os_memory_room(void)
{
    char text[4096], *group, *end;
    uint64_t room = UINT64_MAX;

    slurp("/proc/self/cgroup", text, sizeof text);
    group = strstr(text, "0::");
    if (!group)
        return room;
    group += 3;
    if ((end = strchr(group, '\n')))
        *end = '\0';
    for (;;) {
        uint64_t here = room_in(strcmp(group, "/") ? group : "");
        room = here < room ? here : room;
        if (!(end = strrchr(group, '/')))
            return room;
        *end = '\0';
    }
}
