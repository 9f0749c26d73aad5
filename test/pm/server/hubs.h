/* hubs.h — the hubs of a job on several nodes and their root in one process, with a queue of the
 * notes that are under way; for tests. */
#ifndef HUBS_H
#define HUBS_H

#include "pm/server/pm_hub.h"

enum { NODES_MAX = 64, PER_NODE = 4, REPLY_MAX = 1 << 16 };

#define INIT "cmd=init pmi_version=1 pmi_subversion=1\n"

struct hub {
    int node;
    struct pm_server *server;
    struct pm_server_job *job;
    int notes[PM_NOTE_KINDS]; /* of each kind, up or down */
    size_t bytes;             /* of all these */
};

extern struct hub *hub, root;    /* a hub for each node */
extern char (*reply)[REPLY_MAX]; /* since the last line of each rank; NULL: they are dropped */
extern int broken_rank, abort_rank, abort_code, warnings;
extern char why[256];
extern bool survives; /* jobs that are created do */

/* The last request for another job, as "2 FILE,ARG,ARG{KEY=VALUE} 1 FILE <KEY=VALUE>". */
extern char spawn_text[4096];
extern int spawn_rank, spawn_request;     /* -1: there is none */
extern int verdict_rank, verdict_request; /* the last one; the job is killed: -request */
extern const char *spawn_why;             /* such requests fail at once; NULL: they wait */
extern const char *const *spawn_preput;   /* of jobs that are created; NULL: they are not spawned */

/* PER_NODE ranks on each node; or all of them at the root. */
void create(int of_nodes, bool hubs);
void create_large(int ranks, int of_each); /* of each node; with hubs, whose replies are dropped */
void create_root(int ranks, int of_each);  /* likewise; what is sent to hubs is only counted */
void send_note(int node, enum pm_note_kind kind, int value, const char *bytes, size_t len);
void destroy(void);
void open_two(void); /* nodes, whose ranks have joined; no note is counted yet */

void settle(void);                           /* delivers all notes */
void send_line(int rank, const char *line);  /* delivers none */
const char *say(int rank, const char *line); /* returns the reply */
void all_say(int count, const char *line);
void end_rank(int rank);

int notes(int node, enum pm_note_kind kind); /* since this was asked last */
int all_notes(int node);

#endif /* HUBS_H */
