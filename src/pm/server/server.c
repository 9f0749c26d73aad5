/* server.c — the functions of pm_server.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm_server_impl.h"

/* Makes a percent-encoded copy, which fits one line: 0, -ENOMEM, -EMSGSIZE. */
static int encode(const char *text, char **encoded)
{
    size_t room = strlen(text) * 3 + 1;

    *encoded = malloc(room);
    if (!*encoded)
        return -ENOMEM;
    return pmi_percent_encode(text, *encoded, room) > PM_SETTINGS_MAX ? -EMSGSIZE : 0;
}

static int copy_programs(struct pm_server *s, const struct pm_server_config *config)
{
    int n = 0, err = 0;

    for (int i = 0; i < s->size; i++)
        if (config->appnum[i] >= n)
            n = config->appnum[i] + 1;
    s->program = calloc((size_t) n + 1, sizeof *s->program);
    if (!s->program)
        return -ENOMEM;
    for (; s->programs < n && !err; s->programs++)
        err = encode(config->programs[s->programs], &s->program[s->programs]);
    return err;
}

static int copy_config(struct pm_server *s, const struct pm_server_config *config)
{
    s->size = config->size;
    s->universe = config->universe;
    (void) snprintf(s->base, sizeof s->base, "%.200s", config->name);
    s->client = calloc((size_t) s->size, sizeof *s->client);
    s->appnum = malloc((size_t) s->size * sizeof *s->appnum);
    s->mapping = malloc(64);
    if (!s->client || !s->appnum || !s->mapping)
        return -ENOMEM;
    memcpy(s->appnum, config->appnum, (size_t) s->size * sizeof *s->appnum);
    (void) snprintf(s->mapping, 64, "(vector,(0,1,%d))", s->size);
    int err = encode(config->settings ? config->settings : "", &s->settings);
    return err || !config->programs ? err : copy_programs(s, config);
}

struct pm_server *pm_server_create(const struct pm_server_config *config,
                                   const struct pm_events *events)
{
    struct pm_server *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->events = *events;
    int err = copy_config(s, config);
    if (err) {
        pm_server_destroy(s);
        errno = -err;
        return NULL;
    }
    return s;
}

void pm_server_destroy(struct pm_server *s)
{
    for (struct pm_generation *g = s->generations, *next; g; g = next) {
        next = g->next;
        pm_generation_free(g);
    }
    for (int i = 0; s->client && i < s->size; i++)
        pm_framing_free(&s->client[i].in);
    pm_kvs_free(&s->names);
    free(s->client);
    free(s->appnum);
    free(s->settings);
    for (int i = 0; i < s->programs; i++)
        free(s->program[i]);
    free(s->program);
    free(s->mapping);
    free(s);
}

static void protocol_error(struct pm_server *s, int rank, const char *why)
{
    s->client[rank].ignored = true;
    s->events.broken(s->events.owner, rank, why);
}

void pm_server_input(struct pm_server *s, int rank, const char *bytes, size_t len)
{
    struct pm_client *c = &s->client[rank];
    char *line;
    int got = 0;

    if (c->ignored || c->gone || !len)
        return;
    if (pm_framing_add(&c->in, bytes, len)) {
        protocol_error(s, rank, "sent more PMI data than there is memory for");
        return;
    }
    while (!c->ignored && (got = pm_framing_line(&c->in, &line)) != 0 && got != -EMSGSIZE) {
        if (got > 0) {
            pm_command(s, rank, line);
            continue;
        }
        pm_warn(s, rank, "sent a PMI line with a NUL byte");
        pm_reply(s, rank, "cmd=malformed_result rc=1 msg=malformed_line");
    }
    if (got == -EMSGSIZE) {
        pm_reply(s, rank, "cmd=malformed_result rc=1 msg=line_too_long");
        protocol_error(s, rank, "sent a PMI line longer than 65536 bytes");
    }
}

void pm_server_gone(struct pm_server *s, int rank)
{
    struct pm_client *c = &s->client[rank];

    if (c->gone)
        return;
    c->gone = true;
    s->gone++;
    pm_framing_free(&c->in);
    pm_generation_disconnect(s, rank);
}

enum pm_client_state pm_server_client_state(const struct pm_server *s, int rank)
{
    return s->client[rank].state;
}
