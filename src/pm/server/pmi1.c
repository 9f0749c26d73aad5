/* pmi1.c — the commands of PMI-1. Each request gets exactly one reply; abort gets none, and the
 * reply to barrier_in waits for the other ranks. spawn.c has mcmd=spawn. */
#include <stdio.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"
#include "pm/pmi/pmi_calls.h"
#include "pm/pmi/pmi_spawn.h"

/* The reply also has what this library's client would ask for next, unless that makes a line too
 * long for clients that read a KiB; and it passes the memory of pmi_calls.h, which other clients do
 * not see: the kernel drops a descriptor that is not asked for. MPICH 5 refuses a line that has an
 * empty value: no settings are an empty line of settings. */
static void pmi1_welcome(struct pm_server_job *j, int rank)
{
    const char *settings = *j->settings ? j->settings : "%0A";
    bool fits = strlen(settings) < PMI_SETTINGS_SHORT;

    pm_reply_sharing(
        j, rank, PMI_CALLS,
        "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 msg=success kvsname=%s%s%s",
        j->client[rank].generation->name, fits ? " STARLING_settings=" : "", fits ? settings : "");
}

/* The same line begins PMI-1 and PMI-2; only the reply is still in lines then. */
static void pmi1_init(struct pm_server_job *j, int rank, const char *line)
{
    const char *why = NULL;
    int version = 0;

    (void) pmi_line_int(line, "pmi_version", &version);
    if (version != 1 && version != 2)
        why = "this_mpiexec_speaks_versions_1_and_2_only";
    else if (j->client[rank].state == PM_CLIENT_JOINED)
        why = "the_program_before_it_has_not_finalized";
    else if (!pm_generation_join(j, rank))
        why = "out_of_memory";
    if (why) {
        pm_warn(j, rank, "could not join by PMI version %d: %s", version, why);
        pm_reply(j, rank, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=1 msg=%s", why);
    } else if (version == 2) {
        pm_reply(j, rank, "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0 msg=success");
        j->client[rank].dialect = &pm_pmi2;
    } else {
        pmi1_welcome(j, rank);
    }
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
    pm_reply(j, rank, "cmd=appnum appnum=%d rc=0", j->said[rank]);
}

static void get_my_kvsname(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_reply(j, rank, "cmd=my_kvsname kvsname=%s rc=0", j->client[rank].generation->name);
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

static const char not_for_lines[] = "value_has_a_blank_or_newline";

/* False for some values that clients of PMI-2 have put. */
static bool fits_line(const char *value) { return !strpbrk(value, " \n"); }

static void pmi1_put(struct pm_server_job *j, int rank, const char *line)
{
    char key[PMI_KEY_MAX + 1], value[PM_VALUE_MAX + 1];
    const char *why = check_store(j, rank, line, key);

    if (!why && pmi_line_copy(line, "value", value, sizeof value))
        why = "no_value_or_value_too_long";
    if (!why)
        why = pm_store_put(j, rank, key, value);
    if (!why) {
        pm_reply(j, rank, "cmd=put_result rc=0 msg=success");
        return;
    }
    pm_warn(j, rank, "sent a PMI put that failed: %s", why);
    pm_reply(j, rank, "cmd=put_result rc=1 msg=%s", why);
}

static void pmi1_get(struct pm_server_job *j, int rank, const char *line)
{
    char key[PMI_KEY_MAX + 1];
    const char *why = check_store(j, rank, line, key), *value = NULL;

    if (!why && !pm_is_memory(key) && !pm_store_get(j, rank, key, &value))
        return;
    if (value && !fits_line(value))
        why = not_for_lines;
    if (why) {
        pm_warn(j, rank, "sent a PMI get that failed: %s", why);
        pm_reply(j, rank, "cmd=get_result rc=1 msg=%s value=unknown", why);
    } else if (pm_is_memory(key)) {
        pm_memory_give(j, rank, key);
    } else if (value) {
        pm_reply(j, rank, "cmd=get_result rc=0 msg=success value=%s", value);
    } else {
        pm_reply(j, rank, "cmd=get_result rc=1 msg=key_not_found value=unknown");
    }
}

static void barrier_in(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    if (!j->client[rank].waiting) {
        pm_generation_barrier(j, rank);
        return;
    }
    pm_warn(j, rank, "entered a PMI barrier twice");
    pm_reply(j, rank, "cmd=barrier_out rc=1 msg=already_in_barrier");
}

/* Copies the name of the service; false, with a warning, when the request has no usable one. */
static bool get_service(struct pm_server_job *j, int rank, const char *line,
                        char name[PM_NAME_MAX + 1])
{
    if (!pmi_line_copy(line, "service", name, PM_NAME_MAX + 1) && *name)
        return true;
    pm_warn(j, rank, "sent a name request without a usable service: '%.60s'", line);
    return false;
}

static void publish_name(struct pm_server_job *j, int rank, const char *line)
{
    char name[PM_NAME_MAX + 1], port[PM_VALUE_MAX + 1];
    struct pm_named n = { false, "malformed" };

    if (get_service(j, rank, line, name) && !pmi_line_copy(line, "port", port, sizeof port)
        && !pm_name(j, rank, PM_PUBLISH, (const char *const[]) { name, port }, &n))
        return;
    if (!n.done)
        pm_reply(j, rank, "cmd=publish_result info=fail rc=1 msg=%s", n.text);
    else
        pm_reply(j, rank, "cmd=publish_result info=ok rc=0 msg=success");
}

static void lookup_name(struct pm_server_job *j, int rank, const char *line)
{
    char name[PM_NAME_MAX + 1];
    struct pm_named n = { false, "service_not_found" };

    if (get_service(j, rank, line, name)
        && !pm_name(j, rank, PM_LOOKUP, (const char *const[]) { name, "" }, &n))
        return;
    if (n.done && fits_line(n.text))
        pm_reply(j, rank, "cmd=lookup_result port=%s info=ok rc=0 msg=success", n.text);
    else
        pm_reply(j, rank, "cmd=lookup_result info=fail rc=1 msg=%s",
                 n.done ? not_for_lines : n.text);
}

static void unpublish_name(struct pm_server_job *j, int rank, const char *line)
{
    char name[PM_NAME_MAX + 1];
    struct pm_named n = { false, "service_not_found" };

    if (get_service(j, rank, line, name)
        && !pm_name(j, rank, PM_UNPUBLISH, (const char *const[]) { name, "" }, &n))
        return;
    if (n.done)
        pm_reply(j, rank, "cmd=unpublish_result info=ok rc=0 msg=success");
    else
        pm_reply(j, rank, "cmd=unpublish_result info=fail rc=1 msg=%s", n.text);
}

/* Replies first: when other ranks wait in a barrier, the next line ends the job. */
static void pmi1_finalize(struct pm_server_job *j, int rank, const char *line)
{
    (void) line;
    pm_reply(j, rank, "cmd=finalize_ack rc=0");
    pm_generation_finalize(j, rank);
}

static void pmi1_abort(struct pm_server_job *j, int rank, const char *line)
{
    char why[PM_VALUE_MAX + 1] = "";
    size_t len;
    int code = 1;
    const char *msg = pmi_line_field(line, "msg", &len), *rest = strstr(line, " message=");

    (void) pmi_line_int(line, "exitcode", &code);
    if (msg && pmi_percent_decode(msg, len, why, sizeof why) < 0)
        why[0] = '\0';
    if (!msg && rest) /* of MPICH 5, with blanks */
        (void) snprintf(why, sizeof why, "%s", strchr(rest, '=') + 1);
    pm_abort(j, rank, code, why);
}

static void spawn_connected(struct pm_server_job *j, int rank, const char *line)
{
    pm_spawn_verdict(j, rank, line, false);
}

static void spawn_abandon(struct pm_server_job *j, int rank, const char *line)
{
    pm_spawn_verdict(j, rank, line, true);
}

static const struct {
    const char *name;
    bool joined; /* only between init and finalize */
    void (*run)(struct pm_server_job *j, int rank, const char *line);
} commands[] = {
    { "init", false, pmi1_init },
    { "get_maxes", false, get_maxes },
    { "get_universe_size", false, get_universe_size },
    { "get_appnum", false, get_appnum },
    { "get_my_kvsname", true, get_my_kvsname },
    { "put", true, pmi1_put },
    { "get", true, pmi1_get },
    { "barrier_in", true, barrier_in },
    { "publish_name", true, publish_name },
    { "lookup_name", true, lookup_name },
    { "unpublish_name", true, unpublish_name },
    { PMI_SPAWN_CONNECTED, true, spawn_connected },
    { PMI_SPAWN_ABANDON, true, spawn_abandon },
    { "abort", false, pmi1_abort },
    { "finalize", true, pmi1_finalize },
};

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

static void pmi1_run(struct pm_server_job *j, int rank, const char *line)
{
    const struct pm_client *c = &j->client[rank];

    if (pm_spawn_line(j, rank, line))
        return;
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

static void pmi1_malformed(struct pm_server_job *j, int rank, const char *why)
{
    pm_reply(j, rank, "cmd=malformed_result rc=1 msg=%s", why);
}

static void barrier_out(struct pm_server_job *j, int rank) { pm_reply(j, rank, "cmd=barrier_out"); }

const struct pm_dialect pm_pmi1 = { pm_framing_line, pmi1_run, pmi1_malformed, barrier_out };
