/* find_places.c — the hosts of a job that is spawned: those that its info names, or those of the
 * command line. Ranks that have ended have left their slots. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "pm/mpiexec/reach/reach_impl.h"
#include "platform/soft.h"

static const struct pm_host *open_host_of(const struct pm_run *r, const struct pm_host_entry *e)
{
    for (int i = 0; i < r->hosts; i++) {
        const struct pm_host_entry *own = r->spec->hosts.entry[r->host[i]->entry];
        if ((own == e || (own->here && e->here)) && pm_host_is_known(r->host[i]))
            return r->host[i];
    }
    return NULL;
}

/* Why no rank can be started there; NULL: one can. */
static const char *why_not_there(const struct pm_run *r, const struct pm_host_entry *e)
{
    const struct pm_host *h = open_host_of(r, e);

    return h && h->lost ? "it is lost" : NULL;
}

/* Drops hosts where no rank can be started. One that is named must be there. */
static int drop_hosts(struct pm_run *r, const struct pm_program *p, struct pm_choices *c)
{
    struct pm_hosts *h = &r->spec->hosts;
    const char *why = NULL;
    size_t kept = 0;

    pm_hosts_at(h, NULL, 0);
    for (size_t i = 0; i < c->count; i++) {
        const struct pm_host_entry *e = h->entry[c->of[i].host];
        const char *not_there = why_not_there(r, e);
        if (not_there && p->host) {
            (void) pm_hosts_refuse(h, "host '%.80s': %s", e->name, not_there);
            return -EHOSTUNREACH;
        }
        if (not_there)
            why = not_there;
        else
            c->of[kept++] = c->of[i];
    }
    c->count = kept;
    if (kept)
        return 0;
    (void) pm_hosts_refuse(h, "no host is left: %s", why ? why : "none is named");
    return -EHOSTUNREACH;
}

static const struct pm_layout *layout_of(const struct pm_run *r, const struct pm_program *p)
{
    return p->layout ? p->layout : &r->spec->layout;
}

static int choose_hosts(struct pm_run *r, const struct pm_program *p, struct pm_choices *c)
{
    struct pm_hosts *h = &r->spec->hosts;
    int err =
        p->host ? pm_choose_names(h, p->host_option, p->host, c) : pm_choose_first(h, r->listed, c);

    if (!err)
        pm_mark_here(r->spec);
    if (!err)
        err = drop_hosts(r, p, c);
    if (!err)
        err = pm_choices_restrict(h, c, layout_of(r, p), p->arch);
    return err;
}

/* With soft, as many as there is room for. */
static int choose_count(struct pm_run *r, struct pm_program *p, int most, int before)
{
    struct pm_hosts *h = &r->spec->hosts;
    int n = p->maxprocs;

    pm_hosts_at(h, NULL, 0);
    if (p->soft)
        n = soft_largest(p->soft, most < n ? most : n);
    if (n < 0)
        return pm_hosts_refuse(h, "soft '%.200s': not a list of numbers and ranges a:b:step",
                               p->soft);
    if (!n)
        return pm_hosts_refuse(h, "soft '%.200s': no number from 1 to %d", p->soft,
                               most < p->maxprocs ? most : p->maxprocs);
    p->count = n;
    if (n <= PM_SIZE_MAX - r->ranks - before)
        return 0;
    (void) pm_hosts_refuse(h, "more than %d processes in all jobs of an mpiexec", PM_SIZE_MAX);
    return -EAGAIN;
}

/* Ranks that have no free slot go to the hosts in turn. */
static int place_ranks(struct pm_hosts *h, const struct pm_layout *l, const struct pm_choices *c,
                       int count, int *place)
{
    struct pm_layout in_turn = *l;
    int in_slots = pm_choices_free(h, c, l);
    int err = 0;

    if (in_slots > count || l->strict)
        in_slots = count;
    if (in_slots)
        err = pm_hosts_place(h, l, c, in_slots, place);
    in_turn.by_node = true;
    if (!err && in_slots < count)
        err = pm_hosts_place(h, &in_turn, c, count - in_slots, place + in_slots);
    return err ? -EAGAIN : 0;
}

static int place_program(struct pm_run *r, struct pm_program *p, int **place, int *placed)
{
    struct pm_hosts *h = &r->spec->hosts;
    const struct pm_layout *l = layout_of(r, p);
    struct pm_choices c = { .of = NULL };
    int *more, err = choose_hosts(r, p, &c);

    if (!err)
        err = choose_count(r, p, pm_choices_room(h, &c, l), *placed);
    more = err ? NULL : realloc(*place, (size_t) (*placed + p->count) * sizeof *more);
    if (!err && !more)
        err = pm_hosts_refuse(h, "out of memory");
    if (more)
        *place = more;
    if (!err && pm_choices_room(h, &c, l) < p->count)
        err = pm_hosts_place(h, l, &c, p->count, *place + *placed) ? -EAGAIN : 0;
    else if (!err)
        err = place_ranks(h, l, &c, p->count, *place + *placed);
    if (!err)
        *placed += p->count;
    free(c.of);
    return err;
}

static void free_slot(const struct pm_run *r, int place) { r->spec->hosts.entry[place]->ranks--; }

int pm_find_places(struct pm_run *r, struct pm_program *program, size_t programs, int **place,
                   char *why, size_t len)
{
    int placed = 0, err = 0;

    *place = NULL;
    for (size_t i = 0; i < programs && !err; i++)
        err = place_program(r, &program[i], place, &placed);
    if (!err)
        return 0;
    while (placed)
        free_slot(r, (*place)[--placed]);
    free(*place);
    *place = NULL;
    (void) snprintf(why, len, "%s", r->spec->hosts.why);
    return err;
}

void pm_free_place(const struct pm_job *j, int rank) { free_slot(j->run, j->place[rank]); }

void pm_stop_starting(struct pm_job *j)
{
    if (j->stopped)
        return;
    j->stopped = true;
    for (int i = j->started; i < j->size; i++)
        pm_free_place(j, i);
    j->run->starting -= j->prepared && j->started < j->size;
}
