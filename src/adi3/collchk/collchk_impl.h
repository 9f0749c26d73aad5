/* collchk_impl.h — shared between the files of src/adi3/collchk, and no others.
 *
 * From the ground up: report.c (reports and queries), fail.c (a call ends in an error), ended.c
 * (communicators that have been freed), mismatch.c (compares calls with reports), call_order.c
 * (calls made in another order), wait.c (calls that wait long), last.c (calls that no process
 * waits for), packets.c, collchk.c. */
#ifndef COLLCHK_IMPL_H
#define COLLCHK_IMPL_H

#include "adi3/collchk/collchk.h"

enum {
    COLLCHK_DESCRIPTION = 160, /* bytes of the text that describes a call */
    COLLCHK_TEXT = 400,        /* bytes of a report's text */
};

/* Of an intercommunicator, the one of our group alone, and the other way round; else NULL. */
struct adi3_comm *collchk_sibling(const struct adi3_comm *c);
/* Stands behind a rank in error texts. */
static inline const char *group_suffix(const struct adi3_comm *c)
{
    return c->remote ? " of the other group" : "";
}
/* Writes a call with its arguments; without src/mpi, its name. */
void collchk_describe(const struct adi3_call_record *call, char *text, size_t len);
void collchk_tick(void); /* called twice a second */
/* Stands before "operation" in texts: calls are numbered by form. */
static inline const char *form_word(int form)
{
    static const char *const words[] = { "", "nonblocking ", "persistent " };

    return words[form];
}

/* ---- reports (report.c) ---------------------------------------------------------------------- */

struct mismatch_report { /* what another process says of its call */
    uint32_t number;
    int tag;
    int form;
    bool asks;    /* of ASK: the sender wants an answer if our call differs */
    bool blocked; /* of ASK: the sender makes no other call before this one is complete */
    int relays;   /* DIFFERS with the error of a call that is like ours: its class, and its text is
                   here; 0: the text describes the call */
    struct adi3_what what;
    uint64_t len;                    /* as in adi3_call_record */
    uint32_t others[ADI3_FORMS - 1]; /* likewise; if blocked, up to now */
    char text[COLLCHK_TEXT];
};

struct mismatch_query { /* the last report of one process about a call that may come, or may fail */
    struct mismatch_query *next;
    int rank;
    struct mismatch_report report;
};

struct sender {   /* this process, as a sender in a communicator */
    uint32_t ctx; /* that the receivers know it by */
    int rank;
};

static inline struct sender sender_in(const struct adi3_comm *c)
{
    return (struct sender) { c->send_ctx, c->rank };
}

/* What is sent. */
enum report {
    REPORT_ASK,
    REPORT_ASK_BLOCKED, /* see mismatch_report */
    REPORT_LAST,
    REPORT_CALL,  /* DIFFERS */
    REPORT_ERROR, /* DIFFERS with the error of the call instead of its description */
};
/* Sends a report. Without memory, or when the process is lost, nothing is sent. */
void report_post(struct adi3_proc *to, struct sender from, enum report what,
                 const struct adi3_call_record *call);
void report_send(struct adi3_comm *c, int rank, enum report what,
                 const struct adi3_call_record *call);
/* False when the packet makes no sense. Sets *c to its communicator, NULL when there is none here,
 * not yet or any more. */
bool report_is_valid(const struct dev_peer *from, const struct dev_pkt *pkt, struct adi3_comm **c);
void report_read(const struct dev_pkt *pkt, const char *text, struct mismatch_report *r);

/* Saves a report in c->asked, in place of an earlier one of this rank. */
void query_save(struct adi3_comm *c, int rank, const struct mismatch_report *r);
/* Takes the next query out that is about this call, or about an earlier one that is no longer
 * remembered; NULL: there is none. The caller frees it. */
