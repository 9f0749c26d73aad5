/* call_order.c — collective calls that processes have made in another order.
 *
 * All collective calls of a communicator have one order (§5.12), but each form of them is numbered
 * by itself. So a blocking and a nonblocking call may change places: no message of one is taken for
 * one of the other, and the data is right. Programs do so, and are told once. It is an error when
 * two processes wait, each in a call that the other one has not made; and always with persistent
 * calls. */
#include <stdio.h>
#include <string.h>
#include "adi3/collchk/collchk_impl.h"

static const char ORDER[] = "the order of collective calls must be the same in all processes";
static bool told;

bool call_order_told(void) { return told; }

static void call_order_tell(const char *text)
{
    char line[2 * COLLCHK_TEXT];

    (void) snprintf(line, sizeof line, "%s; %s", text ? text : "calls were made in another order",
                    ORDER);
    if (!told && adi3_warn)
        adi3_warn(line);
    told = true;
}

/* ---- a call that has not been made here yet -------------------------------------------------- */

/* The error that shows both calls: ours, and the call that rank asks about. */
static int call_order_error(const struct adi3_comm *c, const struct adi3_call_record *ours,
                            int rank, const struct mismatch_report *r)
{
    char did[COLLCHK_DESCRIPTION + 8] = "called ";

    collchk_describe(ours, did + strlen(did), COLLCHK_DESCRIPTION);
    return mismatch_instead(did, c->rank, rank, group_suffix(c), r);
}

static void fail_both(struct adi3_comm *c, struct adi3_call_record *ours, int rank,
                      const struct mismatch_report *r)
{
    int err = ours->err;

    if (!err)
        err = call_order_error(c, ours, rank, r);
    mismatch_refuse(c->proc[rank], sender_in(c), r, err);
    if (!ours->err)
        mismatch_fail(c, ours, err);
}

bool call_order_ask(struct adi3_comm *c, int rank, const struct mismatch_report *r)
{
    struct adi3_call_record *blocks = r->blocked ? call_that_blocks(c) : NULL;

    for (int i = 0; r->asks && i < ADI3_FORMS - 1; i++) {
        int form = adi3_other_form(r->form, i);
        uint32_t number = r->others[i];
        struct adi3_call_record *ours =
            call_has_begun(c, form, number) ? call_record_of_number(c, form, number) : NULL;
        if (blocks && tag_form(blocks->tag) == form && (int32_t) (blocks->number - number) >= 0)
            ours = blocks;
        if (!ours)
            continue;
        if (ours == blocks || ours->err || form == ADI3_FORM_INIT || r->form == ADI3_FORM_INIT) {
            fail_both(c, ours, rank, r);
            return true;
        }
        if (r->blocked || adi3_threads) /* else it is told at the end, if not before */
            call_order_tell(adi3_error_text(call_order_error(c, ours, rank, r)));
    }
    return false;
}

/* ---- MPI_Finalize ---------------------------------------------------------------------------- */

/* A text about the first call in another order, of rank found_in. The warning waits until all calls
 * of the rank are compared: a missing or a different call makes a better text. */
static char found[2 * COLLCHK_TEXT];
static int found_in;

void call_order_compare(const struct adi3_call_record *ours, int rank,
                        const struct mismatch_report *r)
{
    static const char *const words[] = { "blocking", "nonblocking", "persistent" };
    char call[COLLCHK_DESCRIPTION];

    for (int i = 0; i < ADI3_FORMS - 1 && !*found; i++) {
        if (ours->others[i] == r->others[i])
            continue;
        collchk_describe(ours, call, sizeof call);
        found_in = rank;
        (void) snprintf(found, sizeof found,
                        "%s is %soperation %u of a communicator; %s calls before it: %u in rank 0, "
                        "%u in rank %d",
                        call, form_word(r->form), (unsigned) r->number + 1,
                        words[adi3_other_form(r->form, i)], (unsigned) ours->others[i],
                        (unsigned) r->others[i], rank);
    }
}

void call_order_end(int rank)
{
    if (*found && found_in == rank)
        call_order_tell(found);
}
