/* server.c — the functions of pm_server.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

/* Makes a percent-encoded copy, which fits one line: 0, -ENOMEM, -EMSGSIZE. */
static int text_percent_encode(const char *text, char **encoded)
{
    size_t room = strlen(text) * 3 + 1;

    *encoded = malloc(room);
    if (!*encoded)
        return -ENOMEM;
    return pmi_percent_encode(text, *encoded, room) > PM_SETTINGS_MAX ? -EMSGSIZE : 0;
}

static int copy_programs(struct pm_server_job *j, const struct pm_server_config *config)
{
    int n = 0, err = 0;

    for (int i = 0; i < j->size; i++)
        if (config->appnum[i] >= n)
            n = config->appnum[i] + 1;
    j->program = calloc((size_t) n + 1, sizeof *j->program);
    if (!j->program)
        return -ENOMEM;
    for (; j->programs < n && !err; j->programs++)
        err = text_percent_encode(config->programs[j->programs], &j->program[j->programs]);
    return err;
}

/* How many nodes ranks are on. Where mpiexec could not reach a host, fewer have hubs. */
static int count_nodes(const struct pm_server_config *config)
{
    int nodes = config->hubs;

    for (int i = 0; i < config->size && config->hubs; i++)
        if (config->node[i] >= nodes)
            nodes = config->node[i] + 1;
    return nodes;
}

/* A hub has the ranks of its node, a root with hubs none. */
static int find_own(struct pm_server_job *j, const struct pm_server_config *config)
{
    j->here = config->here;
    j->hubs = config->hubs;
    j->own = malloc((size_t) j->size * sizeof *j->own);
    j->nodes = count_nodes(config);
    j->hub = calloc((size_t) j->nodes + 1, sizeof *j->hub);
    if (!j->own || !j->hub)
        return -ENOMEM;
    for (int i = 0; i < j->size && !j->hubs; i++)
        if (!j->events.up || config->node[i] == j->here)
            j->own[j->owns++] = i;
    for (int i = 0; i < j->owns; i++) {
        struct pm_client *c = &j->client[j->own[i]];
        c->dialect = c->first_dialect = &pm_pmi1;
    }
    for (int i = 0; i < j->hubs; i++)
        j->hub[i].waits_in = -1;
    return pm_prefetch_init(j);
}

static int copy_config(struct pm_server_job *j, const struct pm_server_config *config)
{
    j->size = config->size;
    j->survives = config->survives;
    j->gone_from = INT_MAX;
    j->gone_rank = -1;
    (void) snprintf(j->base, sizeof j->base, "%.200s", config->name);
    (void) snprintf(j->spawner, sizeof j->spawner, "%.200s",
                    config->spawner ? config->spawner : "");
    j->client = calloc((size_t) j->size, sizeof *j->client);
    j->appnum = malloc((size_t) j->size * sizeof *j->appnum);
    j->said = malloc((size_t) j->size * sizeof *j->said);
    j->node = malloc((size_t) j->size * sizeof *j->node);
    if (!j->client || !j->appnum || !j->said || !j->node)
        return -ENOMEM;
    for (int i = 0; i < j->size; i++) {
        j->appnum[i] = config->appnum[i];
        j->said[i] = config->said ? config->said[i] : config->appnum[i];
        j->node[i] = config->node[i];
    }
    pm_mapping(config->node, j->size, j->mapping, sizeof j->mapping);
    int err = find_own(j, config);
    if (!err)
        err = text_percent_encode(config->settings ? config->settings : "", &j->settings);
    if (!err && config->programs)
        err = copy_programs(j, config);
    for (const char *const *p = config->preput; p && *p && !err; p += 2)
        err = pm_store_preput(j, p[0], p[1]);
    return err;
}

struct pm_server *pm_server_create(int universe)
{
    struct pm_server *s = calloc(1, sizeof *s);

    if (s)
        s->universe = universe;
    return s;
}

static void free_job(struct pm_server_job *j)
{
    for (struct pm_generation *g = j->generations, *next; g; g = next) {
        next = g->next;
        pm_generation_free(j, g);
    }
    for (int i = 0; i < j->owns; i++) {
        struct pm_client *c = &j->client[j->own[i]];
        pm_framing_free(&c->in);
        pm_spawn_drop(c);
        free(c->held);
        free(c->name_text);
    }
    free(j->client);
    free(j->own);
    free(j->hub);
    free(j->by_rank);
    free(j->appnum);
    free(j->said);
    free(j->node);
    free(j->settings);
    for (int i = 0; i < j->programs; i++)
        free(j->program[i]);
    free(j->program);
    free(j);
}

struct pm_server_job *pm_server_add_job(struct pm_server *s, const struct pm_server_config *config,
                                        const struct pm_events *events)
{
    struct pm_server_job *j = calloc(1, sizeof *j);

    if (!j)
        return NULL;
    j->server = s;
    j->events = *events;
    int err = copy_config(j, config);
    if (err) {
        free_job(j);
        errno = -err;
        return NULL;
    }
    j->next = s->jobs;
    return s->jobs = j;
}

void pm_server_remove_job(struct pm_server *s, struct pm_server_job *j)
{
    struct pm_server_job **at = &s->jobs;

    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    pm_server_ended(j);
    free_job(j);
}

void pm_server_destroy(struct pm_server *s)
{
    while (s->jobs)
        pm_server_remove_job(s, s->jobs);
    free(s);
}

void pm_server_closing(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    pm_client_drop_held(j, rank);
    c->closed = true;
    if (j->events.up && c->state != pm_client_assumed(j->told_joined))
        j->events.up(
            j->events.owner,
            &(struct pm_note) { .kind = PM_NOTE_STATE, .rank = rank, .value = (int) c->state });
}

void pm_server_lost(struct pm_server_job *j, int rank)
{
    j->client[rank].gone = true;
    pm_hub_lose_rank(j, rank);
}

void pm_server_gone(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    if (j->hubs) {
        pm_hub_lose_rank(j, rank);
        return;
    }
    if (c->gone)
        return;
    pm_client_drop_held(j, rank);
    c->gone = true;
    pm_framing_free(&c->in);
    if (c->state != PM_CLIENT_FINALIZED && !j->events.up)
        pm_add_dead(j, rank);
    pm_generation_disconnect(j, rank);
}
