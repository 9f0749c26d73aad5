/* manager.c — the hosts that resource managers allocate: PBS, LSF and SGE, and the table of all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "pm/hosts/pm_hosts_impl.h"

static const char blanks[] = " \t\r\n";

static int manager_add_host(struct pm_hosts *h, char *name, const char *slots)
{
    struct pm_host_entry e;
    int err = pm_parse_host(h, name, &e);

    if (!err && slots)
        err = pm_parse_slots(h, e.name, "slots", slots, &e.slots);
    if (!err)
        err = pm_hosts_add(h, &e);
    return err;
}

/* A name, and perhaps other words that do not matter here. */
static int add_mention(struct pm_hosts *h, char *line)
{
    char *save, *name = strtok_r(line, blanks, &save);

    return manager_add_host(h, name, NULL);
}

/* "host slots queue processors" */
static int add_sge(struct pm_hosts *h, char *line)
{
    char *save, *name = strtok_r(line, blanks, &save), *slots = strtok_r(NULL, blanks, &save);

    return slots ? manager_add_host(h, name, slots)
                 : pm_hosts_refuse(h, "host '%.80s' has no slots", name);
}

/* The file that a variable names. */
static int from_file_of(struct pm_hosts *h, const char *variable,
                        int (*found)(struct pm_hosts *h, char *line))
{
    const char *path = getenv(variable);

    if (!path)
        return -ENOENT;
    pm_hosts_at(h, variable, 0);
    return pm_each_line(h, path, found);
}

static int from_pbs(struct pm_hosts *h) { return from_file_of(h, "PBS_NODEFILE", add_mention); }

static int from_sge(struct pm_hosts *h) { return from_file_of(h, "PE_HOSTFILE", add_sge); }

/* The words of a variable: "a 4 b 2" with slots, or "a a b". */
static int from_words_of(struct pm_hosts *h, const char *variable, bool slots)
{
    const char *value = getenv(variable);
    char *text = value ? strdup(value) : NULL, *save, *name;
    int err = text ? 0 : -ENOENT;

    if (value && !text)
        return pm_hosts_refuse(h, "out of memory");
    pm_hosts_at(h, variable, 0);
    for (char *at = text; !err && (name = strtok_r(at, blanks, &save)); at = NULL) {
        const char *number = slots ? strtok_r(NULL, blanks, &save) : NULL;
        err = slots && !number ? pm_hosts_refuse(h, "host '%.80s' has no slots", name)
                               : manager_add_host(h, name, number);
    }
    if (!err && !h->count)
        err = pm_hosts_refuse(h, "no hosts are in this variable");
    free(text);
    return err;
}

static int from_lsf(struct pm_hosts *h)
{
    int err = from_words_of(h, "LSB_MCPU_HOSTS", true);

    if (err == -ENOENT)
        err = from_file_of(h, "LSB_DJOB_HOSTFILE", add_mention);
    return err == -ENOENT ? from_words_of(h, "LSB_HOSTS", false) : err;
}

static const struct {
    const char *name;
    int (*read)(struct pm_hosts *h);
    const char *variable;
} managers[] = { { "slurm", pm_hosts_from_slurm, "SLURM_JOB_NODELIST" },
                 { "pbs", from_pbs, "PBS_NODEFILE" },
                 { "lsf", from_lsf, "LSB_MCPU_HOSTS" },
                 { "sge", from_sge, "PE_HOSTFILE" } };

int pm_hosts_from_manager(struct pm_hosts *h, const char *source, const char *manager)
{
    for (size_t i = 0; i < sizeof managers / sizeof *managers; i++) {
        if (manager && strcasecmp(manager, managers[i].name) != 0)
            continue;
        int err = managers[i].read(h);
        if (!err)
            h->manager = managers[i].name;
        for (size_t k = 0; k < h->count; k++)
            h->entry[k]->allocated = true;
        if (err != -ENOENT)
            return err;
        pm_hosts_at(h, source, 0);
        if (manager)
            return pm_hosts_refuse(h, "this is no allocation of %s: %s is not set",
                                   managers[i].name, managers[i].variable);
    }
    pm_hosts_at(h, source, 0);
    return manager ? pm_hosts_refuse(h, "'%.80s' is none of slurm, pbs, lsf, sge and user", manager)
                   : 0;
}
