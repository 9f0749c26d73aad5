/* info.h — info objects: keys with values, in the order in which they were set (chapter 9). */
#ifndef INFO_H
#define INFO_H

#include "mpir.h"

struct mpir_entry {
    struct mpir_entry *next, *prev;
    struct mpir_entry *chain; /* next one in its bucket */
    char *value;
    char key[];
};

struct mpir_info {
    MPI_Info handle;
    int n;
    struct mpir_entry *first, *last;
    struct mpir_entry **bucket; /* an index, once there are many; NULL: there is none */
    size_t buckets;             /* a power of two */
    struct mpir_entry *at;      /* the key with this number, where the last one asked for was */
    int number;
};

extern struct adi3_pool mpir_infos; /* but for MPI_INFO_ENV */

/* Arguments. Errors: MPI_ERR_INFO. */
int mpir_info_arg(MPI_Info h, struct mpir_info **i);
int mpir_info_or_null_arg(MPI_Info h, struct mpir_info **i); /* sets NULL for MPI_INFO_NULL */
int mpir_info_own_arg(MPI_Info h, struct mpir_info **i);     /* not MPI_INFO_ENV either */
int mpir_info_key_arg(const char *key);                      /* MPI_ERR_INFO_KEY */

/* The value of a key, until it is changed; NULL when there is none, or no info. */
const char *mpir_info_get(const struct mpir_info *i, const char *key);
const char *mpir_info_key(struct mpir_info *i, int n); /* key number n, 0 <= n < i->n */

/* Errors: MPI_ERR_NO_MEM. */
int mpir_info_new(struct mpir_info **made);
int mpir_info_set(struct mpir_info *i, const char *key, const char *value);
int mpir_info_copy(const struct mpir_info *i, struct mpir_info **made);
bool mpir_info_remove(struct mpir_info *i, const char *key); /* false when it was not there */
void mpir_info_empty(struct mpir_info *i); /* takes all keys out */
void mpir_info_free(struct mpir_info *i);

/* env.c: MPI_INFO_ENV. MPI_Init tells it the thread level, and where it was called. */
void mpir_info_env_begin(int thread_level);
struct mpir_info *mpir_info_env(void);
void mpir_info_env_end(void);

#endif /* INFO_H */
