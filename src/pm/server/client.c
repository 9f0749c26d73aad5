/* client.c — what ranks have sent: their requests run one after the other, and one that the root
 * has to be asked about runs again when the answer is there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

static void protocol_error(struct pm_server_job *j, int rank, const char *why)
{
    j->client[rank].ignored = true;
    pm_raise_event(j, PM_NOTE_BROKEN, rank, 0, why);
}

/* Handles bytes that are no message: a whole one with a NUL in it is skipped, the others end the
 * job. */
static void client_reject_bytes(struct pm_server_job *j, int rank, int err)
{
    const struct pm_client *c = &j->client[rank];
    char why[80], start[PM_FRAMING_LENGTH + 1] = "";

    if (err == -EBADMSG) {
        pm_warn(j, rank, "sent a PMI message with a NUL byte");
        c->dialect->malformed(j, rank, "malformed_line");
        return;
    }
    if (err == -EMSGSIZE) {
        c->dialect->malformed(j, rank, "line_too_long");
        protocol_error(j, rank, "sent a PMI message longer than 65536 bytes");
        return;
    }
    memcpy(start, c->in.bytes + c->in.taken, PM_FRAMING_LENGTH);
    pm_make_printable(start);
    (void) snprintf(why, sizeof why, "sent '%s' where the length of a PMI-2 message belongs",
                    start);
    c->dialect->malformed(j, rank, "no_length");
    protocol_error(j, rank, why);
}

static const char no_memory[] = "sent more PMI data than there is memory for";

/* Keeps a copy of a request that the root has been asked about. */
static void client_execute(struct pm_server_job *j, int rank, const char *message)
{
    struct pm_client *c = &j->client[rank];

    c->dialect->run(j, rank, message);
    if (c->asking && !(c->held = strdup(message)))
        protocol_error(j, rank, no_memory);
}

/* Messages behind a request that waits, wait as well. */
static void execute_all(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];
    char *message;
    int got;

    while (!c->ignored && !c->asking && (got = c->dialect->next(&c->in, &message)) != 0) {
        if (got > 0)
            client_execute(j, rank, message);
        else
            client_reject_bytes(j, rank, got);
    }
}

void pm_server_input(struct pm_server_job *j, int rank, const char *bytes, size_t len)
{
    struct pm_client *c = &j->client[rank];

    if (c->ignored || c->gone || c->closed || !len)
        return;
    if (pm_framing_add(&c->in, bytes, len))
        protocol_error(j, rank, no_memory);
    else
        execute_all(j, rank);
}

void pm_client_ask(struct pm_server_job *j, int rank, const struct pm_note *note)
{
    struct pm_client *c = &j->client[rank];

    c->asking = true;
    if (note)
        j->events.up(j->events.owner, note);
}

void pm_client_resume(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];
    char *message = c->held;

    c->held = NULL;
    c->asking = false;
    if (message && !c->ignored)
        client_execute(j, rank, message);
    free(message);
    execute_all(j, rank);
}

/* Drops the request that a rank waits for; the messages behind it still count, such as an abort. */
void pm_client_drop_held(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    while (c->asking) {
        free(c->held);
        c->held = NULL;
        c->asking = false;
        pm_spawn_drop(c);
        execute_all(j, rank);
    }
}

enum pm_client_state pm_client_assumed(bool joined)
{
    return joined ? PM_CLIENT_FINALIZED : PM_CLIENT_NOT_JOINED;
}

/* Those that do not fit the value of a key are left out. */
void pm_add_dead(struct pm_server_job *j, int rank)
{
    size_t len = strlen(j->dead);
    int n = snprintf(j->dead + len, sizeof j->dead - len, "%s%d", len ? "," : "", rank);

    if ((size_t) n >= sizeof j->dead - len)
        j->dead[len] = '\0';
}

enum pm_client_state pm_server_client_state(const struct pm_server_job *j, int rank)
{
    const struct pm_client *c = &j->client[rank];

    return j->hubs && !c->gone ? pm_client_assumed(j->hub[j->node[rank]].joined) : c->state;
}
