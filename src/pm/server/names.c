/* names.c — MPI_Publish_name and MPI_Lookup_name: the services and their ports of all jobs, at the
 * root. A name is gone when no process of the job that has published it runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

struct pm_published {
    struct pm_published *next;
    const struct pm_server_job *job; /* that has published it */
    char *port;                      /* behind the service */
    char service[];
};

/* Where the list has the service, or its end. */
static struct pm_published **find_name(struct pm_server *s, const char *service)
{
    struct pm_published **at = &s->names;

    while (*at && strcmp((*at)->service, service) != 0)
        at = &(*at)->next;
    return at;
}

static bool add_name(struct pm_server_job *j, const char *const text[2])
{
    size_t first = strlen(text[0]) + 1, second = strlen(text[1]) + 1;
    struct pm_published *n = malloc(sizeof *n + first + second);

    if (!n)
        return false;
    *n = (struct pm_published) { j->server->names, j, n->service + first };
    memcpy(n->service, text[0], first);
    memcpy(n->port, text[1], second);
    j->server->names = n;
    return true;
}

static void remove_name(struct pm_published **at)
{
    struct pm_published *n = *at;

    *at = n->next;
    free(n);
}

/* Jobs of one name are the connections of one job. */
static bool is_own(const struct pm_server_job *j, const struct pm_published *n)
{
    return !strcmp(j->base, n->job->base);
}

static struct pm_named name_execute(struct pm_server_job *j, enum pm_name_op op,
                                    const char *const text[2])
{
    struct pm_published **at = find_name(j->server, text[0]);

    switch (op) {
    case PM_PUBLISH:
        if (*at)
            return (struct pm_named) { false, "already_published" };
        if (!add_name(j, text))
            return (struct pm_named) { false, "out_of_memory" };
        return (struct pm_named) { true, "" };
    case PM_LOOKUP:
        return *at ? (struct pm_named) { true, (*at)->port }
                   : (struct pm_named) { false, "service_not_found" };
    case PM_UNPUBLISH:
        break;
    }
    if (!*at)
        return (struct pm_named) { false, "service_not_found" };
    if (!is_own(j, *at))
        return (struct pm_named) { false, "published_by_another_job" };
    remove_name(at);
    return (struct pm_named) { true, "" };
}

void pm_server_ended(struct pm_server_job *j)
{
    for (struct pm_published **at = &j->server->names; *at;)
        if ((*at)->job == j)
            remove_name(at);
        else
            at = &(*at)->next;
}

static void name_ask_root(struct pm_server_job *j, int rank, enum pm_name_op op,
                          const char *const text[2])
{
    char bytes[PM_NAME_MAX + 1 + PM_VALUE_MAX + 1];
    size_t first = strlen(text[0]) + 1, second = strlen(text[1]) + 1;

    memcpy(bytes, text[0], first);
    memcpy(bytes + first, text[1], second);
    j->client[rank].asked[0] = '\0';
    pm_client_ask(j, rank,
                  &(struct pm_note) { .kind = PM_NOTE_NAME,
                                      .rank = rank,
                                      .value = (int) op,
                                      .bytes = bytes,
                                      .len = first + second });
}

bool pm_name(struct pm_server_job *j, int rank, enum pm_name_op op, const char *const text[2],
             struct pm_named *n)
{
    struct pm_client *c = &j->client[rank];

    if (!j->events.up) {
        *n = name_execute(j, op, text);
        return true;
    }
    if (!c->named) {
        name_ask_root(j, rank, op, text);
        return false;
    }
    c->named = false;
    *n = (struct pm_named) { c->name_done, c->name_text };
    return true;
}

int pm_name_answer(struct pm_server_job *j, int node, const struct pm_note *note)
{
    struct pm_note rest = *note;
    const char *service = pm_note_text(&rest), *port = service ? pm_note_text(&rest) : NULL;

    if (!port || rest.len || note->value < PM_PUBLISH || note->value > PM_UNPUBLISH)
        return -EBADMSG;
    const struct pm_named n =
        name_execute(j, (enum pm_name_op) note->value, (const char *const[]) { service, port });
    j->events.down(j->events.owner, node,
                   &(struct pm_note) { .kind = PM_NOTE_NAMED,
                                       .rank = note->rank,
                                       .value = n.done,
                                       .bytes = n.text,
                                       .len = strlen(n.text) + 1 });
    return 0;
}

int pm_name_learn(struct pm_server_job *j, const struct pm_note *note)
{
    struct pm_note rest = *note;
    const char *text = pm_note_text(&rest);

    if (!text || rest.len || !pm_note_is_of(j, j->here, note->rank))
        return -EBADMSG;
    struct pm_client *c = &j->client[note->rank];
    if (!c->asking || c->asked[0] || c->spawn) /* it has gone */
        return c->gone || c->closed ? 0 : -EBADMSG;
    char *copy = strdup(text);
    if (!copy)
        return -ENOMEM;
    free(c->name_text);
    c->name_text = copy;
    c->named = true;
    c->name_done = note->value != 0;
    pm_client_resume(j, note->rank);
    return 0;
}
