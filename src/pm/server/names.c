/* names.c — MPI_Publish_name and MPI_Lookup_name: a table of services and their ports for all
 * jobs. */
#include "pm_server_impl.h"

const char *pm_publish(struct pm_server *s, const char *service, const char *port)
{
    if (pm_kvs_get(&s->names, service))
        return "already_published";
    return pm_kvs_put(&s->names, service, port) ? "out_of_memory" : NULL;
}

const char *pm_lookup(const struct pm_server *s, const char *service)
{
    return pm_kvs_get(&s->names, service);
}

bool pm_unpublish(struct pm_server *s, const char *service)
{
    return pm_kvs_remove(&s->names, service);
}
