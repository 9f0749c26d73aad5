/* pm_server_impl.h — what the files of the PMI server share. */
#ifndef PM_SERVER_IMPL_H
#define PM_SERVER_IMPL_H

#include <stdbool.h>
#include "pm/server/pm_framing.h"
#include "pm/server/pm_hub.h"
#include "pm/server/pm_kvs.h"
#include "pm/server/pm_server.h"
#include "pm/server/pm_spawn.h"
#include "pm/pmi/pmi_line.h"

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
    int waiting;           /* ranks that wait in the barrier; of a root with hubs: hubs */
    int missing;           /* ranks, or hubs, that cannot enter the barrier any more */
    int first;             /* the first rank that cannot; -1: none */
    bool joined;           /* it had */
    bool told;             /* of a hub: PM_NOTE_BARRIER has been sent to the root */
    struct pm_kvs kvs;     /* of a hub: what its ranks have put, and values of the root */
    struct pm_kvs unknown; /* of a hub, until the barrier ends: keys without a value */
    struct pm_kvs lists;   /* values of many keys; of a hub, until the barrier ends */
    char *puts;            /* of a hub: what the root does not have yet */
    size_t puts_len, puts_room;
    bool prefetched;            /* of a hub: its lowest rank has asked since the last barrier */
    bool changed;               /* a key has got another value since the last barrier */
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

enum pm_spawn_phase {
    PM_SPAWN_READS,   /* the lines of a block */
    PM_SPAWN_BETWEEN, /* between two blocks */
    PM_SPAWN_WAITS,   /* for the answer */
    PM_SPAWN_ANSWERED,
};

struct pm_spawn_call { /* a request for another job that the rank waits for */
    enum pm_spawn_phase phase;
    bool later, encoded;      /* PMI_SPAWN_LATER, PMI_SPAWN_ENCODED: of the block */
    int request;              /* its number */
    int blocks, blocks_total; /* of mcmd=spawn, as its lines say: so far, and in all */
    int ends;                 /* blocks that have ended */
    char *bytes;              /* texts */
    size_t len, room;
    const char *why; /* it cannot be kept; or NULL */
    char *answer;
    size_t answer_len;
};

struct pm_client {
    const struct pm_dialect *dialect, *first_dialect; /* spoken now, and at first */
    enum pm_client_state state;
    bool gone;                   /* its connection has ended */
    bool closed;                 /* it reads no replies any more */
    bool ignored;                /* after an abort or a protocol error: its input is dropped */
    bool waiting;                /* in the barrier of its generation */
    struct pm_spawn_call *spawn; /* its request for another job, or NULL */
    int spawns, spawns_before;   /* such requests so far, and those of earlier programs */
    bool asking;                 /* the root has been asked for what its last request needs, */
    char *held;                  /* which runs again when the answer is there */
    bool named, name_done;       /* an answer about a name is there, */
    char *name_text;             /* and its text */
    int joined;                  /* generations that this rank has joined */
    int warnings;
    char thrid[PM_WORD_MAX + 1];      /* of the PMI-2 fence that it waits in */
    char asked[PMI_KEY_MAX + 1];      /* the key; empty: about a name */
    struct pm_generation *generation; /* the last one joined; NULL when that has ended */
    struct pm_framing in;
};

struct pm_hub {   /* what the root knows of one */
    int ranks;    /* of its node */
    int lowest;   /* of these ranks */
    int place;    /* in the order of lowest ranks */
    int gone;     /* how many of these ranks are lost, in a job that survives deaths */
    int left;     /* generations that no rank of the node can be in any more */
    int waits_in; /* the generation whose barrier the node waits in; -1: none */
    bool joined;  /* one of its ranks has */
};

