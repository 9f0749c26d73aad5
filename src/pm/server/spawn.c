/* spawn.c — requests of ranks for other jobs: mcmd=spawn of PMI-1, and spawn of PMI-2.
 *
 * A request is kept as texts "name=value" with the names of PMI-1, and goes to the root so. The
 * owner of the root starts the job, which takes a while, and the rank waits for the answer as for
 * that of the root to another request. With PMI_SPAWN_LATER it goes on, and the answer is a line of
 * its own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_spawn.h"
#include "pm/server/pm_pmi2.h"

enum { ZEROS_MAX = 900, WHY_MAX = 300 }; /* bytes in a line */

/* ---- the answer ------------------------------------------------------------------------------ */

/* An answer has three texts: the name of the job, or "" when it does not run; the error codes, as
 * "0,2", or ""; and why, or "". */
static char *answer_make(const struct pm_spawn_result *r, size_t *len)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, len);

    if (!f)
        return NULL;
    fputs(r->why || !r->jobid ? "" : r->jobid, f);
    fputc('\0', f);
    for (size_t i = 0; r->error && i < r->errors; i++)
        fprintf(f, "%s%d", i ? "," : "", r->error[i]);
    fputc('\0', f);
    fputs(r->why ? r->why : "", f);
    fputc('\0', f);
    if (!fclose(f))
        return text;
    free(text);
    return NULL;
}

struct answer {
    const char *jobid, *codes, *why;
};

static int answer_read(const char *bytes, size_t len, struct answer *a)
{
    struct pm_note rest = { .bytes = bytes, .len = len };

    a->jobid = pm_note_text(&rest);
    a->codes = a->jobid ? pm_note_text(&rest) : NULL;
    a->why = a->codes ? pm_note_text(&rest) : NULL;
    if (!a->why || rest.len || a->codes[strspn(a->codes, "0123456789,")]
        || strlen(a->jobid) > PM_NAME_MAX || strpbrk(a->jobid, " \n;"))
        return -EBADMSG;
    return 0;
}

/* A line of PMI-1. Codes that are all 0 are left out where the line would be longer than what old
 * clients read. */
static void reply_line(struct pm_server_job *j, int rank, const char *start, const struct answer *a)
{
    char text[WHY_MAX + 1], why[3 * WHY_MAX + 1];
    bool fails = *a->why, zeros = !a->codes[strspn(a->codes, "0,")];
    size_t most = zeros ? ZEROS_MAX : PM_SETTINGS_MAX;
    const char *codes = strlen(a->codes) > most ? "" : a->codes;

    if (!fails) {
        pm_reply(j, rank, "%s rc=0 jobid=%s%s%s", start, a->jobid, *codes ? " errcodes=" : "",
                 codes);
        return;
    }
    (void) snprintf(text, sizeof text, "%s", a->why);
    (void) pmi_percent_encode(text, why, sizeof why);
    pm_reply(j, rank, "%s rc=-1 msg=%s%s%s", start, why, *codes ? " errcodes=" : "", codes);
}

static void reply_body(const struct pm_request *r, const struct answer *a)
{
    char errors[12];
    int n = 0;

    for (const char *c = a->codes; *c; c += strcspn(c, ","), c += *c == ',')
        n += *c != '0';
    (void) snprintf(errors, sizeof errors, "%d", n);
    const char *codes = *a->codes ? "errcodes" : NULL;
    if (*a->why) /* Slurm's client takes an answer without a jobid for the failure that it is */
        pm_answer(r, a->why, "nerrs", errors, codes, a->codes, NULL);
    else
        pm_answer(r, NULL, "jobid", a->jobid, "nerrs", errors, codes, a->codes, NULL);
}

/* Whether the program that has asked still runs. */
static bool still_runs(const struct pm_client *c, int request)
{
    return !c->gone && !c->closed && !c->ignored && c->state == PM_CLIENT_JOINED
           && request > c->spawns_before && request <= c->spawns;
}

/* The line of PMI_SPAWN_DONE. */
static void tell_later(struct pm_server_job *j, int rank, int request, const struct answer *a)
{
    const struct pm_client *c = &j->client[rank];
    char start[64];

    if (!still_runs(c, request))
        return;
    (void) snprintf(start, sizeof start, "cmd=" PMI_SPAWN_DONE " spawn=%d",
                    request - c->spawns_before);
    reply_line(j, rank, start, a);
}

