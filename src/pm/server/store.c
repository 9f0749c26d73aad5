/* store.c — the key-value store of a generation, and the keys that the server itself provides.
 *
 * The value of STARLING_all_PREFIX is that of all keys with this prefix. It saves a job a request
 * of each rank for each rank. */
#include <string.h>
#include "pm_server_impl.h"

const char *pm_store_reserved(const struct pm_server_job *j, int rank, const char *key)
{
    if (!strcmp(key, "PMI_process_mapping"))
        return *j->mapping ? j->mapping : NULL;
    if (!strcmp(key, "STARLING_settings"))
        return j->settings;
    if (!strcmp(key, "STARLING_program"))
        return j->program ? j->program[j->appnum[rank]] : "";
    if (!strcmp(key, "PMI_dead_processes"))
        return j->dead;
    return NULL;
}

static const char all[] = "STARLING_all_";

static bool is_all(const char *key) { return !strncmp(key, all, sizeof all - 1); }

const char *pm_store_put(struct pm_server_job *j, int rank, const char *key, const char *value)
{
    if (pm_store_reserved(j, rank, key) || pm_is_memory(key) || is_all(key))
        return "reserved_key";
    return pm_kvs_put(&j->client[rank].generation->kvs, key, value) ? "out_of_memory" : NULL;
}

const char *pm_store_get(const struct pm_server_job *j, int rank, const char *key)
{
    const struct pm_kvs *kvs = &j->client[rank].generation->kvs;
    const char *value = pm_store_reserved(j, rank, key);

    if (is_all(key))
        return pm_kvs_join(kvs, key + sizeof all - 1, j->server->all, sizeof j->server->all)
                   ? j->server->all
                   : NULL;
    return value ? value : pm_kvs_get(kvs, key);
}
