/* errors.c — wrong arguments of the calls of chapter 4: each is an error, changes nothing, and the
 * library works afterwards. D06: what uncommitted, freed and predefined types may not do. */
#include <limits.h>
#include <stdint.h>
#include "../env/starling.h"

static MPI_Datatype made = MPI_INT;

/* Other libraries may choose the class. */
static void expect(int line, int code, int class)
{
    char text[80];

    snprintf(text, sizeof text, "class %d, expected %d", error_class(code), class);
    if (code == MPI_SUCCESS || (starling() && error_class(code) != class))
        mpitest_fail(__FILE__, line, text);
    CHECK(made == MPI_INT || (starling() && made == MPI_DATATYPE_NULL));
    made = MPI_INT;
}

#define FAILS(class, call) expect(__LINE__, call, class)

/* Errors that other libraries need not detect; some crash with them. */
#define OURS(class, call)                                                                          \
    do {                                                                                           \
        if (starling())                                                                            \
            expect(__LINE__, call, class);                                                         \
    } while (0)

static const int ints[] = { 1, 1 }, negative[] = { 1, -1 };
static const MPI_Aint aints[] = { 0, 8 };
static const MPI_Datatype types[] = { MPI_INT, MPI_CHAR }, bad[] = { MPI_INT, MPI_DATATYPE_NULL };