struct pm_server_job {
    struct pm_server *server;
    struct pm_server_job *next;
    struct pm_events events;
    int size;
    int here;                      /* the node of a hub */
    int *own, owns;                /* the ranks that are connected here */
    struct pm_hub *hub, **by_rank; /* by node; and those with ranks, by the lowest one */
    int hubs, places, nodes;       /* nodes: also those that could not be reached and have no hub */
    int gone;                      /* ranks, or hubs without ranks */
    int gone_from;                 /* from this generation on, */
    int gone_rank;                 /* this rank is missing; -1: none is */
    bool told_joined;              /* a rank has joined, as the root has been told */
    bool survives;
    char dead[PM_VALUE_MAX + 1]; /* ranks that have ended without finalize, as "3,1" */
    struct pm_generation *generations;
    char spawner[PM_NAME_MAX + 1]; /* empty: the job was not spawned */
    char *settings;                /* percent-encoded */
    char **program;                /* by appnum, percent-encoded */
    int programs;
    char mapping[PM_VALUE_MAX + 1]; /* empty: it has no room in a value */
    char base[PM_NAME_MAX + 1];
    int *appnum, *said, *node; /* of each rank: its program, MPI_APPNUM, its node */
    struct pm_client *client;  /* of each rank */
};

struct pm_server {
    struct pm_server_job *jobs;
    struct pm_published *names; /* names.c */
    int universe;
    int memories;           /* numbers of struct pm_memory that have been used */
    char out[PMI_LINE_MAX]; /* the reply that pm_reply() formats */
};

/* mapping.c: the value of PMI_process_mapping, from the node of each rank. It is empty when len is
 * not enough. */
void pm_mapping(const int *node, int size, char *text, size_t len);

/* store.c: the keys of the generation of a rank. A put returns NULL, or the error text of the
 * reply. A get finds NULL when there is no such key; false: the root has been asked, and the
 * request will run again. */
const char *pm_store_put(struct pm_server_job *j, int rank, const char *key, const char *value);
bool pm_store_get(struct pm_server_job *j, int rank, const char *key, const char **value);
/* The value of a key that the server itself provides; NULL for all others. */
const char *pm_store_reserved(const struct pm_server_job *j, int rank, const char *key);
bool pm_store_is_reserved(const struct pm_server_job *j, int rank, const char *key);

/* Puts a key before there are ranks. 0, -EMSGSIZE, -ENOMEM. */
int pm_store_preput(struct pm_server_job *j, const char *key, const char *value);

/* The notes about keys. */
int pm_store_take_puts(struct pm_generation *g, const struct pm_note *note);
int pm_store_answer(struct pm_server_job *j, int node, const struct pm_note *note);
int pm_store_learn(struct pm_server_job *j, const struct pm_note *note);
void pm_store_send_puts(struct pm_server_job *j, struct pm_generation *g, enum pm_note_kind kind);
void pm_store_released(struct pm_generation *g, bool changed); /* a barrier has ended */
void pm_store_free(struct pm_generation *g);

/* prefetch.c: writes the keys and values that the lowest rank of a node will ask for, too, when it
 * has asked for this key of another node: the bytes. They are texts. */
size_t pm_prefetch(const struct pm_server_job *j, const struct pm_generation *g, int node,
                   const char *key, char *to, size_t room);
int pm_prefetch_init(struct pm_server_job *j); /* counts the ranks of nodes: 0 or -ENOMEM */

/* names.c: published services. */
struct pm_named {
    bool done;
    const char *text; /* the port, or the error text of the reply */
};

/* False as in pm_store_get. port: of PM_PUBLISH. */
bool pm_name(struct pm_server_job *j, int rank, enum pm_name_op op, const char *const text[2],
             struct pm_named *n);
/* The notes about them. */
int pm_name_answer(struct pm_server_job *j, int node, const struct pm_note *note);
int pm_name_learn(struct pm_server_job *j, const struct pm_note *note);

/* note.c: takes a text from the front of the bytes of a note. NULL: there is none. */
const char *pm_note_text(struct pm_note *note);
bool pm_note_is_of(const struct pm_server_job *j, int node, int rank);

