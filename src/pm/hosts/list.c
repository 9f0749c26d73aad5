/* list.c — the list of hosts, with each host once. */
#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "pm/hosts/pm_hosts_impl.h"

struct row { /* of the index */
    const char *name;
    size_t number;
};

void pm_hosts_at(struct pm_hosts *h, const char *source, int line)
{
    h->source = source;
    h->line = line;
}

int pm_hosts_refuse(struct pm_hosts *h, const char *fmt, ...)
{
    va_list args;
    int n = 0;

    if (h->source && h->line)
        n = snprintf(h->why, sizeof h->why, "%.200s, line %d: ", h->source, h->line);
    else if (h->source)
        n = snprintf(h->why, sizeof h->why, "%.200s: ", h->source);
    va_start(args, fmt);
    (void) vsnprintf(h->why + n, sizeof h->why - (size_t) n, fmt, args);
    va_end(args);
    for (char *c = h->why; *c; c++) /* the bytes of a file may be anything */
        if ((unsigned char) *c < ' ' || *c == 127)
            *c = '?';
    return -EINVAL;
}

static int host_row_compare(const void *a, const void *b)
{
    return strcasecmp(((const struct row *) a)->name, ((const struct row *) b)->name);
}

size_t pm_hosts_find(const struct pm_hosts *h, const char *name)
{
    const struct row wanted = { name, 0 };
    struct row *const *found = tfind(&wanted, &h->index, host_row_compare);

    return found ? (*found)->number : h->count;
}

static void free_entry(struct pm_host_entry *e)
{
    if (!e)
        return;
    free(e->name);
    free(e->user);
    free(e->arch);
    free(e->binding);
    free(e);
}

/* Sets a text that is not set yet; two different ones for a host are an error. */
static int merge_text(struct pm_hosts *h, const char *host, const char *what, char **own,
                      const char *text)
{
    if (!text || (*own && !strcmp(*own, text)))
        return 0;
    if (*own)
        return pm_hosts_refuse(h, "host '%s': %s '%.80s', but '%.80s' before", host, what, text,
                               *own);
    *own = strdup(text);
    return *own ? 0 : pm_hosts_refuse(h, "out of memory");
}

static int host_entry_merge(struct pm_hosts *h, struct pm_host_entry *own,
                            const struct pm_host_entry *e)
{
    int err = merge_text(h, own->name, "user", &own->user, e->user);

    if (!err)
        err = merge_text(h, own->name, "arch", &own->arch, e->arch);
    if (!err)
        err = merge_text(h, own->name, "binding", &own->binding, e->binding);
    if (err)
        return err;
    own->line = own->line ? own->line : e->line;
    if (e->max_slots && own->max_slots && e->max_slots != own->max_slots)
        return pm_hosts_refuse(h, "host '%s': max_slots %d, but %d before", own->name, e->max_slots,
                               own->max_slots);
    own->given = own->slots || e->slots;
    own->slots += e->slots ? e->slots : 1;
    own->max_slots = e->max_slots ? e->max_slots : own->max_slots;
    if (own->slots > PM_SLOTS_MAX)
        return pm_hosts_refuse(h, "host '%s' has more than %d slots", own->name, PM_SLOTS_MAX);
    if (own->max_slots && own->slots > own->max_slots)
        return pm_hosts_refuse(h, "host '%s' has %d slots, more than its max_slots %d", own->name,
                               own->slots, own->max_slots);
    return 0;
}

static struct pm_host_entry *host_entry_create(struct pm_hosts *h, const char *name)
{
    if (h->count == h->room) {
        size_t room = h->room * 2 + 16;
        struct pm_host_entry **more = realloc(h->entry, room * sizeof *more);
        if (!more)
            return NULL;
        h->entry = more;
        h->room = room;
    }
    struct pm_host_entry *e = calloc(1, sizeof *e);
    struct row *r = malloc(sizeof *r);
    char *copy = strdup(name);
    if (e && r && copy) {
        *r = (struct row) { copy, h->count };
        if (tsearch(r, &h->index, host_row_compare)) {
            e->name = copy;
            return h->entry[h->count++] = e;
        }
    }
    free(e);
    free(r);
    free(copy);
    return NULL;
}

int pm_hosts_add(struct pm_hosts *h, const struct pm_host_entry *e)
{
    size_t number = pm_hosts_find(h, e->name);
    struct pm_host_entry *own = number < h->count ? h->entry[number] : NULL;

    if (!own && h->count == PM_HOSTS_MAX)
        return pm_hosts_refuse(h, "more than %d hosts", PM_HOSTS_MAX);
    if (!own)
        own = host_entry_create(h, e->name);
    return own ? host_entry_merge(h, own, e) : pm_hosts_refuse(h, "out of memory");
}

void pm_hosts_free(struct pm_hosts *h)
{
    tdestroy(h->index, free);
    for (size_t i = 0; i < h->count; i++)
        free_entry(h->entry[i]);
    free(h->entry);
    *h = (struct pm_hosts) { .entry = NULL };
}
