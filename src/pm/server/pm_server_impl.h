/* pm_server_impl.h — what the files of the PMI server share. */
#ifndef PM_SERVER_IMPL_H
#define PM_SERVER_IMPL_H

#include <stdbool.h>
#include "pm_framing.h"
#include "pm_kvs.h"
#include "pm_server.h"
#include "pmi_line.h"

enum { PM_VALUE_MAX = 1023, PM_NAME_MAX = 255, PM_WARNINGS_MAX = 8 };

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
    struct pm_memory *memories; /* that ranks have asked for */
    char name[PM_NAME_MAX + 1];
};

struct pm_memory { /* shared by the ranks that ask for this key */
    struct pm_memory *next;
    int number;
    char key[PMI_KEY_MAX + 1];
};

struct pm_client {
    enum pm_client_state state;
    bool gone;                /* its connection has ended */
    bool ignored;             /* after an abort or a protocol error: its input is dropped */
    bool waiting;             /* in the barrier of its generation */
    bool spawning;            /* between mcmd=spawn and its last line */
    int spawns, spawns_total; /* blocks of mcmd=spawn: received, and in all */
    int joined;               /* generations that this rank has joined */
    int warnings;
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
    int *appnum;
    struct pm_client *client; /* of each rank */
};

struct pm_server {
    struct pm_server_job *jobs;
    struct pm_kvs names; /* ports of published services */
    int universe;
    int memories;           /* numbers of struct pm_memory that have been used */
    char out[PMI_LINE_MAX]; /* the reply that pm_reply() formats */
};

/* mapping.c: the value of PMI_process_mapping, from the node of each rank. It is empty when len is
 * not enough. */
void pm_mapping(const int *node, int size, char *text, size_t len);

/* reply.c */
void pm_reply(struct pm_server_job *j, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pm_warn(struct pm_server_job *j, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* barrier.c */
struct pm_generation *pm_generation_join(struct pm_server_job *j, int rank); /* NULL: no memory */
void pm_generation_finalize(struct pm_server_job *j, int rank);
void pm_generation_barrier(struct pm_server_job *j, int rank);
void pm_generation_disconnect(struct pm_server_job *j, int rank);
void pm_generation_free(struct pm_server_job *j, struct pm_generation *g);

/* command.c: executes one line. */
void pm_command(struct pm_server_job *j, int rank, const char *line);

/* memory.c */
bool pm_is_memory(const char *key);
void pm_memory_give(struct pm_server_job *j, int rank, const char *key); /* replies to a get */
void pm_memory_free(struct pm_server_job *j, struct pm_generation *g);

/* names.c */
void pm_publish(struct pm_server_job *j, int rank, const char *line);
void pm_lookup(struct pm_server_job *j, int rank, const char *line);
void pm_unpublish(struct pm_server_job *j, int rank, const char *line);

#endif /* PM_SERVER_IMPL_H */