/* spawn_request.c: the request of a rank for another job. NULL: no memory. */
struct pm_spawn_call *pm_spawn_begin(struct pm_server_job *j, int rank);
/* Adds "name=value", or the value alone when the name is empty. */
void pm_spawn_add(struct pm_spawn_call *s, const char *name, const char *value, size_t value_len);
/* A line of PMI_SPAWN_ENCODED. */
void pm_spawn_add_encoded(struct pm_spawn_call *s, const char *line);
void pm_spawn_drop(struct pm_client *c); /* the answer is not wanted any more */
void pm_spawn_free_call(struct pm_spawn_call *s);
/* spawn.c: a line of PMI-1. False: it is not part of such a request. */
bool pm_spawn_line(struct pm_server_job *j, int rank, const char *line);
/* The notes about them. */
int pm_spawn_ask(struct pm_server_job *j, int node, const struct pm_note *note);
int pm_spawn_learn(struct pm_server_job *j, const struct pm_note *note);
int pm_spawn_hear(struct pm_server_job *j, int node, const struct pm_note *note); /* a verdict */
int pm_spawn_lose(struct pm_server_job *j, const struct pm_note *note);
/* The line cmd=spawn_connected, or spawn_abandon. */
void pm_spawn_verdict(struct pm_server_job *j, int rank, const char *line, bool kill);

/* hub.c */
void pm_hub_lose_rank(struct pm_server_job *j, int rank); /* a rank of a hub has ended */

/* client.c: the request of a rank waits for the answer to this note; and goes on. */
void pm_client_ask(struct pm_server_job *j, int rank, const struct pm_note *note);
void pm_client_resume(struct pm_server_job *j, int rank);
/* A request that waits is dropped, since the rank has ended. */
void pm_client_drop_held(struct pm_server_job *j, int rank);
enum pm_client_state pm_client_assumed(bool joined); /* the state that the root assumes */
void pm_add_dead(struct pm_server_job *j, int rank); /* to the list */

/* reply.c */
void pm_reply(struct pm_server_job *j, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, and passes memory: events.share(). */
void pm_reply_sharing(struct pm_server_job *j, int rank, int memory, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void pm_warn(struct pm_server_job *j, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pm_make_printable(char *text);
/* The rank aborts its job, and is ignored from now on. Line breaks of why become blanks. */
void pm_abort(struct pm_server_job *j, int rank, int code, char *why);
/* An event of this kind, here or for the root. */
void pm_raise_event(struct pm_server_job *j, enum pm_note_kind kind, int rank, int code,
                    const char *text);

/* generation.c */
struct pm_generation *pm_generation_find(const struct pm_server_job *j, int number);
struct pm_generation *pm_generation_get(struct pm_server_job *j, int number); /* makes it */

/* barrier.c */
struct pm_generation *pm_generation_join(struct pm_server_job *j, int rank); /* NULL: no memory */
void pm_generation_finalize(struct pm_server_job *j, int rank);
void pm_generation_barrier(struct pm_server_job *j, int rank); /* which does not wait there yet */
void pm_generation_disconnect(struct pm_server_job *j, int rank);
void pm_generation_free(struct pm_server_job *j, struct pm_generation *g);
void pm_generation_end_barrier(struct pm_server_job *j, struct pm_generation *g);
void pm_generation_wait(struct pm_server_job *j, struct pm_generation *g); /* a hub does */
/* No rank of the hub can be in it any more, this one as the last. */
void pm_generation_leave(struct pm_server_job *j, struct pm_generation *g, struct pm_hub *hub,
                         int rank);
/* The rank is the first one of its hub that cannot enter the barrier any more. */
void pm_generation_miss(struct pm_server_job *j, struct pm_generation *g, int rank, bool joined);
void pm_generation_miss_all(struct pm_server_job *j, int number, int rank); /* from this one on */

/* pmi2_attributes.c: a rank cannot put attributes any more. */
void pm_attributes_leave(struct pm_server_job *j, struct pm_generation *g, int rank);
void pm_attributes_free(struct pm_generation *g);

/* memory.c */
bool pm_is_memory(const char *key);
void pm_memory_give(struct pm_server_job *j, int rank, const char *key); /* replies to a get */
void pm_memory_free(struct pm_server_job *j, struct pm_generation *g);

#endif /* PM_SERVER_IMPL_H */