/* The answer to a request of a rank that is connected here. */
static int spawn_learn(struct pm_server_job *j, int rank, int request, const char *bytes,
                       size_t len)
{
    struct pm_client *c = &j->client[rank];
    struct pm_spawn_call *s = c->spawn;
    struct answer a;

    if (answer_read(bytes, len, &a))
        return -EBADMSG;
    if (c->gone || c->closed || c->ignored)
        return 0;
    if (!s || s->phase != PM_SPAWN_WAITS || s->request != request) {
        tell_later(j, rank, request, &a);
        return 0;
    }
    if (!(s->answer = malloc(len)))
        return -ENOMEM;
    memcpy(s->answer, bytes, len);
    s->answer_len = len;
    s->phase = PM_SPAWN_ANSWERED;
    if (c->asking)
        pm_client_resume(j, rank);
    return 0;
}

int pm_spawn_learn(struct pm_server_job *j, const struct pm_note *note)
{
    if (!pm_note_is_of(j, j->here, note->rank))
        return -EBADMSG;
    return spawn_learn(j, note->rank, note->value, note->bytes, note->len);
}

void pm_server_spawned(struct pm_server_job *j, int rank, int request,
                       const struct pm_spawn_result *r)
{
    size_t len;
    char *bytes = answer_make(r, &len);

    if (bytes && j->hubs)
        j->events.down(j->events.owner, j->node[rank],
                       &(struct pm_note) { .kind = PM_NOTE_SPAWNED,
                                           .rank = rank,
                                           .value = request,
                                           .bytes = bytes,
                                           .len = len });
    if (!bytes || (!j->hubs && spawn_learn(j, rank, request, bytes, len)))
        pm_raise_event(j, PM_NOTE_BROKEN, rank, 0,
                       "spawned a job, and there is no memory to tell it");
    free(bytes);
}

/* ---- the time of probation: pmi_spawn.h ------------------------------------------------------ */

static void tell_lost(struct pm_server_job *j, int rank, int request, const char *why)
{
    const struct pm_client *c = &j->client[rank];
    char text[WHY_MAX + 1], encoded[3 * WHY_MAX + 1];

    if (!still_runs(c, request))
        return;
    (void) snprintf(text, sizeof text, "%s", why);
    (void) pmi_percent_encode(text, encoded, sizeof encoded);
    pm_reply(j, rank, "cmd=" PMI_SPAWN_LOST " spawn=%d msg=%s", request - c->spawns_before,
             encoded);
}

int pm_spawn_lose(struct pm_server_job *j, const struct pm_note *note)
{
    struct pm_note rest = *note;
    const char *why = pm_note_text(&rest);

    if (!why || rest.len || !pm_note_is_of(j, j->here, note->rank))
        return -EBADMSG;
    tell_lost(j, note->rank, note->value, why);
    return 0;
}

void pm_server_spawn_lost(struct pm_server_job *j, int rank, int request, const char *why)
{
    if (!j->hubs)
        tell_lost(j, rank, request, why);
    else
        j->events.down(j->events.owner, j->node[rank],
                       &(struct pm_note) { .kind = PM_NOTE_LOST,
                                           .rank = rank,
                                           .value = request,
                                           .bytes = why,
                                           .len = strlen(why) + 1 });
}

static void root_verdict(struct pm_server_job *j, int rank, int request, bool kill)
{
    if (j->events.verdict)
        j->events.verdict(j->events.owner, rank, request, kill);
}

int pm_spawn_hear(struct pm_server_job *j, int node, const struct pm_note *note)
{
    (void) node;
    root_verdict(j, note->rank, note->value, note->generation == 1);
    return 0;
}

void pm_spawn_verdict(struct pm_server_job *j, int rank, const char *line, bool kill)
{
    const struct pm_client *c = &j->client[rank];
    int number;

    if (pmi_line_int(line, "spawn", &number) || number < 1
        || number > c->spawns - c->spawns_before) {
        pm_warn(j, rank, "speaks of a spawn that there is not: '%.60s'", line);
        return;
    }
    int request = number + c->spawns_before;
    if (!j->events.up)
        root_verdict(j, rank, request, kill);
    else
        j->events.up(j->events.owner, &(struct pm_note) { .kind = PM_NOTE_VERDICT,
                                                          .generation = kill,
                                                          .rank = rank,
                                                          .value = request });
}

/* ---- from the request to the answer ---------------------------------------------------------- */

static void refuse_spawn(struct pm_server_job *j, int rank, int request, const char *why)
{
    pm_server_spawned(j, rank, request, &(struct pm_spawn_result) { .why = why });
}

/* Here the request becomes a job. */
static void root_spawn(struct pm_server_job *j, int rank, int request, const char *bytes,
                       size_t len)
{
    struct pm_spawn s;
    char text[PM_SPAWN_WHY];
    const char *why = pm_spawn_parse(bytes, len, &s, text);

    for (size_t i = 0; !why && i < s.preputs; i++)
        if (pm_store_is_reserved(j, rank, s.preput[i].key))
            why = "a value for the job has a reserved key";
    if (!why && !j->events.spawn)
        why = "spawn is not supported";
    if (why) {
        pm_warn(j, rank, "sent a PMI spawn that failed: %s", why);
        refuse_spawn(j, rank, request, why);
    } else {
        j->events.spawn(j->events.owner, rank, request, &s);
    }
    pm_spawn_free(&s);
}

