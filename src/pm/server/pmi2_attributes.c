/* pmi2_attributes.c — attributes of a node: texts that only the ranks of this node see, at once.
 *
 * The server itself has localRanks and localRanksCount. A rank may wait for an attribute. A wait
 * that no rank can end any more gets the reply that there is no such attribute. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_pmi2.h"

enum { WAITS_MAX = 16 }; /* of a rank, which may have threads */

struct pm_wait {
    struct pm_wait *next;
    int rank;
    char key[PMI_KEY_MAX + 1], thrid[PM_WORD_MAX + 1];
};

/* The name of an attribute in the table of all nodes. */
struct name {
    char text[PMI_KEY_MAX + sizeof "-2147483648 "];
};

static struct name name_of(const struct pm_server_job *j, int rank, const char *key)
{
    struct name n;

    (void) snprintf(n.text, sizeof n.text, "%d %s", j->node[rank], key);
    return n;
}

void pm_attribute_answer(const struct pm_request *r, const char *value)
{
    if (value)
        pm_answer(r, NULL, "found", "TRUE", "value", value, NULL);
    else
        pm_answer(r, NULL, "found", "FALSE", NULL);
}

/* Takes a wait out of its list and replies to it. */
static void end_wait(struct pm_server_job *j, struct pm_wait **at, const char *value)
{
    struct pm_wait *w = *at;
    const struct pm_request r = {
        .job = j, .rank = w->rank, .command = "info-getnodeattr", .thrid = w->thrid
    };

    *at = w->next;
    pm_attribute_answer(&r, value);
    free(w);
}

const char *pm_attribute_put(const struct pm_request *r, const char *key, const char *value)
{
    struct pm_server_job *j = r->job;
    struct pm_generation *g = j->client[r->rank].generation;

    if (pm_kvs_put(&g->attributes, name_of(j, r->rank, key).text, value))
        return "out_of_memory";
    for (struct pm_wait **at = &g->waits; *at;) {
        if (j->node[(*at)->rank] == j->node[r->rank] && !strcmp((*at)->key, key))
            end_wait(j, at, value);
        else
            at = &(*at)->next;
    }
    return NULL;
}

/* Writes the ranks of the node of a rank, "0,1,5", and returns their number. The text is empty when
 * len is not enough. */
static int list_ranks(const struct pm_server_job *j, int rank, char *text, size_t len)
{
    size_t used = 0;
    int count = 0;

    for (int i = 0; i < j->size; i++) {
        if (j->node[i] != j->node[rank])
            continue;
        if (used < len)
            used += (size_t) snprintf(text + used, len - used, count ? ",%d" : "%d", i);
        count++;
    }
    if (used >= len)
        *text = '\0';
    return count;
}

const char *pm_attribute_get(const struct pm_request *r, const char *key,
                             char text[PM_VALUE_MAX + 1])
{
    const struct pm_generation *g = r->job->client[r->rank].generation;
    const char *value = pm_kvs_get(&g->attributes, name_of(r->job, r->rank, key).text);

    if (value || (strcmp(key, "localRanks") != 0 && strcmp(key, "localRanksCount") != 0))
        return value;
    int count = list_ranks(r->job, r->rank, text, PM_VALUE_MAX + 1);
    if (!strcmp(key, "localRanksCount"))
        (void) snprintf(text, PM_VALUE_MAX + 1, "%d", count);
    return *text ? text : NULL;
}

/* Whether a rank has joined this generation and not left it, or may still join. */
static bool may_put(const struct pm_server_job *j, const struct pm_generation *g, int rank)
{
    const struct pm_client *c = &j->client[rank];

    return !c->gone
           && (c->joined <= g->number || (c->generation == g && c->state == PM_CLIENT_JOINED));
}

/* Whether no other rank of the node may put. */
static bool is_alone(const struct pm_server_job *j, const struct pm_generation *g, int rank)
{
    for (int i = 0; i < j->size; i++)
        if (i != rank && j->node[i] == j->node[rank] && may_put(j, g, i))
            return false;
    return true;
}

const char *pm_attribute_wait(const struct pm_request *r, const char *key)
{
    struct pm_generation *g = r->job->client[r->rank].generation;
    int waits = 0;

    for (const struct pm_wait *w = g->waits; w; w = w->next)
        waits += w->rank == r->rank;
    if (waits == WAITS_MAX)
        return "too_many_waits";
    struct pm_wait *w = malloc(sizeof *w);
    if (!w)
        return "out_of_memory";
    *w = (struct pm_wait) { .next = g->waits, .rank = r->rank };
    (void) snprintf(w->key, sizeof w->key, "%s", key);
    (void) snprintf(w->thrid, sizeof w->thrid, "%s", r->thrid);
    g->waits = w;
    if (is_alone(r->job, g, r->rank))
        end_wait(r->job, &g->waits, NULL);
    return NULL;
}

void pm_attributes_leave(struct pm_server_job *j, struct pm_generation *g, int rank)
{
    for (struct pm_wait **at = &g->waits, *w; (w = *at);) {
        if (w->rank == rank) {
            *at = w->next;
            free(w);
        } else if (j->node[w->rank] == j->node[rank] && is_alone(j, g, w->rank)) {
            end_wait(j, at, NULL);
        } else {
            at = &w->next;
        }
    }
}

void pm_attributes_free(struct pm_generation *g)
{
    for (struct pm_wait *w = g->waits, *next; w; w = next) {
        next = w->next;
        free(w);
    }
    pm_kvs_free(&g->attributes);
}
