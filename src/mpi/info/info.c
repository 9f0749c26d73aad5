/* info.c — the keys of an info object: a list in the order of setting, and a hash table over long
 * lists, so that 10^4 keys take milliseconds. The table is only an index: without memory for it the
 * list is searched. */
#include <stdlib.h>
#include <string.h>
#include "mpi/info/info.h"

struct adi3_pool mpir_infos = ADI3_POOL(ADI3_INFO, struct mpir_info);

enum { FEW = 16 }; /* keys that are searched without an index */

/* FNV-1a. */
static struct mpir_entry **bucket_of(const struct mpir_info *i, const char *key)
{
    uint32_t hash = 2166136261u;

    for (; *key; key++)
        hash = (hash ^ (unsigned char) *key) * 16777619u;
    return &i->bucket[(hash ^ hash >> 15) & (i->buckets - 1)];
}

static void index_entry(struct mpir_info *i, struct mpir_entry *e)
{
    struct mpir_entry **b = bucket_of(i, e->key);

    e->chain = *b;
    *b = e;
}

/* Keeps the average at two keys for each bucket or less, as far as memory allows. */
static void grow_index(struct mpir_info *i)
{
    size_t buckets = i->buckets ? 4 * i->buckets : 4 * FEW;
    struct mpir_entry **b = calloc(buckets, sizeof(*b));

    if (!b)
        return;
    free(i->bucket);
    i->bucket = b;
    i->buckets = buckets;
    for (struct mpir_entry *e = i->first; e; e = e->next)
        index_entry(i, e);
}

static struct mpir_entry *entry_find(const struct mpir_info *i, const char *key)
{
    struct mpir_entry *e = i->bucket ? *bucket_of(i, key) : i->first;

    while (e && strcmp(e->key, key))
        e = i->bucket ? e->chain : e->next;
    return e;
}

int mpir_info_new(struct mpir_info **made)
{
    MPI_Info handle;
    struct mpir_info *i = adi3_new(&mpir_infos, &handle);

    if (!i)
        return adi3_no_memory("for an info object");
    *i = (struct mpir_info) { .handle = handle };
    *made = i;
    return MPI_SUCCESS;
}

static void entry_append(struct mpir_info *i, struct mpir_entry *e)
{
    e->next = NULL;
    e->prev = i->last;
    *(i->last ? &i->last->next : &i->first) = e;
    i->last = e;
    i->n++;
    if (i->bucket)
        index_entry(i, e);
    if ((size_t) i->n > (i->bucket ? 2 * i->buckets : FEW))
        grow_index(i);
}

int mpir_info_set(struct mpir_info *i, const char *key, const char *value)
{
    struct mpir_entry *e = entry_find(i, key);
    char *copy = strdup(value);

    if (copy && !e) {
        size_t len = strlen(key) + 1;
        e = malloc(sizeof *e + len);
        if (e) {
            memcpy(e->key, key, len);
            e->value = NULL;
            entry_append(i, e);
        }
    }
    if (!copy || !e) {
        free(copy);
        return adi3_no_memory("for an info object");
    }
    free(e->value);
    e->value = copy;
    return MPI_SUCCESS;
}

const char *mpir_info_get(const struct mpir_info *i, const char *key)
{
    const struct mpir_entry *e = i ? entry_find(i, key) : NULL;

    return e ? e->value : NULL;
}

static void entry_unindex(const struct mpir_info *i, const struct mpir_entry *e)
{
    struct mpir_entry **at = bucket_of(i, e->key);

    while (*at != e)
        at = &(*at)->chain;
    *at = e->chain;
}

bool mpir_info_remove(struct mpir_info *i, const char *key)
{
    struct mpir_entry *e = entry_find(i, key);

    if (!e)
        return false;
    if (i->bucket)
        entry_unindex(i, e);
    *(e->prev ? &e->prev->next : &i->first) = e->next;
    *(e->next ? &e->next->prev : &i->last) = e->prev;
    i->n--;
    i->at = NULL;
    free(e->value);
    free(e);
    return true;
}

/* Continues where the last call ended: a program usually asks for one key after the other. */
const char *mpir_info_key(struct mpir_info *i, int n)
{
    if (!i->at || n < i->number) {
        i->at = i->first;
        i->number = 0;
    }
    for (; i->number < n; i->number++)
        i->at = i->at->next;
    return i->at->key;
}

int mpir_info_copy(const struct mpir_info *i, struct mpir_info **made)
{
    struct mpir_info *copy = NULL;
    int err = mpir_info_new(&copy);

    if (err)
        return err;
    for (const struct mpir_entry *e = i->first; e && !err; e = e->next)
        err = mpir_info_set(copy, e->key, e->value);
    if (err)
        mpir_info_free(copy);
    else
        *made = copy;
    return err;
}

void mpir_info_empty(struct mpir_info *i)
{
    for (struct mpir_entry *e = i->first, *next; e; e = next) {
        next = e->next;
        free(e->value);
        free(e);
    }
    free(i->bucket);
    *i = (struct mpir_info) { .handle = i->handle };
}

void mpir_info_free(struct mpir_info *i)
{
    mpir_info_empty(i);
    adi3_free(&mpir_infos, i);
}
