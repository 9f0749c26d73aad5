/* collchk.h — the collective check: what other rooms need of it when calls differ. */
#ifndef COLLCHK_H
#define COLLCHK_H

#include "adi3_collchk.h"
#include "p2p.h"

int collchk_init(void);
/* The call ends in this error, as another process's differs. */
void collchk_fail(struct adi3_comm *c, struct adi3_call_record *call, int err);
/* Waits, not for long, until another process says why this call fails, or one before; MPI_SUCCESS:
 * none does. */
int collchk_await_report(struct adi3_comm *c, int tag);

/* For those that see another's tag elsewhere than in a message: MPI_SUCCESS when it agrees with
 * ours, else an error that shows both calls. Waits for the other's answer, not for long. */
int collchk_compare(struct adi3_comm *c, int rank, int ours, int theirs);
/* Likewise when it is known that one of the calls before this one differed. */
int collchk_compare_before(struct adi3_comm *c, int rank, int tag);
/* Another has sent or shown so many bytes, and our call with this tag expects another number, which
 * the signature does not always show: the error that the call ends in, in all processes unless one
 * block of many is too long. MPI_SUCCESS: there is none such. */
int collchk_length(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
/* To be called all the while by a call that waits for others and has no receive that says so. The
 * error that the call with this tag has ended in, or MPI_SUCCESS. */
int collchk_wait(struct adi3_comm *c, int tag);

/* ---- MPI_Finalize ---------------------------------------------------------------------------- */

/* No more calls are made here (true); then there is no other process any more (false). */
void mismatch_finalizing(bool is);
void mismatch_ask(struct adi3_comm *c, int rank, const struct adi3_call_record *call);
/* An answer has come from a process of MPI_COMM_WORLD, which ends, about a call of that number. */
bool mismatch_peer_finalizes(int rank, uint32_t number);

#endif /* COLLCHK_H */
