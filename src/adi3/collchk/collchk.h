/* collchk.h — the collective check: what other rooms need of it when calls differ.
 *
 * adi3_collchk.h says what the check is. This room stands above messages, which call it through
 * p2p_mismatch, and below shared-memory segments and schedules, which compare calls without
 * messages. */
#ifndef COLLCHK_H
#define COLLCHK_H

#include "adi3/adi3_collchk.h"
#include "adi3/p2p/p2p.h"

int collchk_init(void);
/* Ends the call in this error, because another process's call differs or has failed. Nothing is
 * done when it has ended in an error already. Calls after it, which the other process does not
 * take part in, end too. */
void collchk_fail(struct adi3_comm *c, struct adi3_call_record *call, int err);
/* Waits, up to a second, until another process reports why the call with this tag, or one before,
 * fails: that error. MPI_SUCCESS when no report comes. */
int collchk_await_report(struct adi3_comm *c, int tag);

/* Compares our tag with one that rank has published elsewhere than in a message. MPI_SUCCESS when
 * they match; else an error that shows both calls, for which it waits up to a second. */
int collchk_compare(struct adi3_comm *c, int rank, int ours, int theirs);
/* As collchk_compare(), when an earlier call is known to differ: always an error. */
int collchk_compare_before(struct adi3_comm *c, int rank, int tag);
/* rank has sent or published `theirs` bytes, and our call with this tag expects `ours`, which the
 * signature does not always show. Returns the error that the call ends in; MPI_SUCCESS when the
 * call has no record. The error is reported to all processes, unless it is only that one block of
 * many is too long. */
int collchk_length(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
/* The work that is due in a waiting call. */
enum collchk_due {
    COLLCHK_NOTHING,
    COLLCHK_COMPARE, /* to compare what other processes have published: about twice a second */
    COLLCHK_ASK,     /* as well, to call collchk_ask() for processes that are waited for: ever more
                        seldom */
};
/* A call that waits without a receive, as in a segment, calls this again and again while it waits.
 * Sets *due. Returns the error that the call with this tag has ended in, or MPI_SUCCESS. */
int collchk_wait(struct adi3_comm *c, int tag, enum collchk_due *due);
void collchk_wait_end(void); /* that wait is over */
/* Asks a process what it has called instead of the call with this tag. */
void collchk_ask(struct adi3_comm *c, int rank, int tag);

/* ---- MPI_Finalize ---------------------------------------------------------------------------- */

/* true: this process makes no more calls, and queries about later ones are answered with an error.
 * false: no other process is there any more, so saved queries are freed. */
void mismatch_finalizing(bool on);
/* Asks a process which call it has made with that number. It answers only if that call differs or
 * has failed, or will not come. */
void mismatch_ask(struct adi3_comm *c, int rank, const struct adi3_call_record *call);
/* True when a process of MPI_COMM_WORLD has answered, about a call of that number, that it is in
 * MPI_Finalize. */
bool mismatch_peer_finalizes(int rank, uint32_t number);

/* Sums of the last calls on each communicator of this process: 0 when added up over all processes
 * of the job, if all have made the same calls. Sets *known to false when calls are not compared, or
 * have been found to differ. */
uint64_t last_calls_sum(bool *known);
/* All processes call this when the sum over all was not 0. Rank 0 of each communicator warns of the
 * first call that differs. Returns whether this process did. */
bool last_calls_compare(void);

#endif /* COLLCHK_H */
