/* classes.h — C05: the types that each predefined operation takes, and those that it refuses.
 * Types that the standard leaves out (§5.9.2) but MPICH 4.0 takes, and Open MPI 4.1 most of them,
 * are an error only with STARLING_CHECK=strict. */
#ifndef CLASSES_H
#define CLASSES_H

#include <stdbool.h>
#include "coll_test.h"

enum class {
    C_INTEGER = 1,
    FLOATING = 2,
    LOGICAL = 4,
    COMPLEX = 8,
    BYTES = 16,
    MULTI = 32,
    PAIR = 64,
    CHARACTER = 128,
    F_INTEGER = 256,
    MORE = CHARACTER | F_INTEGER | FLOATING | MULTI, /* of logical operations */
};

static const struct {
    MPI_Op op;
    int takes, more; /* more: also taken, but not by the standard */
} operations[] = {
    { MPI_MAX, C_INTEGER | F_INTEGER | FLOATING | MULTI, CHARACTER },
    { MPI_MIN, C_INTEGER | F_INTEGER | FLOATING | MULTI, CHARACTER },
    { MPI_SUM, C_INTEGER | F_INTEGER | FLOATING | COMPLEX | MULTI, CHARACTER },
    { MPI_PROD, C_INTEGER | F_INTEGER | FLOATING | COMPLEX | MULTI, CHARACTER },
    { MPI_LAND, C_INTEGER | LOGICAL, MORE },
    { MPI_LOR, C_INTEGER | LOGICAL, MORE },
    { MPI_LXOR, C_INTEGER | LOGICAL, MORE },
    { MPI_BAND, C_INTEGER | F_INTEGER | BYTES | MULTI, CHARACTER },
    { MPI_BOR, C_INTEGER | F_INTEGER | BYTES | MULTI, CHARACTER },
    { MPI_BXOR, C_INTEGER | F_INTEGER | BYTES | MULTI, CHARACTER },
    { MPI_MAXLOC, PAIR, 0 },
    { MPI_MINLOC, PAIR, 0 },
    { MPI_REPLACE, 0, 0 },
    { MPI_NO_OP, 0, 0 },
};

static const struct {
    MPI_Datatype type;
    int class;
} types[] = {
    { MPI_INT, C_INTEGER },
    { MPI_SIGNED_CHAR, C_INTEGER },
    { MPI_UNSIGNED_LONG, C_INTEGER },
    { MPI_INT8_T, C_INTEGER },
    { MPI_UINT64_T, C_INTEGER },
    { MPI_FLOAT, FLOATING },
    { MPI_DOUBLE, FLOATING },
    { MPI_LONG_DOUBLE, FLOATING },
    { MPI_C_BOOL, LOGICAL },
    { MPI_C_FLOAT_COMPLEX, COMPLEX },
    { MPI_C_DOUBLE_COMPLEX, COMPLEX },
    { MPI_BYTE, BYTES },
    { MPI_AINT, MULTI },
    { MPI_OFFSET, MULTI },
    { MPI_COUNT, MULTI },
    { MPI_2INT, PAIR },
    { MPI_DOUBLE_INT, PAIR },
    { MPI_SHORT_INT, PAIR },
    { MPI_INTEGER1, F_INTEGER },
    { MPI_INTEGER2, F_INTEGER },
    { MPI_INTEGER8, F_INTEGER },
    { MPI_INTEGER16, F_INTEGER },
    { MPI_CHAR, CHARACTER },
    { MPI_CHARACTER, CHARACTER },
    { MPI_WCHAR, 0 },
    { MPI_PACKED, 0 },
};

enum taken { REFUSED, TAKEN, NOT_STANDARD };

/* Checks that the code is success when the operation takes the type; else an error that says why
 * not. */
static void check(int code, enum taken taken)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int class = MPI_SUCCESS, len;

    if (code != MPI_SUCCESS) {
        MPI_Error_class(code, &class);
        MPI_Error_string(code, text, &len);
    }
    CHECK_INT(class, taken == TAKEN ? MPI_SUCCESS : MPI_ERR_OP);
    CHECK_INT(strstr(text, "by §5.9.2 of the standard") != NULL, taken == NOT_STANDARD);
}

/* All processes make the same call, so no process waits for another. */
static void test_pair(struct me m, MPI_Op op, MPI_Datatype type, enum taken taken)
{
    char in[4 * 32], out[4 * 32];
    int one[64];
    MPI_Request r = MPI_REQUEST_NULL;

    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    CHECK(m.size <= 64);
    for (int i = 0; i < m.size; i++)
        one[i] = i == 0;
    check(MPI_Allreduce(in, out, 1, type, op, m.comm), taken);
    check(MPI_Reduce(in, out, 1, type, op, m.size - 1, m.comm), taken);
    check(MPI_Reduce_scatter(in, out, one, type, op, m.comm), taken);
    check(MPI_Scan(in, out, 1, type, op, m.comm), taken);
    check(MPI_Exscan(in, out, 1, type, op, m.comm), taken);
    check(MPI_Reduce_local(in, out, 1, type, op), taken);
    check(MPI_Iallreduce(in, out, 1, type, op, m.comm, &r), taken);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check(MPI_Allreduce_init(in, out, 1, type, op, m.comm, MPI_INFO_NULL, &r), taken);
    if (taken == TAKEN)
        MPI_Request_free(&r);
}

static void test_all(bool strict)
{
    struct me m = whoami(MPI_COMM_WORLD);

    MPI_Comm_set_errhandler(m.comm, MPI_ERRORS_RETURN);
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            enum taken taken = operations[o].takes & types[t].class ? TAKEN : REFUSED;
            if (operations[o].more & types[t].class)
                taken = strict ? NOT_STANDARD : TAKEN;
            test_pair(m, operations[o].op, types[t].type, taken);
        }
}

#endif /* CLASSES_H */
