/* spawn_request.c — the texts of a request for another job, while they come: see spawn.c. */
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_spawn.h"
#include "pm/server/pm_server_impl.h"

struct pm_spawn_call *pm_spawn_begin(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    if (!c->spawn)
        c->spawn = calloc(1, sizeof *c->spawn);
    if (c->spawn) {
        c->spawn->phase = PM_SPAWN_READS;
        c->spawn->encoded = false;
    }
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
    if (s->len + len > PMI_SPAWN_BYTES) {
        s->why = "the request has more than 1048576 bytes";
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

void pm_spawn_add_encoded(struct pm_spawn_call *s, const char *line)
{
    size_t name = strcspn(line, "="), len = strlen(line);
    bool more = name == strlen(PMI_SPAWN_MORE) && !strncmp(line, PMI_SPAWN_MORE, name);
    char *text = line[name] ? malloc(len + 1) : NULL;

    if (s->why) {
        free(text);
        return;
    }
    if (!text) {
        s->why = line[name] ? "out of memory" : "a line of the request has no value";
        return;
    }
    memcpy(text, line, ++name);
    long value = pmi_percent_decode(line + name, len - name, text + name, len + 1 - name);
    if (value < 0)
        s->why = "a value of the request is not encoded";
    else if (more && !s->len)
        s->why = "the request goes on before it begins";
    else if (more)
        s->len--; /* the end of the value that goes on */
    if (value >= 0 && more)
        pm_spawn_add(s, "", text + name, (size_t) value);
    else if (value >= 0)
        pm_spawn_add(s, "", text, name + (size_t) value);
    free(text);
}
