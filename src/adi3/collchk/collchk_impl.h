/* collchk_impl.h — collective calls that differ: what the files of src/adi3 share of it. */
#ifndef COLLCHK_IMPL_H
#define COLLCHK_IMPL_H

#include "adi3_impl.h"

enum { COLLCHK_DESCRIPTION = 160, COLLCHK_TEXT = 400 }; /* bytes of a call's words; of a letter */

static inline bool collchk_same(int a, int b)
{
    unsigned x = (unsigned) a & ADI3_SIGNATURE, y = (unsigned) b & ADI3_SIGNATURE, differ = x ^ y;

    if (!x || !y)
        return true;
    return !(differ & ADI3_SIGN_WHAT)
           && (!(differ & ADI3_SIGN_LEN) || !(x & ADI3_SIGN_LEN) || !(y & ADI3_SIGN_LEN))
           && (!(differ & ADI3_SIGN_TYPE) || !(x & ADI3_SIGN_TYPE) || !(y & ADI3_SIGN_TYPE));
}

/* The call of that number; the one with that tag's number; NULL: it is not remembered. */
struct adi3_call_record *call_record_of_number(const struct adi3_comm *c, bool init,
                                               uint32_t number);
struct adi3_call_record *call_record_of_tag(const struct adi3_comm *c, int tag);
bool call_has_begun(const struct adi3_comm *c, bool init, uint32_t number); /* or a later one */

/* A message that was kept is of another call than ours with this tag: its sender is asked. */
bool collchk_differs(struct adi3_queues *q, struct match_message *u, int tag);

/* Of an intercommunicator that of our group, and the other way round; else NULL. */
struct adi3_comm *collchk_sibling(const struct adi3_comm *c);

/* The call ends in this error, as another's differs. */
void collchk_fail(struct adi3_comm *c, struct adi3_call_record *call, int err);

/* Waits, not for long, until another tells why this call fails, or one before; MPI_SUCCESS: it does
 * not. */
int collchk_await_report(struct adi3_comm *c, int tag);
void collchk_describe(const struct adi3_call_record *call, char *text, size_t len); /* its words */

/* letter.c */
struct letter { /* what another says of its call */
    uint32_t number;
    int tag;
    bool init, asks;
    int relays; /* the class of its call's error, of which the text is, if that is as ours; or 0 */
    struct adi3_what what;
    uint64_t len; /* as in adi3_call_record */
    uint32_t others;
    char text[COLLCHK_TEXT];
};
/* An answer has come from a process of MPI_COMM_WORLD, which ends, about a call of that number. */
bool mismatch_peer_finalizes(int rank, uint32_t number);
void mismatch_ask(struct adi3_comm *c, int rank, const struct adi3_call_record *call);
/* The call fails, and all are told. */
void mismatch_fail(struct adi3_comm *c, struct adi3_call_record *call, int err);
/* Compares what was asked about calls that had not been begun, with this one. */
void mismatch_call_begun(struct adi3_comm *c, struct adi3_call_record *call);
void mismatch_answer(struct adi3_comm *c,
                     const struct adi3_call_record *call); /* tells who asked */
void mismatch_comm_ends(struct adi3_comm *c);              /* it ends */
void mismatch_forget(struct adi3_comm *c);                 /* all that was asked */

#endif /* COLLCHK_IMPL_H */
