/* describe.c — describes a collective call with its arguments, for errors about calls that
 * differ. */
#include <stdio.h>
#include "mpi/coll/coll.h"
#include "mpi/core/core.h"

enum { WORD = 64 };

static void put_type(char *word, MPI_Datatype h)
{
    const struct adi3_type *t = adi3_type_builtin(h);

    if (!t)
        t = adi3_get(&adi3_types, h);
    if (t && *t->name)
        (void) snprintf(word, WORD, "%s", t->name);
    else if (t)
        (void) snprintf(word, WORD, "a datatype of %zu bytes", t->size);
    else
        (void) snprintf(word, WORD, "one that is freed");
}

static void put_op(char *word, unsigned op)
{
    if (op & ADI3_OP_USERS)
        (void) snprintf(word, WORD, "the program's own, %scommutative",
                        op & ADI3_OP_COMMUTES ? "" : "not ");
    else
        mpir_show_value(word, "MPI_Op", (int) ((unsigned) MPI_MAX & ~0xffu) | (int) op);
}

/* Arguments are in the order of the MPI function. */
static void call_record_describe(const struct adi3_call_record *call, char *text, size_t len)
{
    static const char *const counts[] = {
        [ADI3_SHOWS_DATA] = "count",         [ADI3_SHOWS_RECV] = "recvcount",
        [ADI3_SHOWS_BLOCK] = "recvcount",    [ADI3_SHOWS_SEND] = "sendcount",
        [ADI3_SHOWS_ALL] = "all recvcounts",
    };
    static const char *const types[] = {
        [ADI3_SHOWS_DATA] = "datatype",  [ADI3_SHOWS_RECV] = "recvtype",
        [ADI3_SHOWS_BLOCK] = "datatype", [ADI3_SHOWS_SEND] = "sendtype",
        [ADI3_SHOWS_ALL] = "datatype",
    };
    char type[WORD], op[WORD], shown[4][2 * WORD] = { "" };
    const struct adi3_what *w = &call->what;

    if (w->shows) {
        put_type(type, call->type);
        (void) snprintf(shown[0], sizeof shown[0], "%s=%zu, ", counts[w->shows], call->count);
        (void) snprintf(shown[1], sizeof shown[1], "%s=%s, ", types[w->shows], type);
    }
    if (w->op) {
        put_op(op, w->op);
        (void) snprintf(shown[2], sizeof shown[2], "op=%s, ", op);
    }
    if (w->root >= 0)
        (void) snprintf(shown[3], sizeof shown[3], "root=%d, ", w->root);
    int n = snprintf(text, len, "%s(%s%s%s%s", call->name, shown[0], shown[1], shown[2], shown[3]);
    size_t end = n < 0 ? 0 : (size_t) n < len - 2 ? (size_t) n : len - 2;
    end -= end >= 2 && text[end - 1] == ' ' ? 2 : 0;
    (void) snprintf(text + end, len - end, ")");
}

void coll_describe_init(void) { adi3_collchk_describe = call_record_describe; }
