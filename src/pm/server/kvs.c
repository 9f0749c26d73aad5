/* kvs.c — a hash table with chains. A job of 1000 ranks has some thousands of keys. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_kvs.h"

struct pm_pair {
    struct pm_pair *next;
    uint64_t hash;
    const char *value; /* stored after the key, in the same block */
    char key[];
};

/* FNV-1a. */
static uint64_t hash_of(const char *key)
{
    const uint64_t basis = 0xcbf29ce484222325, prime = 0x100000001b3;
    uint64_t h = basis;

    for (; *key; key++)
        h = (h ^ (unsigned char) *key) * prime;
    return h ^ h >> 32;
}

/* The link that points to the pair of key; the last link of its chain when there is none. */
static struct pm_pair **pair_find(const struct pm_kvs *k, const char *key, uint64_t hash)
{
    struct pm_pair **at = &k->bucket[hash & (k->buckets - 1)];

    while (*at && ((*at)->hash != hash || strcmp((*at)->key, key)))
        at = &(*at)->next;
    return at;
}

static int kvs_grow(struct pm_kvs *k)
{
    struct pm_kvs bigger = { .buckets = k->buckets ? k->buckets * 2 : 64, .count = k->count };

    bigger.bucket = calloc(bigger.buckets, sizeof *bigger.bucket);
    if (!bigger.bucket)
        return -ENOMEM;
    for (size_t i = 0; i < k->buckets; i++) {
        for (struct pm_pair *p = k->bucket[i], *next; p; p = next) {
            struct pm_pair **to = &bigger.bucket[p->hash & (bigger.buckets - 1)];
            next = p->next;
            p->next = *to;
            *to = p;
        }
    }
    free(k->bucket);
    *k = bigger;
    return 0;
}

int pm_kvs_put(struct pm_kvs *k, const char *key, const char *value)
{
    size_t key_size = strlen(key) + 1, value_size = strlen(value) + 1;
    struct pm_pair *p = malloc(sizeof *p + key_size + value_size);

    if (!p || (k->count >= k->buckets && kvs_grow(k))) {
        free(p);
        return -ENOMEM;
    }
    memcpy(p->key, key, key_size);
    p->value = memcpy(p->key + key_size, value, value_size);
    p->hash = hash_of(key);
    (void) pm_kvs_remove(k, key);
    struct pm_pair **at = &k->bucket[p->hash & (k->buckets - 1)];
    p->next = *at;
    *at = p;
    k->count++;
    return 0;
}

const char *pm_kvs_get(const struct pm_kvs *k, const char *key)
{
    struct pm_pair *p = k->buckets ? *pair_find(k, key, hash_of(key)) : NULL;

    return p ? p->value : NULL;
}

/* The pair behind p, or the first one, whose key has this prefix; NULL: there is none. */
static const struct pm_pair *next_with_prefix(const struct pm_kvs *k, const struct pm_pair *p,
                                              const char *prefix)
{
    size_t len = strlen(prefix), bucket = p ? (p->hash & (k->buckets - 1)) + 1 : 0;

    for (p = p ? p->next : NULL; p || bucket < k->buckets; p = p ? p->next : k->bucket[bucket++])
        if (p && !strncmp(p->key, prefix, len))
            return p;
    return NULL;
}

char *pm_kvs_join(const struct pm_kvs *k, const char *prefix)
{
    size_t len = 1;

    for (const struct pm_pair *p = NULL; (p = next_with_prefix(k, p, prefix));)
        len += strlen(p->value) + 1;
    char *text = malloc(len), *at = text;
    for (const struct pm_pair *p = NULL; text && (p = next_with_prefix(k, p, prefix));) {
        at = stpcpy(at, p->value);
        *at++ = ';';
    }
    if (text)
        *at = '\0';
    return text;
}

bool pm_kvs_remove(struct pm_kvs *k, const char *key)
{
    struct pm_pair **at = k->buckets ? pair_find(k, key, hash_of(key)) : NULL;

    if (!at || !*at)
        return false;
    struct pm_pair *p = *at;
    *at = p->next;
    free(p);
    k->count--;
    return true;
}

void pm_kvs_free(struct pm_kvs *k)
{
    for (size_t i = 0; i < k->buckets; i++) {
        for (struct pm_pair *p = k->bucket[i], *next; p; p = next) {
            next = p->next;
            free(p);
        }
    }
    free(k->bucket);
    *k = (struct pm_kvs) { 0 };
}
