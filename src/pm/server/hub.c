/* hub.c — notes between the hubs of the nodes and the root: which are correct, and what they do. */
#include <errno.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

/* ---- the root -------------------------------------------------------------------------------- */

static void tell_dead(struct pm_server_job *j, int node)
{
    if (*j->dead && j->hub[node].joined)
        j->events.down(j->events.owner, node,
                       &(struct pm_note) {
                           .kind = PM_NOTE_DEAD, .bytes = j->dead, .len = strlen(j->dead) + 1 });
}

/* A hub without ranks says nothing any more: it is missing in all generations. */
static void lose_hub(struct pm_server_job *j, struct pm_hub *hub, int rank)
{
    for (struct pm_generation *g = j->generations, *next; g; g = next) {
        next = g->next;
        if (g->number >= hub->left)
            pm_generation_leave(j, g, hub, rank);
    }
    j->gone++;
}

void pm_hub_lose_rank(struct pm_server_job *j, int rank)
{
    struct pm_hub *hub = &j->hub[j->node[rank]];

    if (!j->survives || j->client[rank].closed)
        return;
    j->client[rank].closed = true;
    if (pm_server_client_state(j, rank) != PM_CLIENT_FINALIZED) {
        pm_add_dead(j, rank);
        for (int i = 0; i < j->hubs; i++)
            tell_dead(j, i);
    }
    if (++hub->gone == hub->ranks)
        lose_hub(j, hub, rank);
}

static int on_joined(struct pm_server_job *j, int node, const struct pm_note *note)
{
    (void) note;
    j->hub[node].joined = true;
    tell_dead(j, node);
    return 0;
}

static int on_put(struct pm_server_job *j, int node, const struct pm_note *note)
{
    struct pm_generation *g = pm_generation_get(j, note->generation);

    (void) node;
    return g ? pm_store_take_puts(g, note) : -ENOMEM;
}

static int on_barrier(struct pm_server_job *j, int node, const struct pm_note *note)
{
    int err = j->hub[node].waits_in >= 0 ? -EBADMSG : on_put(j, node, note);

    if (err)
        return err;
    j->hub[node].waits_in = note->generation;
    pm_generation_wait(j, pm_generation_find(j, note->generation));
    return 0;
}

static int on_missing(struct pm_server_job *j, int node, const struct pm_note *note)
{
    struct pm_generation *g = pm_generation_get(j, note->generation);

    (void) node;
    if (!g)
        return -ENOMEM;
    pm_generation_miss(j, g, note->rank, true);
    return 0;
}

static int on_gone(struct pm_server_job *j, int node, const struct pm_note *note)
{
    (void) node;
    pm_generation_miss_all(j, note->generation, note->rank);
    return 0;
}

/* Generations end in their order. */
static int on_left(struct pm_server_job *j, int node, const struct pm_note *note)
{
    struct pm_hub *hub = &j->hub[node];

    if (note->generation != hub->left)
        return -EBADMSG;
    hub->left++;
    if (hub->gone == hub->ranks) /* it is missing already */
        return 0;
    struct pm_generation *g = pm_generation_get(j, note->generation);
    if (!g)
        return -ENOMEM;
    pm_generation_leave(j, g, hub, note->rank);
    return 0;
}

static int on_state(struct pm_server_job *j, int node, const struct pm_note *note)
{
    (void) node;
    if (note->value < PM_CLIENT_NOT_JOINED || note->value > PM_CLIENT_FINALIZED)
        return -EBADMSG;
    j->client[note->rank].state = (enum pm_client_state) note->value;
    j->client[note->rank].gone = true;
    return 0;
}

static int on_event(struct pm_server_job *j, int node, const struct pm_note *note)
{
    struct pm_note rest = *note;
    const char *text = pm_note_text(&rest);

    (void) node;
    if (!text || rest.len || strpbrk(text, "\n\r"))
        return -EBADMSG;
    pm_raise_event(j, note->kind, note->rank, note->value, text);
    return 0;
}

static const struct {
    bool generation, rank; /* it has one that is checked */
    int (*run)(struct pm_server_job *j, int node, const struct pm_note *note);
} from_hub[PM_NOTE_KINDS] = {
    [PM_NOTE_JOINED] = { false, false, on_joined },
    [PM_NOTE_PUT] = { true, false, on_put },
    [PM_NOTE_BARRIER] = { true, false, on_barrier },
    [PM_NOTE_GET] = { true, false, pm_store_answer },
    [PM_NOTE_NAME] = { false, true, pm_name_answer },
    [PM_NOTE_MISSING] = { true, true, on_missing },
    [PM_NOTE_GONE] = { true, true, on_gone },
    [PM_NOTE_LEFT] = { true, true, on_left },
    [PM_NOTE_STATE] = { false, true, on_state },
    [PM_NOTE_ABORT] = { false, true, on_event },
    [PM_NOTE_BROKEN] = { false, true, on_event },
    [PM_NOTE_WARN] = { false, true, on_event },
    [PM_NOTE_SPAWN] = { false, true, pm_spawn_ask },
    [PM_NOTE_VERDICT] = { false, true, pm_spawn_hear },
};

int pm_server_from_hub(struct pm_server_job *j, int node, const struct pm_note *note)
{
    int kind = (int) note->kind;

    if (node < 0 || node >= j->hubs || kind < 0 || kind >= PM_NOTE_KINDS || !from_hub[kind].run
        || (from_hub[kind].generation && note->generation < j->hub[node].left)
        || (from_hub[kind].rank && !pm_note_is_of(j, node, note->rank)))
        return -EBADMSG;
    return from_hub[kind].run(j, node, note);
}

/* ---- a hub ----------------------------------------------------------------------------------- */

static int on_release(struct pm_server_job *j, const struct pm_note *note)
{
    struct pm_generation *g = pm_generation_find(j, note->generation);

    if (!g) /* its ranks have gone on without the reply */
        return 0;
    if (!g->told)
        return -EBADMSG;
    pm_store_released(g, note->value != 0);
    pm_generation_end_barrier(j, g);
    return 0;
}

static int on_dead(struct pm_server_job *j, const struct pm_note *note)
{
    struct pm_note rest = *note;
    const char *list = pm_note_text(&rest);

    if (!list || rest.len || strlen(list) >= sizeof j->dead || list[strspn(list, "0123456789,")])
        return -EBADMSG;
    memcpy(j->dead, list, strlen(list) + 1);
    return 0;
}

int pm_server_from_root(struct pm_server_job *j, const struct pm_note *note)
{
    if (!j->events.up)
        return -EBADMSG;
    switch ((int) note->kind) {
    case PM_NOTE_RELEASE:
        return on_release(j, note);
    case PM_NOTE_VALUE:
        return pm_store_learn(j, note);
    case PM_NOTE_NAMED:
        return pm_name_learn(j, note);
    case PM_NOTE_DEAD:
        return on_dead(j, note);
    case PM_NOTE_SPAWNED:
        return pm_spawn_learn(j, note);
    case PM_NOTE_LOST:
        return pm_spawn_lose(j, note);
    }
    return -EBADMSG;
}
