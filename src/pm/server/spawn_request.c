/* spawn_request.c — the texts of a request for another job, while they come: see spawn.c. */
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

struct pm_spawn_call *pm_spawn_begin(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    if (!c->spawn)
        c->spawn = calloc(1, sizeof *c->spawn);
    if (c->spawn)
        c->spawn->phase = PM_SPAWN_READS;
    return c->spawn;
}

void pm_spawn_free_call(struct pm_spawn_call *s)
{
    free(s->bytes);
    free(s->answer);
    free(s);
}

void pm_spawn_drop(struct pm_client *c)
{
    if (c->spawn)
        pm_spawn_free_call(c->spawn);
    c->spawn = NULL;
}

void pm_spawn_add(struct pm_spawn_call *s, const char *name, const char *value, size_t value_len)
{
    size_t name_len = strlen(name), len = name_len + (name_len > 0) + value_len + 1;

    if (s->why)
        return;
    if (s->len + len > PM_SPAWN_MAX) {
        s->why = "the request is too long";
        return;
    }
    if (s->len + len > s->room) {
        size_t room = 2 * (s->len + len);
        char *more = realloc(s->bytes, room);
        if (!more) {
            s->why = "out of memory";
            return;
        }
        s->bytes = more;
        s->room = room;
    }
    char *to = s->bytes + s->len;
    memcpy(to, name, name_len);
    to += name_len;
    if (name_len)
        *to++ = '=';
    memcpy(to, value, value_len);
    to[value_len] = '\0';
    s->len += len;
}
