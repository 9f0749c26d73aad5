/* names.c — MPI_Publish_name and MPI_Lookup_name: a table of services and their ports for the
 * job. */
#include "pm_server_impl.h"

/* Copies the name of the service; false, with a warning, when the request has no usable one. */
static bool get_service(struct pm_server_job *j, int rank, const char *line,
                        char name[PM_NAME_MAX + 1])
{
    if (!pmi_line_copy(line, "service", name, PM_NAME_MAX + 1) && *name)
        return true;
    pm_warn(j, rank, "sent a name request without a usable service: '%.60s'", line);
    return false;
}

void pm_publish(struct pm_server_job *j, int rank, const char *line)
{
    char name[PM_NAME_MAX + 1], port[PM_VALUE_MAX + 1];
    const char *why = "malformed";

    if (get_service(j, rank, line, name) && !pmi_line_copy(line, "port", port, sizeof port)) {
        why = pm_kvs_get(&j->server->names, name)         ? "already_published"
              : pm_kvs_put(&j->server->names, name, port) ? "out_of_memory"
                                                          : NULL;
    }
    if (why)
        pm_reply(j, rank, "cmd=publish_result info=fail rc=1 msg=%s", why);
    else
        pm_reply(j, rank, "cmd=publish_result info=ok rc=0 msg=success");
}

void pm_lookup(struct pm_server_job *j, int rank, const char *line)
{
    char name[PM_NAME_MAX + 1];
    const char *port =
        get_service(j, rank, line, name) ? pm_kvs_get(&j->server->names, name) : NULL;

    if (port)
        pm_reply(j, rank, "cmd=lookup_result port=%s info=ok rc=0 msg=success", port);
    else
        pm_reply(j, rank, "cmd=lookup_result info=fail rc=1 msg=service_not_found");
}

void pm_unpublish(struct pm_server_job *j, int rank, const char *line)
{
    char name[PM_NAME_MAX + 1];

    if (get_service(j, rank, line, name) && pm_kvs_remove(&j->server->names, name))
        pm_reply(j, rank, "cmd=unpublish_result info=ok rc=0 msg=success");
    else
        pm_reply(j, rank, "cmd=unpublish_result info=fail rc=1 msg=service_not_found");
}
