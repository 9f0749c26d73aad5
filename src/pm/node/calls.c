/* calls.c — which MPI call a process was in that a signal has ended. What a process has written
 * before it crashed may be anything. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"
#include "pm/pmi/pmi_calls.h"

enum { NAME_ROOM = 64 };

int pm_calls_open(struct pm_process *p)
{
    pm_calls_close(p);
    return p->calls_fd = os_memfd_empty("starling-calls");
}

void pm_calls_close(struct pm_process *p)
{
    if (p->calls_fd >= 0)
        (void) close(p->calls_fd);
    p->calls_fd = -1;
}

static bool is_name(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789";

    return !strncmp(text, "MPI_", 4) && !text[strspn(text, letters)]
           && strlen(text) < NAME_ROOM - 1;
}

/* Reads the name, if it is one. */
static bool read_name(int fd, const struct pmi_current *now, char name[NAME_ROOM])
{
    size_t page = os_page();
    struct pmi_names n;

    if (pread(fd, &n, sizeof n, (off_t) page) != sizeof n || n.magic != PMI_NAMES_MAGIC)
        return false;
    uint64_t at = (uintptr_t) now->name - n.first;
    if (at >= n.len)
        return false;
    ssize_t got = pread(fd, name, NAME_ROOM - 1, (off_t) (page + sizeof n + at));
    name[got > 0 ? got : 0] = '\0';
    return is_name(name);
}

void pm_calls_describe(const struct pm_process *p, char text[PM_LAST_CALL])
{
    struct pmi_current now;
    char name[NAME_ROOM];

    *text = '\0';
    if (p->calls_fd < 0 || pread(p->calls_fd, &now, sizeof now, 0) != sizeof now
        || !read_name(p->calls_fd, &now, name))
        return;
    bool inside = now.inside & PMI_INSIDE_CALL && !now.threads;
    (void) snprintf(text, PM_LAST_CALL, "%s%s", inside ? " in " : "; its last MPI call was ", name);
}
