/* hosts.c — host files, lists of names, variables of resource managers, and numbers of -soft. What
 * is accepted can be placed. */
#include <sys/mman.h>
#include <unistd.h>
#include "fuzz.h"
#include "platform/soft.h"
#include "pm/hosts/pm_hosts.h"

enum { RANKS = 300 };

/* The name of a file with these bytes. */
static int make_file(const uint8_t *bytes, size_t len, char path[64])
{
    int fd = memfd_create("hosts", MFD_CLOEXEC);

    MUST(fd >= 0 && write(fd, bytes, len) == (ssize_t) len);
    (void) snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static int read_file(struct pm_hosts *h, const uint8_t *bytes, size_t len, const char *variable)
{
    char path[64];
    int fd = make_file(bytes, len, path), err;

    if (variable) {
        MUST(!setenv(variable, path, 1));
        err = pm_hosts_from_manager(h, "-rmk", NULL);
        (void) unsetenv(variable);
    } else {
        err = pm_hosts_from_file(h, path);
    }
    (void) close(fd);
    return err;
}

/* The first line is one variable, the rest another. */
static int read_variables(struct pm_hosts *h, char *text, const char *first, const char *second)
{
    char *end = strchr(text, '\n');

    if (end)
        *end = '\0';
    MUST(!setenv(first, text, 1));
    if (second && end)
        MUST(!setenv(second, end + 1, 1));
    int err = pm_hosts_from_manager(h, "-rmk", NULL);
    (void) unsetenv(first);
    if (second)
        (void) unsetenv(second);
    return err;
}

static void check(const struct pm_hosts *h)
{
    for (size_t i = 0; i < h->count; i++) {
        const struct pm_host_entry *e = h->entry[i];
        MUST(*e->name && *e->name != '-' && strlen(e->name) <= PM_HOST_NAME_MAX);
        MUST(!e->user || (*e->user && *e->user != '-'));
        MUST(e->slots >= 1 && e->slots <= PM_SLOTS_MAX);
        MUST(!e->max_slots || e->max_slots >= e->slots);
    }
}

static void place(struct pm_hosts *h, const struct pm_layout *l, int count)
{
    static int host[RANKS];
    struct pm_choices c;

    MUST(!pm_choose_first(h, h->count, &c));
    int room = pm_choices_room(h, &c, l);
    int err = pm_hosts_place(h, l, &c, count, host);
    MUST(err ? room < count : room >= count);
    for (int i = 0; !err && i < count; i++) {
        MUST(host[i] >= 0 && (size_t) host[i] < h->count);
        const struct pm_host_entry *e = h->entry[host[i]];
        MUST(!e->max_slots || e->ranks <= e->max_slots);
        MUST(!l->strict || e->ranks <= e->slots);
    }
    free(c.of);
}

static void soft(const char *text)
{
    int n = soft_largest(text, 100);

    MUST(n >= -22 && n <= 100);
    MUST(n <= 0 || soft_largest(text, n) == n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };
    int which = feed_byte(&f) % 7, how = feed_byte(&f), count = 1 + feed_byte(&f);
    const struct pm_layout l = { .by_node = how & 1, .strict = how & 2, .per_host = how >> 4 };
    struct pm_hosts h = { .entry = NULL };
    const uint8_t *bytes = f.at;
    size_t n = f.left;
    char *text = feed_text(&f);
    int err = 0;

    if (which == 0)
        err = read_file(&h, bytes, n, NULL);
    else if (which == 1)
        err = pm_hosts_from_names(&h, "-host", text);
    else if (which == 2)
        err = read_variables(&h, text, "SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE");
    else if (which == 3)
        err = read_file(&h, bytes, n, "PBS_NODEFILE");
    else if (which == 4)
        err = read_file(&h, bytes, n, "PE_HOSTFILE");
    else if (which == 5)
        err = read_variables(&h, text, "LSB_MCPU_HOSTS", NULL);
    else
        soft(text);
    if (err)
        MUST(*h.why && strlen(h.why) < sizeof h.why);
    else
        check(&h);
    if (!err && h.count && h.count < 1000)
        place(&h, &l, count);
    pm_hosts_free(&h);
    free(text);
    return 0;
}
