/* prefetch.c — keys that the root answers unasked, so that a hub asks once where it would ask for
 * each.
 *
 * In collective operations of a job of N nodes the lowest rank of a node talks to those that are 1,
 * 2, 4, ... nodes before and behind it, and needs the business card of each: 2 log N requests of
 * each hub, all at the root. When a hub asks for the first one of another node's lowest rank, it
 * gets all. The server knows no business cards, but a number in the key, "card-32.1", that is such
 * a rank. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

static const char digits[] = "0123456789";

int pm_prefetch_init(struct pm_server_job *j)
{
    if (j->hubs && !(j->by_rank = malloc((size_t) j->nodes * sizeof *j->by_rank)))
        return -ENOMEM;
    for (int i = 0; i < j->size && j->hubs; i++) {
        struct pm_hub *hub = &j->hub[j->node[i]];
        if (hub->ranks++)
            continue;
        hub->place = j->places;
        hub->lowest = i;
        j->by_rank[j->places++] = hub;
    }
    return 0;
}

/* Whether the first number in the key is the lowest rank of a node: sets where it begins. */
static bool has_lowest_rank(const struct pm_server_job *j, const char *key, const char **number)
{
    int rank;

    *number = key + strcspn(key, digits);
    return !pmi_parse_int(*number, strspn(*number, digits), &rank) && rank >= 0 && rank < j->size
           && j->hub[j->node[rank]].lowest == rank;
}

/* Appends the key with another number, and its value: the bytes. 0: there is none, or no room. */
static size_t append_value(const struct pm_generation *g, const char *key, const char *number,
                           const struct pm_hub *hub, char *to, size_t room)
{
    char other[PMI_KEY_MAX + 16];
    int len = snprintf(other, sizeof other, "%.*s%d%s", (int) (number - key), key, hub->lowest,
                       number + strspn(number, digits));
    const char *value = len < (int) sizeof other ? pm_kvs_get(&g->kvs, other) : NULL;
    size_t key_size = (size_t) len + 1, value_size = value ? strlen(value) + 1 : 0;

    if (!value || key_size + value_size > room)
        return 0;
    memcpy(to, other, key_size);
    memcpy(to + key_size, value, value_size);
    return key_size + value_size;
}

size_t pm_prefetch(const struct pm_server_job *j, const struct pm_generation *g, int node,
                   const char *key, char *to, size_t room)
{
    const char *number;
    size_t used = 0;

    if (!has_lowest_rank(j, key, &number) || !j->hub[node].ranks)
        return 0;
    for (int far = 1; far < j->places; far *= 2) {
        int at = j->hub[node].place + far, place[] = { at, at - 2 * far + j->places };
        for (int i = 0; i < 2; i++)
            used += append_value(g, key, number, j->by_rank[place[i] % j->places], to + used,
                                 room - used);
    }
    return used;
}
