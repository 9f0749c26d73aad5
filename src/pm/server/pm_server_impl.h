/* pm_server_impl.h — what the files of the PMI server share. */
#ifndef PM_SERVER_IMPL_H
#define PM_SERVER_IMPL_H

#include <stdbool.h>
#include "pm_framing.h"
#include "pm_kvs.h"
#include "pm_server.h"
#include "pmi_line.h"

enum { PM_VALUE_MAX = 1023, PM_NAME_MAX = 255, PM_WARNINGS_MAX = 8 };
enum { PM_WORD_MAX = 63 }; /* bytes of a thrid, or of the name of a command */

/* A wire protocol. A client speaks PMI-1 until an init for version 2, and after finalize again. */
struct pm_dialect {
    int (*next)(struct pm_framing *f, char **message);
    void (*run)(struct pm_server_job *j, int rank, const char *message);
    void (*malformed)(struct pm_server_job *j, int rank, const char *why); /* replies to garbage */
    void (*barrier_out)(struct pm_server_job *j, int rank); /* the reply at the end of a barrier */
};

extern const struct pm_dialect pm_pmi1, pm_pmi2;

/* A barrier generation: one MPI program of the job, from its init to its finalize. A job has
 * several when its ranks are shells that run one MPI program after the other. Each generation
 * has its own barrier, name and store, so that a rank that is ahead does not read values of the
 * program before. */
struct pm_generation {
    struct pm_generation *next;
    int number;
    int waiting;       /* ranks that wait in the barrier */
    int missing;       /* ranks that cannot enter the barrier any more */
    int finished;      /* ranks that have finalized */
    int first_missing; /* the first rank that became missing */
    struct pm_kvs kvs;
    struct pm_kvs attributes;   /* of nodes */
    struct pm_wait *waits;      /* for attributes */
    struct pm_memory *memories; /* that ranks have asked for */
    char name[PM_NAME_MAX + 1];
};

struct pm_memory { /* shared by the ranks that ask for this key */
    struct pm_memory *next;
    int number;
    char key[PMI_KEY_MAX + 1];
};

struct pm_client {
    const struct pm_dialect *dialect;
    enum pm_client_state state;
    bool gone;                /* its connection has ended */
    bool ignored;             /* after an abort or a protocol error: its input is dropped */
    bool waiting;             /* in the barrier of its generation */
    bool spawning;            /* between mcmd=spawn and its last line */
    int spawns, spawns_total; /* blocks of mcmd=spawn: received, and in all */
    int joined;               /* generations that this rank has joined */
    int warnings;
    char thrid[PM_WORD_MAX + 1];      /* of the PMI-2 fence that it waits in */
    struct pm_generation *generation; /* the last one joined; NULL when that has ended */
    struct pm_framing in;
};

struct pm_server_job {
    struct pm_server *server;
    struct pm_server_job *next;
    struct pm_events events;
    int size, gone;
    bool survives;
    char dead[PM_VALUE_MAX + 1]; /* ranks that have ended without finalize, as "3,1" */
    struct pm_generation *generations;
    char *settings; /* percent-encoded */
    char **program; /* by appnum, percent-encoded */
    int programs;
    char mapping[PM_VALUE_MAX + 1]; /* empty: it has no room in a value */
    char base[PM_NAME_MAX + 1];
    int *appnum, *node;       /* of each rank */
    struct pm_client *client; /* of each rank */
};

struct pm_server {
    struct pm_server_job *jobs;
    struct pm_kvs names; /* ports of published services */
    int universe;
    int memories;                  /* numbers of struct pm_memory that have been used */
    char all[PM_SETTINGS_MAX + 1]; /* the value of a key that begins with STARLING_all_ */
    char out[PMI_LINE_MAX];        /* the reply that pm_reply() formats */
};

/* mapping.c: the value of PMI_process_mapping, from the node of each rank. It is empty when len is
 * not enough. */
void pm_mapping(const int *node, int size, char *text, size_t len);

/* store.c: the keys of the generation of a rank. A put returns NULL, or the error text of the
 * reply; a get returns NULL when there is no such key. */
const char *pm_store_put(struct pm_server_job *j, int rank, const char *key, const char *value);
const char *pm_store_get(const struct pm_server_job *j, int rank, const char *key);
/* The value of a key that ranks may not put; NULL for all others. */
const char *pm_store_reserved(const struct pm_server_job *j, int rank, const char *key);

/* names.c: published services; likewise. */
const char *pm_publish(struct pm_server *s, const char *service, const char *port);
const char *pm_lookup(const struct pm_server *s, const char *service);
bool pm_unpublish(struct pm_server *s, const char *service); /* false: it is not published */

/* reply.c */
void pm_reply(struct pm_server_job *j, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pm_warn(struct pm_server_job *j, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pm_make_printable(char *text);
/* The rank aborts its job, and is ignored from now on. Line breaks of why become blanks. */
void pm_abort(struct pm_server_job *j, int rank, int code, char *why);

/* barrier.c */
struct pm_generation *pm_generation_join(struct pm_server_job *j, int rank); /* NULL: no memory */
void pm_generation_finalize(struct pm_server_job *j, int rank);
void pm_generation_barrier(struct pm_server_job *j, int rank); /* which does not wait there yet */
void pm_generation_disconnect(struct pm_server_job *j, int rank);
void pm_generation_free(struct pm_server_job *j, struct pm_generation *g);

/* pmi2_attributes.c: a rank cannot put attributes any more. */
void pm_attributes_leave(struct pm_server_job *j, struct pm_generation *g, int rank);
void pm_attributes_free(struct pm_generation *g);

/* memory.c */
bool pm_is_memory(const char *key);
void pm_memory_give(struct pm_server_job *j, int rank, const char *key); /* replies to a get */
void pm_memory_free(struct pm_server_job *j, struct pm_generation *g);

#endif /* PM_SERVER_IMPL_H */