static void counts(void)
{
    FAILS(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_vector(-1, 1, 1, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_vector(1, -1, 1, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_hvector(-1, 1, 1, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_hvector(1, -1, 1, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_indexed(-1, ints, ints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_indexed(2, negative, ints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_hindexed(-1, ints, aints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_hindexed(2, negative, aints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_indexed_block(-1, 1, ints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_indexed_block(2, -1, ints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_hindexed_block(-1, 1, aints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_hindexed_block(2, -1, aints, MPI_INT, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_struct(-1, ints, aints, types, &made));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_struct(2, negative, aints, types, &made));
}

static void old_types(void)
{
    const MPI_Datatype null = MPI_DATATYPE_NULL;

    FAILS(MPI_ERR_TYPE, MPI_Type_contiguous(1, null, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_vector(1, 1, 1, null, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_hvector(1, 1, 1, null, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_indexed(2, ints, ints, null, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_hindexed(2, ints, aints, null, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_indexed_block(2, 1, ints, null, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_hindexed_block(2, 1, aints, null, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_struct(2, ints, aints, bad, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_resized(null, 0, 4, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_dup(null, &made));
}

static void null_arrays(void)
{
    FAILS(MPI_ERR_ARG, MPI_Type_indexed(2, NULL, ints, MPI_INT, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_indexed(2, ints, NULL, MPI_INT, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_create_hindexed(2, NULL, aints, MPI_INT, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_create_hindexed(2, ints, NULL, MPI_INT, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_create_indexed_block(2, 1, NULL, MPI_INT, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_create_hindexed_block(2, 1, NULL, MPI_INT, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_create_struct(2, NULL, aints, types, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_create_struct(2, ints, NULL, types, &made));
    FAILS(MPI_ERR_ARG, MPI_Type_create_struct(2, ints, aints, NULL, &made));
}

/* Subarrays: one argument of a right call is replaced. */
static int subarray(int dims, int size, int subsize, int start, int order)
{
    return MPI_Type_create_subarray(dims, (int[]) { 4, size }, (int[]) { 4, subsize },
                                    (int[]) { 0, start }, order, MPI_INT, &made);
}

static void subarrays(void)
{
    OURS(MPI_ERR_ARG, subarray(0, 5, 2, 1, MPI_ORDER_C));
    FAILS(MPI_ERR_ARG, subarray(-1, 5, 2, 1, MPI_ORDER_C));
    OURS(MPI_ERR_ARG, subarray(2, 0, 2, 1, MPI_ORDER_C));
    OURS(MPI_ERR_ARG, subarray(2, 5, 0, 1, MPI_ORDER_C));
    OURS(MPI_ERR_ARG, subarray(2, 5, 6, 0, MPI_ORDER_C));
    FAILS(MPI_ERR_ARG, subarray(2, 5, 2, -1, MPI_ORDER_C));
    OURS(MPI_ERR_ARG, subarray(2, 5, 2, 4, MPI_ORDER_C));
    FAILS(MPI_ERR_ARG, subarray(2, 5, 2, 1, 12345));
    OURS(MPI_ERR_ARG, MPI_Type_create_subarray(2, NULL, ints, ints, MPI_ORDER_C, MPI_INT, &made));
}

static int darray(int size, int rank, int gsize, int distrib, int darg, int psize)
{
    return MPI_Type_create_darray(size, rank, 2, (int[]) { 4, gsize },
                                  (int[]) { MPI_DISTRIBUTE_BLOCK, distrib },
                                  (int[]) { MPI_DISTRIBUTE_DFLT_DARG, darg }, (int[]) { 2, psize },
                                  MPI_ORDER_C, MPI_INT, &made);
}

static void darrays(void)
{
    enum { CYCLIC = MPI_DISTRIBUTE_CYCLIC };

    OURS(MPI_ERR_ARG, darray(0, 0, 9, CYCLIC, 2, 3));
    OURS(MPI_ERR_RANK, darray(6, -1, 9, CYCLIC, 2, 3));
    OURS(MPI_ERR_RANK, darray(6, 6, 9, CYCLIC, 2, 3));
    OURS(MPI_ERR_ARG, darray(6, 0, 0, CYCLIC, 2, 3));
    OURS(MPI_ERR_ARG, darray(6, 0, 9, 7, 2, 3));
    OURS(MPI_ERR_ARG, darray(6, 0, 9, CYCLIC, 0, 3));
    OURS(MPI_ERR_ARG, darray(6, 0, 9, CYCLIC, 2, 0));
    OURS(MPI_ERR_ARG, darray(7, 0, 9, CYCLIC, 2, 3));               /* 2 * 3 processes */
    OURS(MPI_ERR_ARG, darray(6, 0, 9, MPI_DISTRIBUTE_BLOCK, 2, 3)); /* blocks too short */
    OURS(MPI_ERR_ARG, MPI_Type_create_darray(1, 0, 1, ints, (int[]) { CYCLIC }, ints, ints, 12345,
                                             MPI_INT, &made));
}

/* Every call that takes a type for data. */
static void may_not_communicate(MPI_Datatype type)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm self = MPI_COMM_SELF;
    char buf[64] = "", packed[64];
    int at = 0;

    FAILS(MPI_ERR_TYPE, MPI_Send(buf, 1, type, MPI_PROC_NULL, 1, self));
    FAILS(MPI_ERR_TYPE, MPI_Ssend(buf, 1, type, MPI_PROC_NULL, 1, self));
    FAILS(MPI_ERR_TYPE, MPI_Rsend(buf, 1, type, MPI_PROC_NULL, 1, self));
    FAILS(MPI_ERR_TYPE, MPI_Bsend(buf, 1, type, MPI_PROC_NULL, 1, self));
    FAILS(MPI_ERR_TYPE, MPI_Isend(buf, 1, type, 0, 1, self, &request));
    FAILS(MPI_ERR_TYPE, MPI_Issend(buf, 1, type, 0, 1, self, &request));
    FAILS(MPI_ERR_TYPE, MPI_Irsend(buf, 1, type, 0, 1, self, &request));
    FAILS(MPI_ERR_TYPE, MPI_Ibsend(buf, 1, type, 0, 1, self, &request));
    FAILS(MPI_ERR_TYPE, MPI_Recv(buf, 1, type, MPI_PROC_NULL, 1, self, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_TYPE, MPI_Irecv(buf, 1, type, 0, 1, self, &request));
    FAILS(MPI_ERR_TYPE, MPI_Send_init(buf, 1, type, 0, 1, self, &request));
    FAILS(MPI_ERR_TYPE, MPI_Recv_init(buf, 1, type, 0, 1, self, &request));
    FAILS(MPI_ERR_TYPE,
          MPI_Sendrecv(buf, 1, type, 0, 1, packed, 1, MPI_INT, 0, 1, self, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_TYPE,
          MPI_Sendrecv(buf, 1, MPI_INT, 0, 1, packed, 1, type, 0, 1, self, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_TYPE, MPI_Sendrecv_replace(buf, 1, type, 0, 1, 0, 1, self, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(buf, 1, type, 0, self));
    FAILS(MPI_ERR_TYPE, MPI_Gather(buf, 1, type, packed, 1, MPI_INT, 0, self));
    FAILS(MPI_ERR_TYPE, MPI_Pack(buf, 1, type, packed, 64, &at, self));
    FAILS(MPI_ERR_TYPE, MPI_Unpack(packed, 64, &at, buf, 1, type, self));
    CHECK_INT(at, 0);
    CHECK(request == MPI_REQUEST_NULL);
}

static void uncommitted(void)
{
    MPI_Datatype type, dup;

    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    may_not_communicate(type);
    MPI_Type_dup(type, &dup); /* it is not committed either, but MPICH 4 takes it for that */
    if (starling())
        may_not_communicate(dup);
    MPI_Type_free(&dup);
    MPI_Type_free(&type);
    may_not_communicate(MPI_DATATYPE_NULL);
}

static void freeing(void)
{
    static const MPI_Datatype all[] = { MPI_INT,        MPI_BYTE, MPI_PACKED,
                                        MPI_DOUBLE_INT, MPI_2INT, MPI_REAL };
    MPI_Datatype type;

    for (int i = 0; i < 6; i++) {
        type = all[i];
        FAILS(MPI_ERR_TYPE, MPI_Type_free(&type));
        CHECK(type == all[i]);
    }
    type = MPI_DATATYPE_NULL;
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&type));
    FAILS(MPI_ERR_TYPE, MPI_Type_commit(&type));
}

static void contents(void)
{
    MPI_Datatype type, d[4];
    MPI_Aint a[4];
    int i[8];

    FAILS(MPI_ERR_TYPE, MPI_Type_get_contents(MPI_INT, 8, 4, 4, i, a, d));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_contents(MPI_DOUBLE_INT, 8, 4, 4, i, a, d));
    MPI_Type_create_hindexed(2, ints, aints, MPI_INT, &type); /* 3 ints, 2 addresses, 1 type */
    FAILS(MPI_ERR_ARG, MPI_Type_get_contents(type, 2, 2, 1, i, a, d));
    FAILS(MPI_ERR_ARG, MPI_Type_get_contents(type, 3, 1, 1, i, a, d));
    FAILS(MPI_ERR_ARG, MPI_Type_get_contents(type, 3, 2, 0, i, a, d));
    MPI_Type_free(&type);
}

/* Buffers that are too small, and positions outside of them (4.2). */
static void packing(void)
{
    char packed[8] = "", data[16] = "", before[16];
    int at = 1;

    memcpy(before, data, sizeof data);
    OURS(MPI_ERR_TRUNCATE, MPI_Pack(data, 2, MPI_INT, packed, 8, &at, MPI_COMM_SELF));
    OURS(MPI_ERR_TRUNCATE, MPI_Unpack(packed, 8, &at, data, 2, MPI_INT, MPI_COMM_SELF));
    OURS(MPI_ERR_TRUNCATE, MPI_Unpack(packed, 8, &at, data, INT_MAX, MPI_INT, MPI_COMM_SELF));
    CHECK_INT(at, 1);
    at = 9; /* behind the end */
    OURS(MPI_ERR_ARG, MPI_Unpack(packed, 8, &at, data, 1, MPI_CHAR, MPI_COMM_SELF));
    at = -1;
    OURS(MPI_ERR_ARG, MPI_Pack(data, 1, MPI_CHAR, packed, 8, &at, MPI_COMM_SELF));
    OURS(MPI_ERR_ARG, MPI_Unpack(packed, 8, &at, data, 1, MPI_CHAR, MPI_COMM_SELF));
    at = 0;
    FAILS(MPI_ERR_COUNT, MPI_Pack(data, -1, MPI_INT, packed, 8, &at, MPI_COMM_SELF));
    FAILS(MPI_ERR_COUNT, MPI_Unpack(packed, 8, &at, data, -1, MPI_INT, MPI_COMM_SELF));
    FAILS(MPI_ERR_COUNT, MPI_Pack_size(-1, MPI_INT, MPI_COMM_SELF, &at));
    FAILS(MPI_ERR_COMM, MPI_Pack(data, 1, MPI_INT, packed, 8, &at, MPI_COMM_NULL));
    CHECK_INT(at, 0);
    CHECK(memcmp(before, data, sizeof data) == 0);
}

/* More than 2^63 bytes, or bounds that far away. */
static void overflows(void)
{
    MPI_Datatype large, larger, type = MPI_INT;

    if (!starling())
        return;
    MPI_Type_contiguous(INT_MAX, MPI_CHAR, &large);
    MPI_Type_contiguous(INT_MAX, large, &larger); /* almost 2^62 */
    CHECK(MPI_Type_contiguous(5, larger, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_contiguous(INT_MAX, larger, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_vector(2, 1, INT_MAX, larger, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_vector(2, 1, INT_MIN, larger, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_create_hvector(3, 1, INT64_MAX / 2, larger, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_indexed(1, ints, (int[]) { INT_MAX }, larger, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_create_indexed_block(1, 5, (int[]) { 0 }, larger, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_create_hindexed(1, ints, (MPI_Aint[]) { INT64_MAX }, MPI_INT, &type)
          != MPI_SUCCESS);
    CHECK(MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]) { INT64_MIN, INT64_MAX - 8 }, MPI_INT,
                                         &type)
          != MPI_SUCCESS);
    CHECK(MPI_Type_create_struct(1, ints, (MPI_Aint[]) { INT64_MAX }, types, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_create_subarray(2, (int[]) { INT_MAX, INT_MAX }, ints, (int[]) { 0, 0 },
                                   MPI_ORDER_C, MPI_DOUBLE, &type)
          != MPI_SUCCESS);
    CHECK(MPI_Type_create_resized(MPI_INT, INT64_MAX, 10, &type) != MPI_SUCCESS);
    CHECK(type == (starling() ? MPI_DATATYPE_NULL : MPI_INT));
    MPI_Type_free(&large);
    MPI_Type_free(&larger);
}

/* A handle that is no longer valid, in every kind of call. */
static void freed(void)
{
    MPI_Datatype type, gone;
    MPI_Aint lb, extent;
    int n;

    if (!starling())
        return;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    gone = type;
    MPI_Type_free(&type);
    may_not_communicate(gone);
    FAILS(MPI_ERR_TYPE, MPI_Type_contiguous(2, gone, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_dup(gone, &made));
    FAILS(MPI_ERR_TYPE, MPI_Type_size(gone, &n));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_extent(gone, &lb, &extent));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_envelope(gone, &n, &n, &n, &n));
    type = gone;
    FAILS(MPI_ERR_TYPE, MPI_Type_commit(&type));
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&type));
    CHECK(type == gone);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    counts();
    old_types();
    null_arrays();
    subarrays();
    darrays();
    uncommitted();
    freeing();
    contents();
    packing();
    overflows();
    freed();
    MPI_Finalize();
    return 0;
}