int pm_spawn_ask(struct pm_server_job *j, int node, const struct pm_note *note)
{
    (void) node;
    if (!note->len || note->len > PMI_SPAWN_BYTES || note->bytes[note->len - 1])
        return -EBADMSG;
    root_spawn(j, note->rank, note->value, note->bytes, note->len);
    return 0;
}

/* Sends the request on. */
static void spawn_submit(struct pm_server_job *j, int rank, const struct pm_spawn_call *s)
{
    if (!j->events.up)
        root_spawn(j, rank, s->request, s->bytes, s->len);
    else
        j->events.up(j->events.owner, &(struct pm_note) { .kind = PM_NOTE_SPAWN,
                                                          .rank = rank,
                                                          .value = s->request,
                                                          .bytes = s->bytes,
                                                          .len = s->len });
}

/* A request that is whole is submitted. False: the answer has not come, and the rank waits. */
static bool spawn_run(struct pm_server_job *j, int rank, struct answer *a)
{
    struct pm_client *c = &j->client[rank];
    struct pm_spawn_call *s = c->spawn;

    if (s->phase == PM_SPAWN_READS && c->state != PM_CLIENT_JOINED)
        s->why = "the program is not between init and finalize";
    if (s->phase == PM_SPAWN_READS && s->why) {
        *a = (struct answer) { "", "", s->why };
        return true;
    }
    if (s->phase == PM_SPAWN_READS) {
        s->phase = PM_SPAWN_WAITS;
        s->request = ++c->spawns;
        c->asked[0] = '\0';
        spawn_submit(j, rank, s);
    }
    if (s->phase == PM_SPAWN_ANSWERED && !answer_read(s->answer, s->answer_len, a))
        return true;
    pm_client_ask(j, rank, NULL);
    return false;
}

static void spawn_go_on(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];
    struct pm_spawn_call *s = c->spawn;

    c->spawn = NULL; /* the answer may come at once */
    s->request = ++c->spawns;
    pm_reply(j, rank, "cmd=spawn_result rc=0 spawn=%d", s->request - c->spawns_before);
    if (s->why)
        refuse_spawn(j, rank, s->request, s->why);
    else
        spawn_submit(j, rank, s);
    pm_spawn_free_call(s);
}

/* A line within a block. The command has one block for each program; it is whole with the last. */
static void spawn_read_line(struct pm_spawn_call *s, const char *line)
{
    int n;

    if (!strcmp(line, PMI_SPAWN_LATER "=1"))
        s->later = true;
    if (s->encoded && strcmp(line, "endcmd") != 0)
        pm_spawn_add_encoded(s, line);
    else
        pm_spawn_add(s, "", line, strlen(line));
    if (!strcmp(line, PMI_SPAWN_ENCODED "=1"))
        s->encoded = true;
    if (!strncmp(line, "totspawns=", 10) && !pmi_parse_int(line + 10, strlen(line + 10), &n))
        s->blocks_total = n;
    if (!strncmp(line, "spawnssofar=", 12) && !pmi_parse_int(line + 12, strlen(line + 12), &n))
        s->blocks = n;
}

bool pm_spawn_line(struct pm_server_job *j, int rank, const char *line)
{
    struct pm_client *c = &j->client[rank];
    struct pm_spawn_call *s = c->spawn;
    struct answer a = { "", "", "out of memory" };

    if (!s || s->phase == PM_SPAWN_BETWEEN) {
        if (strcmp(line, "mcmd=spawn") != 0) {
            pm_spawn_drop(c); /* its last block has not come */
            return false;
        }
        if (!pm_spawn_begin(j, rank))
            reply_line(j, rank, "cmd=spawn_result", &a);
        return true;
    }
    if (s->phase == PM_SPAWN_READS) {
        spawn_read_line(s, line);
        if (strcmp(line, "endcmd") != 0)
            return true;
        if (s->blocks < s->blocks_total && ++s->ends < s->blocks_total) {
            s->phase = PM_SPAWN_BETWEEN;
            return true;
        }
        if (s->later && c->state == PM_CLIENT_JOINED) {
            spawn_go_on(j, rank);
            return true;
        }
    }
    if (spawn_run(j, rank, &a)) {
        reply_line(j, rank, "cmd=spawn_result", &a);
        pm_spawn_drop(c);
    }
    return true;
}

void pm_spawn_body(const struct pm_request *r)
{
    struct pm_client *c = &r->job->client[r->rank];
    struct answer a;

    if (!spawn_run(r->job, r->rank, &a))
        return;
    reply_body(r, &a);
    pm_spawn_drop(c);
}
