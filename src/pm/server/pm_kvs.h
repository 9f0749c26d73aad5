/* pm_kvs.h — a table of texts by name. All zero is an empty one. */
#ifndef PM_KVS_H
#define PM_KVS_H

#include <stdbool.h>
#include <stddef.h>

struct pm_pair;

struct pm_kvs {
    struct pm_pair **bucket;
    size_t buckets; /* a power of two, or 0 */
    size_t count;
};

int pm_kvs_put(struct pm_kvs *k, const char *key, const char *value); /* replaces; -ENOMEM */
const char *pm_kvs_get(const struct pm_kvs *k, const char *key);      /* NULL when there is none */
bool pm_kvs_remove(struct pm_kvs *k, const char *key);
void pm_kvs_free(struct pm_kvs *k);

#endif /* PM_KVS_H */
