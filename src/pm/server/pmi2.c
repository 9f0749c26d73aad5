/* pmi2.c — the commands of PMI-2. Each request gets exactly one reply; abort gets none, and three
 * replies may come later: that to kvs-fence waits for the other ranks, that to info-getnodeattr
 * with wait=TRUE for the attribute, and that to spawn for the job.
 *
 * A client begins with the line of PMI-1 for init, and joins by it. After finalize its connection
 * is one of lines again, for the next program of a shell. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "pm/server/pm_pmi2.h"

/* The commands return the error text of the reply, or NULL when they have sent a reply or will, or
 * will run again. */

static const char *pmi2_fullinit(struct pm_request *r)
{
    char own[12], given[12], size[12], appnum[12];
    const char *spawner = r->job->spawner;
    int rank = r->rank;

    (void) snprintf(own, sizeof own, "%d", r->rank);
    (void) snprintf(size, sizeof size, "%d", r->job->size);
    (void) snprintf(appnum, sizeof appnum, "%d", r->job->said[r->rank]);
    const char *why = pm_read(r, "pmirank", given, sizeof given, own);
    if (!why && (pmi_parse_int(given, sizeof given, &rank) || rank != r->rank))
        why = "pmirank_is_not_the_rank_of_this_connection";
    if (!why)
        pm_answer(r, NULL, "pmi-version", "2", "pmi-subversion", "0", "rank", own, "size", size,
                  "appnum", appnum, "debugged", "FALSE", "pmiverbose", "FALSE",
                  *spawner ? "spawner-jobid" : NULL, spawner, NULL);
    return why;
}

static const char *job_getid(struct pm_request *r)
{
    pm_answer(r, NULL, "jobid", r->job->client[r->rank].generation->name, NULL);
    return NULL;
}

static const char *read_key(struct pm_request *r, char key[PMI_KEY_MAX + 1])
{
    const char *why = pm_read(r, "key", key, PMI_KEY_MAX + 1, NULL);

    return why || *key ? why : "key_is_empty";
}

static const char *read_pair(struct pm_request *r, char key[PMI_KEY_MAX + 1],
                             char value[PM_VALUE_MAX + 1])
{
    const char *why = read_key(r, key);

    return why ? why : pm_read(r, "value", value, PM_VALUE_MAX + 1, NULL);
}

static const char *kvs_put(struct pm_request *r)
{
    char key[PMI_KEY_MAX + 1], value[PM_VALUE_MAX + 1];
    const char *why = read_pair(r, key, value);

    if (!why)
        why = pm_store_put(r->job, r->rank, key, value);
    if (!why)
        pm_answer(r, NULL, NULL);
    return why;
}

static const char *kvs_get(struct pm_request *r)
{
    const char *own = r->job->client[r->rank].generation->name;
    char key[PMI_KEY_MAX + 1], jobid[PM_NAME_MAX + 1];
    const char *why = read_key(r, key), *value;

    if (!why)
        why = pm_read(r, "jobid", jobid, sizeof jobid, "");
    if (!why && *jobid && strcmp(jobid, own) != 0)
        why = "no_such_jobid";
    if (!why && pm_store_get(r->job, r->rank, key, &value))
        pm_attribute_answer(r, value);
    return why;
}

static const char *kvs_fence(struct pm_request *r)
{
    struct pm_client *c = &r->job->client[r->rank];

    if (c->waiting)
        return "already_in_a_fence";
    (void) snprintf(c->thrid, sizeof c->thrid, "%s", r->thrid);
    pm_generation_barrier(r->job, r->rank);
    return NULL;
}

static void end_fence(struct pm_server_job *j, int rank)
{
    pm_answer(
        &(struct pm_request) {
            .job = j, .rank = rank, .command = "kvs-fence", .thrid = j->client[rank].thrid },
        NULL, NULL);
}

static const char *info_putnodeattr(struct pm_request *r)
{
    char key[PMI_KEY_MAX + 1], value[PM_VALUE_MAX + 1];
    const char *why = read_pair(r, key, value);

    if (!why)
        why = pm_attribute_put(r, key, value);
    if (!why)
        pm_answer(r, NULL, NULL);
    return why;
}

static const char *info_getnodeattr(struct pm_request *r)
{
    char key[PMI_KEY_MAX + 1], text[PM_VALUE_MAX + 1], wait[sizeof "FALSE"];
    const char *why = read_key(r, key);

    if (!why)
        why = pm_read(r, "wait", wait, sizeof wait, "FALSE");
    if (!why && strcasecmp(wait, "TRUE") != 0 && strcasecmp(wait, "FALSE") != 0)
        why = "wait_is_neither_TRUE_nor_FALSE";
    if (why)
        return why;
    const char *value = pm_attribute_get(r, key, text);
    if (!value && !strcasecmp(wait, "TRUE"))
        return pm_attribute_wait(r, key);
    pm_attribute_answer(r, value);
    return NULL;
}

static bool is_one_node(const struct pm_server_job *j)
{
    for (int i = 1; i < j->size; i++)
        if (j->node[i] != j->node[0])
            return false;
    return true;
}

