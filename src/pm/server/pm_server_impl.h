/* pm_server_impl.h — what the files of the PMI server share. */
#ifndef PM_SERVER_IMPL_H
#define PM_SERVER_IMPL_H

#include <stdbool.h>
#include "pm_framing.h"
#include "pm_kvs.h"
#include "pm_server.h"
#include "pmi_line.h"

enum { PM_VALUE_MAX = 1023, PM_NAME_MAX = 255, PM_COMPLAINTS = 8 };

/* One MPI program of the job, from its init to its finalize. There are several when a rank is a
 * shell that runs one MPI program after the other: each has its own name and store, so that a
 * rank that is ahead does not meet leftovers of the program before. */
struct pm_round {
    struct pm_round *next;
    int number;
    int waiting;  /* ranks in the barrier */
    int missing;  /* ranks that will not come to it any more */
    int finished; /* ranks that have finalized */
    int culprit;  /* the first of the missing */
    struct pm_kvs kvs;
    char name[PM_NAME_MAX + 1];
};

struct pm_client {
    enum pm_standing standing;
    bool gone;                 /* sends nothing more */
    bool ignored;              /* has aborted, or has broken the protocol beyond repair */
    bool waiting;              /* in its round's barrier */
    bool spawning;             /* in the middle of mcmd=spawn */
    int spawns, spawns_wanted; /* blocks of it seen, and in all */
    int rounds;                /* joined so far */
    int complaints;
    struct pm_round *round; /* the latest joined; may be over, then only its number counts */
    struct pm_framing in;
};

struct pm_server {
    struct pm_events events;
    int size, universe, gone;
    struct pm_round *rounds;
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
void pm_complain(struct pm_server *s, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* barrier.c */
struct pm_round *pm_round_join(struct pm_server *s, int rank); /* NULL: out of memory */
void pm_round_finish(struct pm_server *s, int rank);
void pm_round_barrier(struct pm_server *s, int rank);
void pm_round_gone(struct pm_server *s, int rank);

/* command.c: does what one line asks for. */
void pm_command(struct pm_server *s, int rank, const char *line);

/* names.c */
void pm_publish(struct pm_server *s, int rank, const char *line);
void pm_lookup(struct pm_server *s, int rank, const char *line);
void pm_unpublish(struct pm_server *s, int rank, const char *line);

#endif /* PM_SERVER_IMPL_H */
