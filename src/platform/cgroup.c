/* cgroup.c — the memory that the control groups of this process leave; beyond it the kernel
 * kills. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"

void os_read_text(const char *path, char *text, size_t len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, len - 1);

    text[n > 0 ? n : 0] = '\0';
    if (fd >= 0)
        (void) close(fd);
}

static bool path_concat(char *path, size_t len, const char *a, const char *b, const char *c)
{
    size_t la = strlen(a), lb = strlen(b), lc = strlen(c);

    if (la + lb + lc >= len)
        return false;
    memcpy(path, a, la);
    memcpy(path + la, b, lb);
    memcpy(path + la + lb, c, lc + 1);
    return true;
}

/* The number after a word at the start of a line; 0 when there is no such line. */
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

/* The files of both versions of control groups; a system may have both. */
static const struct hierarchy {
    const char *root, *max, *current, *inactive, *active;
} v1 = { "/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
         "total_inactive_file", "total_active_file" },
  v2 = { "/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file", "active_file" };

/* Bytes of cached files, which the kernel drops when it needs memory. */
static uint64_t reclaimable_bytes(const struct hierarchy *h, const char *group)
{
    char path[4352], stat[8192];

    (void) path_concat(path, sizeof path, h->root, group, "/memory.stat");
    os_read_text(path, stat, sizeof stat);
    return number_of(stat, h->inactive) + number_of(stat, h->active);
}

static uint64_t room_in(const struct hierarchy *h, const char *group)
{
    char path[4352], max[32], current[32];

    if (!path_concat(path, sizeof path, h->root, group, h->max))
        return UINT64_MAX;
    os_read_text(path, max, sizeof max);
    if (max[0] < '0' || max[0] > '9') /* "max", or no such file */
        return UINT64_MAX;
    (void) path_concat(path, sizeof path, h->root, group, h->current);
    os_read_text(path, current, sizeof current);
    uint64_t limit = strtoull(max, NULL, 10), used = strtoull(current, NULL, 10);
    uint64_t cache = reclaimable_bytes(h, group);

    used -= used < cache ? used : cache;
    if (limit >> 62) /* version 1 shows "no limit" as a huge number */
        return UINT64_MAX;
    return used < limit ? limit - used : 0;
}

/* A limit of a group also counts for all groups below it: the least room up to the root. */
static uint64_t room_up_from(const struct hierarchy *h, char *group)
{
    uint64_t room = UINT64_MAX;
    char *end;

    for (;;) {
        uint64_t here = room_in(h, strcmp(group, "/") ? group : "");
        room = here < room ? here : room;
        if (!(end = strrchr(group, '/')))
            return room;
        *end = '\0';
    }
}

/* Whether "memory" is in a list of controllers that ends at ':'. */
static bool is_of_memory(const char *controllers)
{
    for (const char *w = controllers; *w && *w != ':'; w += *w == ',') {
        size_t len = strcspn(w, ",:");
        if (len == 6 && !strncmp(w, "memory", 6))
            return true;
        w += len;
    }
    return false;
}

/* /proc/self/cgroup has lines NUMBER:CONTROLLERS:GROUP; number 0, without controllers, is
 * version 2. */
uint64_t os_memory_room(void)
{
    char text[4096], *next = text;
    uint64_t room = UINT64_MAX;

    os_read_text("/proc/self/cgroup", text, sizeof text);
    for (char *line; (line = strsep(&next, "\n"));) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(++controllers, ':') : NULL;
        if (!group)
            continue;
        bool first = is_of_memory(controllers);
        if (!first && strncmp(line, "0::", 3) != 0)
            continue;
        uint64_t here = room_up_from(first ? &v1 : &v2, group + 1);
        room = here < room ? here : room;
    }
    return room;
}

uint64_t os_memory_free(void)
{
    static const char word[] = "MemAvailable:";
    char text[4096];

    os_read_text("/proc/meminfo", text, sizeof text);
    const char *line = strstr(text, word);
    return line ? strtoull(line + sizeof word - 1, NULL, 10) * 1024 : UINT64_MAX;
}

bool os_memory_is_strict(void)
{
    char text[16];

    os_read_text("/proc/sys/vm/overcommit_memory", text, sizeof text);
    return text[0] == '2';
}
