/* find_hosts.c — the hosts of a job: those of a host file or an allocation, or those that options
 * name. Without any, all ranks are on this node. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "pm/mpiexec/reach/reach_impl.h"
#include "platform/os.h"
#include "platform/soft.h"

/* An environment variable that is not empty, or NULL. */
static const char *nonempty_variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static bool is_own_user(const char *user)
{
    const char *own = nonempty_variable("USER");

    if (!own)
        own = nonempty_variable("LOGNAME");
    return own && !strcmp(own, user);
}

static bool is_own_name(const char *host, const char *own)
{
    size_t len = strlen(host), full = strlen(own), brief = strcspn(own, ".");
    bool same = !strncasecmp(own, host, len < full ? len : full);

    return same && (len == full || len == brief || (full == brief && host[full] == '.'));
}

static bool is_here(const struct pm_spec *s, const struct pm_host_entry *e, const char *own)
{
    static const char *const here[] = { "localhost", "127.0.0.1", "::1" };

    if (e->user && !is_own_user(e->user))
        return false;
    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        if (!strcasecmp(e->name, here[i]))
            return true;
    return is_own_name(e->name, own) || (s->own_name && !strcasecmp(e->name, s->own_name));
}

void pm_mark_here(struct pm_spec *s)
{
    char own[256];

    os_hostname(own, sizeof own);
    for (size_t i = 0; i < s->hosts.count; i++)
        s->hosts.entry[i]->here = is_here(s, s->hosts.entry[i], own);
}

int pm_bind_on(const struct pm_spec *s, const struct pm_host_entry *e, struct pm_bind *b, char *why,
               size_t len)
{
    *b = s->bind;
    if (!e->binding)
        return 0;
    int err = pm_bind_to(b, e->binding, why, len);
    if (!err)
        err = pm_bind_finish(b, why, len);
    return err;
}

static int check_bindings(struct pm_spec *s, const char *file)
{
    struct pm_hosts *h = &s->hosts;
    struct pm_bind unused;
    char why[PM_WHY_MAX / 2];

    for (size_t i = 0; i < h->count; i++) {
        const struct pm_host_entry *e = h->entry[i];
        if (!pm_bind_on(s, e, &unused, why, sizeof why))
            continue;
        pm_hosts_at(h, file, e->line);
        return pm_hosts_refuse(h, "host '%.80s': binding=%.80s: %s", e->name, e->binding, why);
    }
    return 0;
}

/* Reads the host file or the allocation. The command line overrides the environment. */
static int read_hosts(struct pm_spec *s)
{
    const char *file = s->hostfile  ? s->hostfile
                       : s->manager ? NULL
                                    : nonempty_variable("HYDRA_HOST_FILE");
    const char *manager = s->manager ? s->manager : nonempty_variable("HYDRA_RMK");

    if (file)
        return pm_hosts_from_file(&s->hosts, file) ? -EINVAL : check_bindings(s, file);
    if (manager && (!strcasecmp(manager, "user") || !strcasecmp(manager, "none")))
        return 0;
    return pm_hosts_from_manager(&s->hosts, s->manager ? "-rmk" : "HYDRA_RMK", manager);
}

static int program_choose_hosts(struct pm_spec *s, const struct pm_program *p, size_t listed,
                                struct pm_choices *c)
{
    const char *names = p->host ? p->host : s->host;
    const char *option = p->host ? p->host_option : s->host_option;
    char here[32];
    struct os_cpus cpus;

    if (!names && listed)
        return pm_choose_first(&s->hosts, listed, c);
    if (names)
        return pm_choose_names(&s->hosts, option, names, c);
    os_cpus_allowed(&cpus);
    int n = os_cpus_count(&cpus);
    (void) snprintf(here, sizeof here, "localhost:%d", n ? n : 1);
    return pm_choose_names(&s->hosts, "-host", here, c);
}

