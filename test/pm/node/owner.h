/* owner.h — an owner of a node that notes its events, for tests. */
#ifndef OWNER_H
#define OWNER_H

#include <string.h>
#include "pm/node/pm_node.h"
#include "unit.h"

enum { PROCESSES = 4, WAIT_S = 30 };

struct seen { /* events of a process */
    pid_t pid;
    bool started, not_started, exiting, exited, pmi_ended, pmi_stuck, input_ended;
    int status, err, taken;
    bool output_ended[PM_STREAMS];
    char *text[PM_STREAMS];
    size_t len[PM_STREAMS];
    int pieces, long_pieces; /* calls of output(), and those with more */
    char pmi[256];
    char what[256];
    char last[128];
};

extern struct pm_node *node;
extern struct seen seen[PROCESSES];
extern bool ready, refused, ended;
extern struct pm_refusal refusal;
extern char log_text[4096]; /* log lines of the node */
extern int exiting_found;   /* calls of exiting_found() */
extern int job_now;
extern int forgotten; /* the job; -1: none */ /* the job of what is prepared and started */
extern int pause_after; /* pauses sink 0 when it has got that many bytes; 0: never */

void open_node(void);                                 /* its process ends after 2 * WAIT_S */
const struct pm_executable *script(const char *text); /* run by /bin/sh */
void prepare(const struct pm_executable *x);          /* sets ready or refused */

/* Starts a script as the next process, with its two streams to sink 0. */
void start(const char *text, enum pm_hold hold, enum pm_input_kind input);
void start_on(const char *text, const char *cpus); /* the same, bound, without input */
void wait_for(const bool *flag);                   /* turns the loop until it is set */
void finish(void);                                 /* until the node has ended, without log lines */

#endif /* OWNER_H */
