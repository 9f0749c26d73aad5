/* info.h — info objects: keys with values, in the order in which they were set (chapter 9). */
#ifndef INFO_H
#define INFO_H

#include "mpi/mpir.h"

struct mpir_entry {
    struct mpir_entry *next, *prev;
    struct mpir_entry *chain; /* next entry of its bucket */
    char *value;
    char key[];
};

struct mpir_info {
    MPI_Info handle;
    int n;
    struct mpir_entry *first, *last;
    struct mpir_entry **bucket; /* hash table; NULL while there are few keys */
    size_t buckets;             /* a power of two */
    struct mpir_entry *at;      /* the key that MPI_Info_get_nthkey returned last, and its number */
    int number;
};

extern struct adi3_pool mpir_infos; /* all but MPI_INFO_ENV */

/* Arguments. Errors: MPI_ERR_INFO. */
int mpir_info_arg(MPI_Info h, struct mpir_info **i);
int mpir_info_or_null_arg(MPI_Info h, struct mpir_info **i); /* sets NULL for MPI_INFO_NULL */
int mpir_info_own_arg(MPI_Info h, struct mpir_info **i);     /* not MPI_INFO_ENV either */
int mpir_info_key_arg(const char *key);                      /* MPI_ERR_INFO_KEY */

/* The value of a key, valid until it is changed; NULL when there is no such key or i is NULL. */
const char *mpir_info_get(const struct mpir_info *i, const char *key);
/* Sets *align to the value of mpi_minimum_memory_alignment, if it is there. i may be NULL. Errors:
 * MPI_ERR_INFO_VALUE when it is no power of two. */
int mpir_info_alignment(const struct mpir_info *i, size_t *align);
/* Sets *value to that of a key, if it is there. Errors: MPI_ERR_INFO_VALUE when it is neither true
 * nor false. */
int mpir_info_bool(const struct mpir_info *i, const char *key, bool *value);
const char *mpir_info_key(struct mpir_info *i, int n); /* key number n, 0 <= n < i->n */

/* Errors: MPI_ERR_NO_MEM. */
int mpir_info_new(struct mpir_info **made);
int mpir_info_set(struct mpir_info *i, const char *key, const char *value);
int mpir_info_copy(const struct mpir_info *i, struct mpir_info **made);
bool mpir_info_remove(struct mpir_info *i, const char *key); /* false: no such key */
void mpir_info_empty(struct mpir_info *i);                   /* removes all keys */
void mpir_info_free(struct mpir_info *i);

/* env.c: MPI_INFO_ENV. MPI_Init calls begin, which saves the thread level and the working
 * directory. */
void mpir_info_env_begin(int thread_level);
struct mpir_info *mpir_info_env(void);
void mpir_info_env_end(void);

#endif /* INFO_H */
