/* command.c — the commands of PMI-1. Each request gets exactly one reply; abort gets none, and the
 * reply to barrier_in waits for the other ranks. */
#include <stdio.h>
#include <string.h>
#include "pm_server_impl.h"

/* The reply also has what this library's client would ask for next, unless that makes a line too
 * long for clients that read a KiB. */
static void welcome(struct pm_server_job *j, int rank)
{
    const char *settings = strlen(j->settings) < PMI_SETTINGS_SHORT ? j->settings : NULL;

    pm_reply(j, rank,
             "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 msg=success kvsname=%s%s%s",
             j->client[rank].generation->name, settings ? " STARLING_settings=" : "",
             settings ? settings : "");
}

static void init(struct pm_server_job *j, int rank, const char *line)
{
    const char *why = NULL;
    int version = 0;

    (void) pmi_line_int(line, "pmi_version", &version);
    if (version != 1)
        why = "this_mpiexec_speaks_version_1_only";
    else if (j->client[rank].state == PM_CLIENT_JOINED)
        why = "the_program_before_it_has_not_finalized";
    else if (!pm_generation_join(j, rank))
        why = "out_of_memory";
    if (!why) {
        welcome(j, rank);
        return;
    }
    pm_warn(j, rank, "could not join by PMI version %d: %s", version, why);
    pm_reply(j, rank, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=1 msg=%s", why);
}

static void get_maxes(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_reply(j, rank, "cmd=maxes kvsname_max=%d keylen_max=%d vallen_max=%d rc=0", PM_NAME_MAX + 1,
             PMI_KEY_MAX + 1, PM_VALUE_MAX + 1);
}

static void get_universe_size(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_reply(j, rank, "cmd=universe_size size=%d rc=0", j->server->universe);
}

static void get_appnum(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_reply(j, rank, "cmd=appnum appnum=%d rc=0", j->appnum[rank]);
}

static void get_my_kvsname(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_reply(j, rank, "cmd=my_kvsname kvsname=%s rc=0", j->client[rank].generation->name);
}

/* The value of a key that the server itself provides; NULL for a key that the ranks may put. */
static const char *reserved(const struct pm_server_job *j, int rank, const char *key)
{
    if (!strcmp(key, "PMI_process_mapping"))
        return *j->mapping ? j->mapping : NULL;
    if (!strcmp(key, "STARLING_settings"))
        return j->settings;
    if (!strcmp(key, "STARLING_program"))
        return j->program ? j->program[j->appnum[rank]] : "";
    if (!strcmp(key, "PMI_dead_processes"))
        return ""; /* the job ends when a rank dies */
    return NULL;
}

/* Copies the key of a put or get. NULL when the request names the store of this rank's generation
 * and a valid key; otherwise the error text of the reply. */
static const char *check_store(struct pm_server_job *j, int rank, const char *line,
                               char key[PMI_KEY_MAX + 1])
{
    char name[PM_NAME_MAX + 1];

    if (pmi_line_copy(line, "kvsname", name, sizeof name))
        return "no_kvsname";
    if (strcmp(name, j->client[rank].generation->name))
        return "no_such_kvs";
    if (pmi_line_copy(line, "key", key, PMI_KEY_MAX + 1))
        return "no_key_or_key_too_long";
    return *key ? NULL : "empty_key";
}

static void put(struct pm_server_job *j, int rank, const char *line)
{
    char key[PMI_KEY_MAX + 1], value[PM_VALUE_MAX + 1];
    const char *why = check_store(j, rank, line, key);

    if (!why && (reserved(j, rank, key) || pm_is_memory(key)))
        why = "reserved_key";
    if (!why && pmi_line_copy(line, "value", value, sizeof value))
        why = "no_value_or_value_too_long";
    if (!why && pm_kvs_put(&j->client[rank].generation->kvs, key, value))
        why = "out_of_memory";
    if (!why) {
        pm_reply(j, rank, "cmd=put_result rc=0 msg=success");
        return;
    }
    pm_warn(j, rank, "sent a PMI put that failed: %s", why);
    pm_reply(j, rank, "cmd=put_result rc=1 msg=%s", why);
}

static void get(struct pm_server_job *j, int rank, const char *line)
{
    char key[PMI_KEY_MAX + 1];
    const char *why = check_store(j, rank, line, key), *value;

    if (why) {
        pm_warn(j, rank, "sent a PMI get that failed: %s", why);
        pm_reply(j, rank, "cmd=get_result rc=1 msg=%s value=unknown", why);
    } else if (pm_is_memory(key)) {
        pm_memory_give(j, rank, key);
    } else if ((value = reserved(j, rank, key))
               || (value = pm_kvs_get(&j->client[rank].generation->kvs, key))) {
        pm_reply(j, rank, "cmd=get_result rc=0 msg=success value=%s", value);
    } else {
        pm_reply(j, rank, "cmd=get_result rc=1 msg=key_not_found value=unknown");
    }
}

static void barrier_in(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_generation_barrier(j, rank);
}

/* Replies first: when other ranks wait in a barrier, the next line ends the job. */
static void finalize(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_reply(j, rank, "cmd=finalize_ack rc=0");
    pm_generation_finalize(j, rank);
}

static void do_abort(struct pm_server_job *j, int rank, const char *line)
{
    char why[PM_VALUE_MAX + 1] = "";
    size_t len;
    int code = 1;
    const char *msg = pmi_line_field(line, "msg", &len);

    (void) pmi_line_int(line, "exitcode", &code);
    if (msg && pmi_percent_decode(msg, len, why, sizeof why) < 0)
        why[0] = '\0';
    for (char *c = why; *c; c++)
        if (*c > 0 && *c < ' ')
            *c = ' ';
    j->client[rank].ignored = true;
    j->events.abort(j->events.owner, rank, code, why);
}

static const struct {
    const char *name;
    bool joined; /* only between init and finalize */
    void (*run)(struct pm_server_job *j, int rank, const char *line);
} commands[] = {
    { "init", false, init },
    { "get_maxes", false, get_maxes },
    { "get_universe_size", false, get_universe_size },
    { "get_appnum", false, get_appnum },
    { "get_my_kvsname", true, get_my_kvsname },
    { "put", true, put },
    { "get", true, get },
    { "barrier_in", true, barrier_in },
    { "publish_name", true, pm_publish },
    { "lookup_name", true, pm_lookup },
    { "unpublish_name", true, pm_unpublish },
    { "abort", false, do_abort },
    { "finalize", true, finalize },
};

/* Reads one line of mcmd=spawn. The command has one block of lines for each program; the reply
 * follows the last block. */
static void spawn_line(struct pm_server_job *j, int rank, const char *line)
{
    struct pm_client *c = &j->client[rank];

    (void) pmi_line_int(line, "totspawns", &c->spawns_total);
    (void) pmi_line_int(line, "spawnssofar", &c->spawns);
    if (strcmp(line, "endcmd"))
        return;
    c->spawning = false;
    if (c->spawns >= c->spawns_total)
        pm_reply(j, rank, "cmd=spawn_result rc=1 msg=spawn_is_not_supported");
}

static void unknown_command(struct pm_server_job *j, int rank, const char *line)
{
    char name[64] = "";

    if (strncmp(line, "cmd=", 4) || pmi_line_copy(line, "cmd", name, sizeof name) || !*name
        || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")]) {
        pm_warn(j, rank, "sent a malformed PMI line: '%.60s'", line);
        pm_reply(j, rank, "cmd=malformed_result rc=1 msg=malformed_line");
        return;
    }
    pm_warn(j, rank, "sent the PMI command '%s', which this mpiexec does not know", name);
    pm_reply(j, rank, "cmd=%s_result rc=1 msg=unknown_command", name);
}

void pm_command(struct pm_server_job *j, int rank, const char *line)
{
    struct pm_client *c = &j->client[rank];

    if (c->spawning || !strcmp(line, "mcmd=spawn")) {
        if (!c->spawning)
            c->spawns = c->spawns_total = 0;
        c->spawning = true;
        spawn_line(j, rank, line);
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!pmi_line_is(line, commands[i].name))
            continue;
        if (commands[i].joined && c->state != PM_CLIENT_JOINED) {
            pm_warn(j, rank, "sent the PMI command '%s' outside init and finalize",
                    commands[i].name);
            pm_reply(j, rank, "cmd=%s_result rc=1 msg=not_initialized", commands[i].name);
        } else {
            commands[i].run(j, rank, line);
        }
        return;
    }
    unknown_command(j, rank, line);
}
