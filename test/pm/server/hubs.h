/* hubs.h — the hubs of a job on several nodes and their root in one process, with a queue of the
 * notes that are under way; for tests. */
#ifndef HUBS_H
#define HUBS_H

#include "pm/server/pm_hub.h"

enum { NODES_MAX = 64, PER_NODE = 4, RANKS_MAX = NODES_MAX * PER_NODE, REPLY_MAX = 1 << 16 };

#define INIT "cmd=init pmi_version=1 pmi_subversion=1\n"

struct hub {
    int node;
    struct pm_server *server;
    struct pm_server_job *job;
    int notes[PM_NOTE_KINDS]; /* of each kind, up or down */
};

extern struct hub hub[NODES_MAX], root;
extern char reply[RANKS_MAX][REPLY_MAX]; /* since the last line of that rank */
extern int broken_rank, abort_rank, abort_code, warnings;
extern char why[256];
extern bool survives; /* jobs that are created do */

/* PER_NODE ranks on each node; or all of them at the root. */
void create(int of_nodes, bool hubs);
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
