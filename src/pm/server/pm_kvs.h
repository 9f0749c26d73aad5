/* pm_kvs.h — key-value store: a table of texts by name. A zeroed struct is an empty table. */
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

/* Copies key and value, which replaces an old value: 0 or -ENOMEM. */
int pm_kvs_put(struct pm_kvs *k, const char *key, const char *value);

/* The value of a key; NULL when there is no such key. */
const char *pm_kvs_get(const struct pm_kvs *k, const char *key);

/* The values of all keys with this prefix, each with a ';' behind it, in no order; the caller frees
 * the text. NULL: no memory. */
char *pm_kvs_join(const struct pm_kvs *k, const char *prefix);

/* False when there is no such key. */
bool pm_kvs_remove(struct pm_kvs *k, const char *key);
void pm_kvs_free(struct pm_kvs *k);

#endif /* PM_KVS_H */
