/* collchk_impl.h — shared between the files of src/adi3/collchk, and no others. */
#ifndef COLLCHK_IMPL_H
#define COLLCHK_IMPL_H

#include "collchk.h"

enum { COLLCHK_DESCRIPTION = 160, COLLCHK_TEXT = 400 }; /* bytes of a call in words; of a report */

/* Of an intercommunicator that of our group, and the other way round; else NULL. */
struct adi3_comm *collchk_sibling(const struct adi3_comm *c);
void collchk_describe(const struct adi3_call_record *call, char *text, size_t len);
void collchk_tick(void); /* twice a second */

/* ---- mismatch.c ------------------------------------------------------------------------------ */

struct mismatch_report { /* what another process says of its call */
    uint32_t number;
    int tag;
    bool init, asks;
    int relays; /* the class of its call's error, whose text is here, if that is as ours; or 0 */
    struct adi3_what what;
    uint64_t len; /* as in adi3_call_record */
    uint32_t others;
    char text[COLLCHK_TEXT];
};

extern const struct p2p_packet ask_packet, differs_packet;

/* The call fails, and all processes are told. */
void mismatch_fail(struct adi3_comm *c, struct adi3_call_record *call, int err);
/* Compares what was asked about calls that had not begun, with this one. */
void mismatch_call_begun(struct adi3_comm *c, struct adi3_call_record *call);
/* Tells the processes that have asked about a call that failed. */
void mismatch_answer(struct adi3_comm *c, const struct adi3_call_record *call);
void mismatch_comm_ends(struct adi3_comm *c);
void mismatch_forget(struct adi3_comm *c); /* all that was asked */

#endif /* COLLCHK_IMPL_H */