struct mismatch_query *query_take(struct adi3_comm *c, const struct adi3_call_record *call);
/* The call has failed: sends its error to the processes that have asked about it. */
void query_answer(struct adi3_comm *c, const struct adi3_call_record *call);
void query_forget(struct adi3_comm *c); /* frees all */

/* Whether MPI_Finalize compares the last calls of a communicator: not between two groups, whose
 * arguments differ, and not of several jobs, which do not end together. */
static inline bool comm_is_compared(const struct adi3_comm *c)
{
    return !c->remote && !c->block && c->size > 1 && c->queue[1];
}

/* ---- communicators that have been freed (ended.c) -------------------------------------------- */

struct ended_comm {
    uint32_t ctx;
    struct sender us;
    const char *whose;                           /* group_suffix() of the communicator */
    struct adi3_proc *first;                     /* its rank 0; NULL: not comm_is_compared() */
    uint32_t begun[ADI3_FORMS];                  /* how many calls of each form were begun */
    struct adi3_call_history *calls[ADI3_FORMS]; /* the last of them */
    int err;                                     /* if calls on it differed; else MPI_SUCCESS */
};
void ended_add(struct adi3_comm *c); /* takes over its histories */
struct ended_comm *ended_find(uint32_t ctx);
struct ended_comm *ended_next(struct ended_comm *e); /* NULL: the first; then the one after e */
void ended_close(void);                              /* frees all, and keeps no more */

/* ---- comparing (mismatch.c) ------------------------------------------------------------------ */

/* Compares a report with our call, and acts. False: both match and neither has failed. */
bool mismatch_compare(struct adi3_comm *c, struct adi3_call_record *call, int rank,
                      const struct mismatch_report *r);
/* Answers a query about a communicator that has been freed. */
void mismatch_answer_freed(struct dev_peer *from, int rank, uint32_t ctx,
                           const struct mismatch_report *r);
extern bool mismatch_at_end;       /* this process is in MPI_Finalize, */
extern const char mismatch_ends[]; /* in words */

/* The call fails, and its error is reported to all processes. */
void mismatch_fail(struct adi3_comm *c, struct adi3_call_record *call, int err);
/* The call has begun: compares saved queries with it. */
void mismatch_call_begun(struct adi3_comm *c, struct adi3_call_record *call);
/* The communicator is freed: answers queries about calls that will not be made. */
void mismatch_comm_ends(struct adi3_comm *c);
/* The error for the process `rank`, which waits in the call of report r. This process has not made
 * the call. did: the action instead, "called ..."; us: the rank of this process; whose:
 * group_suffix(). */
int mismatch_instead(const char *did, int us, int rank, const char *whose,
                     const struct mismatch_report *r);
/* Answers a query about a call that has no record here with err. */
void mismatch_refuse(struct adi3_proc *to, struct sender us, const struct mismatch_report *r,
                     int err);

/* ---- calls in another order (call_order.c) --------------------------------------------------- */

/* Another process asks about a call that has not begun here. True when a call of ours stands in its
 * place, and both have failed for that. */
bool call_order_ask(struct adi3_comm *c, int rank, const struct mismatch_report *r);
/* Compares the place of a call of rank with that of ours, in MPI_Finalize. */
void call_order_compare(const struct adi3_call_record *ours, int rank,
                        const struct mismatch_report *r);
void call_order_end(int rank); /* all calls of rank on a communicator have been compared */
/* True when this process has said that calls were made in another order. It says so once. */
bool call_order_told(void);

/* The call on c that this process is in, and cannot leave, as it waits for another process to make
 * it; NULL: none is known. */
struct adi3_call_record *call_that_blocks(const struct adi3_comm *c);

/* ---- calls that no process waits for (last.c) ------------------------------------------------ */

int last_receive(struct dev_peer *from, const struct dev_pkt *pkt, const void *text);
void last_comm_ends(const struct adi3_comm *c); /* call before ended_add() */

int packets_add(void); /* packets.c: registers all of them */

#endif /* COLLCHK_IMPL_H */
