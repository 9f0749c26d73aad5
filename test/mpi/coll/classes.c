/* classes.c — C05: the types that each predefined operation takes, and those that it refuses.
 *
 * Only for Starling: an error of MPICH 4.0 may come after the others have begun. */
#include "coll_test.h"

enum class {
    C_INTEGER = 1,
    FLOATING = 2,
    LOGICAL = 4,
    COMPLEX = 8,
    BYTES = 16,
    MULTI = 32,
    PAIR = 64
};

static const struct {
    MPI_Op op;
    int takes;
} operations[] = {
    { MPI_MAX, C_INTEGER | FLOATING | MULTI },
    { MPI_MIN, C_INTEGER | FLOATING | MULTI },
    { MPI_SUM, C_INTEGER | FLOATING | COMPLEX | MULTI },
    { MPI_PROD, C_INTEGER | FLOATING | COMPLEX | MULTI },
    { MPI_LAND, C_INTEGER | LOGICAL },
    { MPI_LOR, C_INTEGER | LOGICAL },
    { MPI_LXOR, C_INTEGER | LOGICAL },
    { MPI_BAND, C_INTEGER | BYTES | MULTI },
    { MPI_BOR, C_INTEGER | BYTES | MULTI },
    { MPI_BXOR, C_INTEGER | BYTES | MULTI },
    { MPI_MAXLOC, PAIR },
    { MPI_MINLOC, PAIR },
    { MPI_REPLACE, 0 },
    { MPI_NO_OP, 0 },
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
    { MPI_CHAR, 0 },
    { MPI_WCHAR, 0 },
    { MPI_PACKED, 0 },
};

/* code is right when the operation takes the type, or says that it does not. */
static void check(int code, int taken)
{
    int class = MPI_SUCCESS;

    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    CHECK_INT(class, taken ? MPI_SUCCESS : MPI_ERR_OP);
}

/* All processes make the same call: nobody waits for another. */
static void test_pair(struct me m, MPI_Op op, MPI_Datatype type, int taken)
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
    if (taken)
        MPI_Request_free(&r);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(m.comm, MPI_ERRORS_RETURN);
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            test_pair(m, operations[o].op, types[t].type, operations[o].takes & types[t].class);
    MPI_Finalize();
    return 0;
}
