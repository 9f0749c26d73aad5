/* slurm.c — the hosts of a Slurm allocation: SLURM_JOB_NODELIST names them, and
 * SLURM_TASKS_PER_NODE, "2(x3),1", has their slots in the same order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/hosts/pm_hosts_impl.h"

static const char counts_name[] = "SLURM_TASKS_PER_NODE";

struct slurm {
    struct pm_hosts *hosts;
    const char *counts; /* the text behind the current count; NULL: all hosts have one slot */
    int slots, left;    /* the current count, and for how many more hosts it is */
    int names;
};

/* A number from 1 at the start of text; *len: its digits. */
static int slurm_read_number(const char *text, size_t *len)
{
    *len = strspn(text, "0123456789");
    return pm_parse_digits(text, *len);
}

/* Reads "2" or "2(x3)", and the comma behind it. */
static int next_count(struct slurm *s)
{
    const char *at = s->counts;
    size_t len;

    s->slots = slurm_read_number(at, &len);
    s->left = 1;
    at += len;
    if (!strncmp(at, "(x", 2)) {
        s->left = slurm_read_number(at + 2, &len);
        at += 2 + len;
        at += *at == ')' ? 1 : 0;
        if (at[-1] != ')')
            s->left = 0;
    }
    if (s->slots < 1 || s->slots > PM_SLOTS_MAX || s->left < 1 || (*at && *at != ','))
        return pm_hosts_refuse(s->hosts, "%s: '%.80s' is not a list such as 2(x3),1", counts_name,
                               s->counts);
    s->counts = at + (*at == ',');
    return 0;
}

static int slurm_add_host(void *arg, char *name)
{
    struct slurm *s = arg;
    struct pm_host_entry e;
    int err = pm_parse_host(s->hosts, name, &e);

    s->names++;
    if (!err && e.slots)
        err = pm_hosts_refuse(s->hosts, "'%.80s:%d': slots do not belong here", e.name, e.slots);
    if (!err && s->counts && !s->left && *s->counts)
        err = next_count(s);
    if (err)
        return err;
    if (s->counts && !s->left)
        return pm_hosts_refuse(s->hosts, "%d hosts or more, and %s=%.80s is for %d", s->names,
                               counts_name, getenv(counts_name), s->names - 1);
    if (s->counts)
        s->left--;
    e.slots = s->slots;
    return pm_hosts_add(s->hosts, &e);
}

int pm_hosts_from_slurm(struct pm_hosts *h)
{
    const char *source = "SLURM_JOB_NODELIST", *names = getenv(source);
    struct slurm s = { .hosts = h, .counts = getenv(counts_name), .slots = 1 };

    if (!names)
        names = getenv(source = "SLURM_NODELIST");
    if (!names)
        return -ENOENT;
    pm_hosts_at(h, source, 0);
    int err = pm_expand(h, names, slurm_add_host, &s);
    if (!err && s.counts && (s.left || *s.counts))
        err = pm_hosts_refuse(h, "%d hosts, and %s=%.80s is for more", s.names, counts_name,
                              getenv(counts_name));
    return err;
}
