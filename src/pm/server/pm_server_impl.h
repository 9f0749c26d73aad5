/* pm_server_impl.h — what the files of the PMI server share. */
#ifndef PM_SERVER_IMPL_H
#define PM_SERVER_IMPL_H

#include <stdbool.h>
#include "pm_framing.h"
#include "pm_kvs.h"
#include "pm_server.h"
#include "pmi_line.h"

enum { PM_VALUE_MAX = 1023, PM_NAME_MAX = 255, PM_WARNINGS_MAX = 8 };

/* One MPI program of the job, from its init to its finalize. There are several when a rank is a
 * shell that runs one MPI program after the other: each has its own name and store, so that a
 * rank that is ahead does not meet leftovers of the program before. */
struct pm_generation {
    struct pm_generation *next;
    int number;
    int waiting;       /* ranks in the barrier */
    int missing;       /* ranks that will not come to it any more */
    int finished;      /* ranks that have finalized */
    int first_missing; /* the first of the missing */
    struct pm_kvs kvs;
    char name[PM_NAME_MAX + 1];
};

struct pm_client {
    enum pm_client_state state;
    bool gone;                /* sends nothing more */
    bool ignored;             /* has aborted, or has broken the protocol beyond repair */
    bool waiting;             /* in its generation's barrier */
    bool spawning;            /* in the middle of mcmd=spawn */
    int spawns, spawns_total; /* blocks of it seen, and in all */
    int joined;               /* joined so far */
    int warnings;
    struct pm_generation
        *generation; /* the latest joined; may be over, then only its number counts */
    struct pm_framing in;
};

struct pm_server {
    struct pm_events events;
    int size, universe, gone;
    struct pm_generation *generations;
    struct pm_kvs names; /* of published services */
    char *settings;      /* encoded */
    char **program;      /* likewise, by appnum */
    int programs;
    char *mapping;
    char base[PM_NAME_MAX + 1];
    int *appnum;
    struct pm_client *client; /* of each rank */
    char out[PMI_LINE_MAX];   /* the reply being made */
};

/* server.c */
void pm_reply(struct pm_server *s, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pm_warn(struct pm_server *s, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* barrier.c */
struct pm_generation *pm_generation_join(struct pm_server *s, int rank); /* NULL: out of memory */
void pm_generation_finalize(struct pm_server *s, int rank);
void pm_generation_barrier(struct pm_server *s, int rank);
void pm_generation_disconnect(struct pm_server *s, int rank);

/* command.c: does what one line asks for. */
void pm_command(struct pm_server *s, int rank, const char *line);

/* names.c */
void pm_publish(struct pm_server *s, int rank, const char *line);
void pm_lookup(struct pm_server *s, int rank, const char *line);
void pm_unpublish(struct pm_server *s, int rank, const char *line);

#endif /* PM_SERVER_IMPL_H */