static const char *info_getjobattr(struct pm_request *r)
{
    const struct pm_server_job *j = r->job;
    char key[PMI_KEY_MAX + 1], universe[12];
    const char *why = read_key(r, key), *value;

    if (why)
        return why;
    (void) snprintf(universe, sizeof universe, "%d", j->server->universe);
    if (!strcmp(key, "universeSize"))
        value = j->server->universe < 0 ? NULL : universe;
    else if (!strcmp(key, "hasNameServ"))
        value = "TRUE";
    else if (!strcmp(key, "physTopology"))
        value = is_one_node(j) ? "complete" : "hierarchical";
    else if (!strcmp(key, "physTopologyLevels")) /* of nodes, and of ranks on each */
        value = is_one_node(j) ? NULL : "complete,complete";
    else
        value = pm_store_reserved(j, r->rank, key);
    pm_attribute_answer(r, value);
    return NULL;
}

static const char *read_service(struct pm_request *r, char service[PM_NAME_MAX + 1])
{
    const char *why = pm_read(r, "name", service, PM_NAME_MAX + 1, NULL);

    return why || *service ? why : "name_is_empty";
}

static const char *name_publish(struct pm_request *r)
{
    char service[PM_NAME_MAX + 1], port[PM_VALUE_MAX + 1];
    struct pm_named n;
    const char *why = read_service(r, service);

    if (!why)
        why = pm_read(r, "port", port, sizeof port, NULL);
    if (!why && pm_name(r->job, r->rank, PM_PUBLISH, (const char *const[]) { service, port }, &n))
        pm_answer(r, n.done ? NULL : n.text, NULL);
    return why;
}

/* Clients read the port from either field. */
static const char *name_lookup(struct pm_request *r)
{
    char service[PM_NAME_MAX + 1];
    const char *why = read_service(r, service);
    struct pm_named n;

    if (why || !pm_name(r->job, r->rank, PM_LOOKUP, (const char *const[]) { service, "" }, &n))
        return why;
    if (n.done)
        pm_answer(r, NULL, "found", "TRUE", "port", n.text, "value", n.text, NULL);
    else
        pm_answer(r, n.text, "found", "FALSE", NULL);
    return NULL;
}

static const char *name_unpublish(struct pm_request *r)
{
    char service[PM_NAME_MAX + 1];
    const char *why = read_service(r, service);
    struct pm_named n;

    if (!why && pm_name(r->job, r->rank, PM_UNPUBLISH, (const char *const[]) { service, "" }, &n))
        pm_answer(r, n.done ? NULL : n.text, NULL);
    return why;
}

static const char *job_connect(struct pm_request *r)
{
    pm_answer(r, "connecting_jobs_is_not_supported", NULL);
    return NULL;
}

static const char *pmi2_abort(struct pm_request *r)
{
    char why[PM_VALUE_MAX + 1], code[12];
    int exit_code;

    if (pm_read(r, "msg", why, sizeof why, ""))
        why[0] = '\0';
    if (pm_read(r, "exitcode", code, sizeof code, "1")
        || pmi_parse_int(code, sizeof code, &exit_code))
        exit_code = 1;
    pm_abort(r->job, r->rank, exit_code, why);
    return NULL;
}

/* Replies first: when other ranks wait in a fence, the last line ends the job. */
static const char *pmi2_finalize(struct pm_request *r)
{
    pm_answer(r, NULL, NULL);
    r->job->client[r->rank].dialect = r->job->client[r->rank].first_dialect;
    pm_generation_finalize(r->job, r->rank);
    return NULL;
}

static const struct {
    const char *name;
    const char *(*run)(struct pm_request *r);
} commands[] = {
    { "fullinit", pmi2_fullinit },
    { "job-getid", job_getid },
    { "job-connect", job_connect },
    { "job-disconnect", job_connect },
    { "kvs-put", kvs_put },
    { "kvs-get", kvs_get },
    { "kvs-fence", kvs_fence },
    { "info-putnodeattr", info_putnodeattr },
    { "info-getnodeattr", info_getnodeattr },
    { "info-getjobattr", info_getjobattr },
    { "name-publish", name_publish },
    { "name-lookup", name_lookup },
    { "name-unpublish", name_unpublish },
    { "spawn", pm_spawn_pmi2 },
    { "abort", pmi2_abort },
    { "finalize", pmi2_finalize },
};

static const char *pmi2_execute(struct pm_request *r)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(r->command, commands[i].name))
            return commands[i].run(r);
    return "unknown_command";
}

static void pmi2_run(struct pm_server_job *j, int rank, const char *body)
{
    char command[PM_WORD_MAX + 1], thrid[PM_WORD_MAX + 1] = "";
    struct pm_request r = { .job = j, .rank = rank, .command = command, .thrid = "", .body = body };

    if (!pm_body_command(body, command, sizeof command)) {
        pm_warn(j, rank, "sent a malformed PMI-2 message: '%.60s'", body);
        pm_pmi2.malformed(j, rank, "malformed_message");
        return;
    }
    const char *why = pm_read(&r, "thrid", thrid, sizeof thrid, "");
    if (!why) {
        r.thrid = thrid;
        why = pmi2_execute(&r);
    }
    if (!why)
        return;
    pm_warn(j, rank, "sent the PMI-2 command '%s', which failed: %s", command, why);
    pm_answer(&r, why, NULL);
}

static void pmi2_malformed(struct pm_server_job *j, int rank, const char *why)
{
    pm_answer(&(struct pm_request) { .job = j, .rank = rank, .command = "malformed", .thrid = "" },
              why, NULL);
}

const struct pm_dialect pm_pmi2 = { pm_framing_body, pmi2_run, pmi2_malformed, end_fence };
