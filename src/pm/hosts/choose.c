/* choose.c — the hosts that the ranks of a program may be placed on. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "pm/hosts/pm_hosts_impl.h"

static int make_room(struct pm_hosts *h, struct pm_choices *c, size_t count)
{
    c->count = 0;
    c->of = calloc(count + 1, sizeof *c->of);
    return c->of ? 0 : pm_hosts_refuse(h, "out of memory");
}

int pm_choose_first(struct pm_hosts *h, size_t count, struct pm_choices *c)
{
    int err = make_room(h, c, count);

    for (size_t i = 0; !err && i < count; i++)
        c->of[c->count++] = (struct pm_choice) { i, h->entry[i]->slots };
    return err;
}

/* Adds a host that the list does not have, and chooses it. */
static int choices_add_host(struct pm_hosts *h, struct pm_choices *c, const struct pm_host_entry *e)
{
    size_t number = pm_hosts_find(h, e->name);
    bool new = number == h->count;
    int err = new ? pm_hosts_add(h, e) : 0;

    if (err)
        return err;
    struct pm_host_entry *own = h->entry[number];
    if (new)
        own->given = e->given;
    if (e->user && !own->user && !(own->user = strdup(e->user)))
        return pm_hosts_refuse(h, "out of memory");
    if (e->user && strcmp(e->user, own->user) != 0)
        return pm_hosts_refuse(h, "host '%s': user '%.80s', but '%.80s' before", e->name, e->user,
                               own->user);
    c->of[c->count++] = (struct pm_choice) { number, e->given ? e->slots : own->slots };
    return 0;
}

int pm_choose_names(struct pm_hosts *h, const char *source, const char *names, struct pm_choices *c)
{
    struct pm_hosts named = { .entry = NULL };
    int err = pm_hosts_from_names(&named, source, names);

    if (err)
        memcpy(h->why, named.why, sizeof h->why);
    pm_hosts_at(h, source, 0);
    if (!err)
        err = make_room(h, c, named.count);
    for (size_t i = 0; !err && i < named.count; i++)
        err = choices_add_host(h, c, named.entry[i]);
    pm_hosts_free(&named);
    return err;
}

/* By slots, then in the order in which they are. The sort of the C library may not be stable. */
static int slots_compare_asc(const void *a, const void *b)
{
    const struct pm_choice *x = a, *y = b;

    if (x->slots != y->slots)
        return x->slots < y->slots ? -1 : 1;
    return x->host < y->host ? -1 : x->host > y->host;
}

static int slots_compare_desc(const void *a, const void *b)
{
    const struct pm_choice *x = a, *y = b;

    if (x->slots != y->slots)
        return x->slots > y->slots ? -1 : 1;
    return x->host < y->host ? -1 : x->host > y->host;
}

int pm_choices_restrict(struct pm_hosts *h, struct pm_choices *c, const struct pm_layout *l,
                        const char *arch)
{
    size_t kept = 0, here = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct pm_host_entry *e = h->entry[c->of[i].host];
        bool skipped = l->skip_here && e->here;
        if (!skipped && (!arch || !e->arch || !strcasecmp(e->arch, arch)))
            c->of[kept++] = c->of[i];
        here += skipped;
    }
    pm_hosts_at(h, NULL, 0);
    if (!kept && here == c->count)
        return pm_hosts_refuse(h, "-skip-launch-node (-nolocal): no host is left");
    if (!kept)
        return pm_hosts_refuse(h, "-arch %.80s: no host is of this architecture", arch);
    c->count = kept;
    if (l->order != PM_AS_GIVEN)
        qsort(c->of, kept, sizeof *c->of,
              l->order == PM_ASCENDING ? slots_compare_asc : slots_compare_desc);
    return 0;
}

static int slots_of(const struct pm_hosts *h, const struct pm_choice *c, const struct pm_layout *l)
{
    int slots = l->per_host ? l->per_host : c->slots, limit = h->entry[c->host]->max_slots;

    return limit && limit < slots ? limit : slots;
}

int pm_choices_slots(const struct pm_hosts *h, const struct pm_choices *c,
                     const struct pm_layout *l)
{
    long all = 0;

    for (size_t i = 0; i < c->count; i++)
        all += slots_of(h, &c->of[i], l);
    return all < INT_MAX ? (int) all : INT_MAX;
}

int pm_choices_free(const struct pm_hosts *h, const struct pm_choices *c, const struct pm_layout *l)
{
    long all = 0;

    for (size_t i = 0; i < c->count; i++) {
        int left = slots_of(h, &c->of[i], l) - h->entry[c->of[i].host]->ranks;
        all += left > 0 ? left : 0;
    }
    return all < INT_MAX ? (int) all : INT_MAX;
}

int pm_choice_limit(const struct pm_hosts *h, const struct pm_choice *c, const struct pm_layout *l)
{
    int limit = h->entry[c->host]->max_slots;

    return l->strict && (!limit || limit > c->slots) ? c->slots : limit ? limit : INT_MAX;
}

int pm_choices_room(const struct pm_hosts *h, const struct pm_choices *c, const struct pm_layout *l)
{
    long room = 0;

    for (size_t i = 0; i < c->count; i++) {
        int limit = pm_choice_limit(h, &c->of[i], l), ranks = h->entry[c->of[i].host]->ranks;
        if (limit == INT_MAX)
            return INT_MAX;
        room += limit > ranks ? limit - ranks : 0;
    }
    return room < INT_MAX ? (int) room : INT_MAX;
}
