/* store.c — the key-value store of a generation, and the keys that the server itself provides. */
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
        return ""; /* the job ends when a rank dies */
    return NULL;
}

const char *pm_store_put(struct pm_server_job *j, int rank, const char *key, const char *value)
{
    if (pm_store_reserved(j, rank, key) || pm_is_memory(key))
        return "reserved_key";
    return pm_kvs_put(&j->client[rank].generation->kvs, key, value) ? "out_of_memory" : NULL;
}

const char *pm_store_get(const struct pm_server_job *j, int rank, const char *key)
{
    const char *value = pm_store_reserved(j, rank, key);

    return value ? value : pm_kvs_get(&j->client[rank].generation->kvs, key);
}