/* Sets the number of processes of a program, of which there may be so many at most. */
static int program_set_count(struct pm_spec *s, struct pm_program *p, int most)
{
    int n = p->maxprocs;

    pm_hosts_at(&s->hosts, NULL, 0);
    most = n < most ? n : most;
    if (p->soft)
        n = soft_largest(p->soft, most);
    if (n < 0)
        return pm_hosts_refuse(
            &s->hosts, "'-soft %.200s': not a list of numbers and ranges a:b:step", p->soft);
    if (!n)
        return pm_hosts_refuse(&s->hosts, "'-soft %.200s': no number from 1 to %d", p->soft, most);
    if (n > PM_SIZE_MAX - s->size)
        return pm_hosts_refuse(&s->hosts, "more than %d processes", PM_SIZE_MAX);
    p->count = n;
    return 0;
}

static int program_place_ranks(struct pm_spec *s, const struct pm_program *p,
                               const struct pm_choices *c)
{
    int *more = realloc(s->place, (size_t) (s->size + p->count) * sizeof *more);

    if (!more)
        return pm_hosts_refuse(&s->hosts, "out of memory");
    s->place = more;
    int err = pm_hosts_place(&s->hosts, &s->layout, c, p->count, s->place + s->size);
    s->size += p->count;
    return err;
}

/* Without -n a program has as many ranks as slots, or as -ppn gives its hosts; what the parts of
 * the hosts would have, is not known before they are reached. */
static int check_count(struct pm_spec *s, const struct pm_program *p)
{
    const struct pm_bind *b = &s->bind;

    pm_hosts_at(&s->hosts, NULL, 0);
    if (p->maxprocs || b->map != PM_MAP_OBJECTS || !b->in_a_row)
        return 0;
    return pm_hosts_refuse(&s->hosts,
                           "-map-by ppr:%d:%s needs -n: the parts of a host are not "
                           "known before ranks are placed",
                           b->in_a_row, pm_level_name[b->by]);
}

static int place_program(struct pm_spec *s, struct pm_program *p, size_t listed)
{
    struct pm_choices c = { .of = NULL };
    bool alone = !listed && !p->host && !s->host && !s->layout.per_host;
    int err = check_count(s, p);

    if (!err)
        err = program_choose_hosts(s, p, listed, &c);
    if (!err && s->layout.skip_here)
        pm_mark_here(s);
    if (!err)
        err = pm_choices_restrict(&s->hosts, &c, &s->layout, p->arch);
    if (!err && !p->maxprocs)
        p->maxprocs = alone ? 1 : pm_choices_slots(&s->hosts, &c, &s->layout);
    if (!err)
        err = program_set_count(s, p, pm_choices_room(&s->hosts, &c, &s->layout));
    if (!err)
        err = program_place_ranks(s, p, &c);
    free(c.of);
    return err;
}

/* Of this node, where no number was given, the CPUs. */
static int all_slots(const struct pm_hosts *h)
{
    struct os_cpus cpus;
    long n = 0;

    os_cpus_allowed(&cpus);
    for (size_t i = 0; i < h->count; i++) {
        const struct pm_host_entry *e = h->entry[i];
        int own = e->here && !e->given && !e->allocated ? os_cpus_count(&cpus) : 0;
        n += own > e->slots ? own : e->slots;
    }
    return n < INT_MAX ? (int) n : INT_MAX;
}

/* Programs start as many workers as there are slots. */
static int universe_of(const struct pm_spec *s)
{
    int n = s->universe == PM_UNIVERSE_SYSTEM ? all_slots(&s->hosts) : s->universe;

    return n >= 0 && n < s->size ? s->size : n;
}

int pm_find_hosts(struct pm_spec *s, char *why, size_t len)
{
    int err = read_hosts(s);
    size_t listed = s->hosts.count;

    for (size_t i = 0; !err && i < s->programs; i++)
        err = place_program(s, &s->program[i], listed);
    pm_mark_here(s);
    s->universe = universe_of(s);
    if (err)
        (void) snprintf(why, len, "%s", s->hosts.why);
    return err;
}
