/* pm_hub.h — the servers of a job on several nodes. The ranks of a node are connected to its hub,
 * and the hubs are the children of the root, in mpiexec. A job on one node has a root alone, whose
 * children are the ranks.
 *
 * A hub answers what it knows. It counts its ranks in a barrier, and then sends what they have put.
 * It asks for a key once, and keeps the answer. What hubs and the root say to each other are notes;
 * the notes of a hub must arrive in their order, and so must those of the root. */
#ifndef PM_HUB_H
#define PM_HUB_H

#include "pm/server/pm_server.h"

/* What a note says, with its generation, rank, value and bytes. Texts end in NUL. */
enum pm_note_kind {
    PM_NOTE_JOINED = 1, /* a rank has joined, the first one of the node */
    PM_NOTE_PUT,        /* generation; "key", "value", ... */
    PM_NOTE_BARRIER,    /* generation; puts, as PUT: every rank that can wait in the barrier does */
    PM_NOTE_GET,        /* generation; "key". 1: for its lowest rank, see prefetch.c */
    PM_NOTE_NAME,       /* rank, enum pm_name_op; "service", "port" */
    PM_NOTE_MISSING,    /* generation, rank: the first rank that joined and left */
    PM_NOTE_GONE,    /* generation, rank: the rank joins neither this generation nor later ones */
    PM_NOTE_LEFT,    /* generation, rank: the last rank of the node to leave or be gone */
    PM_NOTE_STATE,   /* rank, its state: its connection has ended. Only when the root does not know:
                     * a rank is finalized when the node has joined */
    PM_NOTE_ABORT,   /* rank, code; "why". As the other two: events of pm_server.h */
    PM_NOTE_BROKEN,  /* rank; "why" */
    PM_NOTE_WARN,    /* rank; "what" */
    PM_NOTE_SPAWN,   /* rank, its request: the texts of spawn.c */
    PM_NOTE_VERDICT, /* rank, its request; generation 1: the job is killed. pmi_spawn.h */

    /* From the root. */
    PM_NOTE_RELEASE, /* generation, 1 when keys have got other values: the barrier has ended */
    PM_NOTE_VALUE,   /* generation; "key", "value". The key alone: it has none. Behind both, keys
                      * that have not been asked for and their values */
    PM_NOTE_NAMED,   /* rank, 1 when it was done; "port", or "error" */
    PM_NOTE_DEAD,    /* "3,1": all dead ranks, in a job that survives deaths */
    PM_NOTE_SPAWNED, /* rank, its request: the answer of spawn.c */
    PM_NOTE_LOST,    /* rank, its request: "why" the job that has started has failed */
    PM_NOTE_KINDS
};

enum pm_name_op { PM_PUBLISH, PM_LOOKUP, PM_UNPUBLISH };

struct pm_note {
    enum pm_note_kind kind;
    int generation, rank, value;
    const char *bytes;
    size_t len;
};

/* Handles a note of the hub of this node, or of the root. 0; -EBADMSG when it is wrong, -ENOMEM. */
int pm_server_from_hub(struct pm_server_job *j, int node, const struct pm_note *note);
int pm_server_from_root(struct pm_server_job *j, const struct pm_note *note);

#endif /* PM_HUB_H */
