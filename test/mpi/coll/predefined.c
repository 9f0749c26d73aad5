/* predefined.c — C05, C06: the predefined operations on the types that they take, over messages.
 * test/adi3/op tests what they compute in one process. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include "coll_test.h"

enum { N = 5 };

/* Small numbers that differ from rank to rank. */
static int item(int rank, int i) { return (rank * 5 + i * 3) % 4 + (i == 2 ? 0 : 1); }

/* Reduces item() as TYPE with an operation; expr(x, y) is the expected result of two. */
#define TRY(m, TYPE, type, op, expr)                                                               \
    do {                                                                                           \
        type in[N], out[N], want[N];                                                               \
        for (int i = 0; i < N; i++) {                                                              \
            in[i] = (type) item(m.rank, i);                                                        \
            want[i] = (type) item(0, i);                                                           \
            for (int r = 1; r < m.size; r++) {                                                     \
                type x = want[i], y = (type) item(r, i);                                           \
                want[i] = (type) (expr);                                                           \
            }                                                                                      \
        }                                                                                          \
        CHECK(MPI_Allreduce(in, out, N, TYPE, op, m.comm) == MPI_SUCCESS);                         \
        for (int i = 0; i < N; i++)                                                                \
            CHECK(out[i] == want[i]);                                                              \
        MPI_Reduce(in, out, N, TYPE, op, m.size - 1, m.comm);                                      \
        for (int i = 0; i < N; i++)                                                                \
            CHECK(m.rank < m.size - 1 || out[i] == want[i]);                                       \
    } while (0)

#define TRY_ORDER(m, TYPE, type)                                                                   \
    TRY(m, TYPE, type, MPI_MAX, x > y ? x : y);                                                    \
    TRY(m, TYPE, type, MPI_MIN, x < y ? x : y)
#define TRY_ARITHMETIC(m, TYPE, type)                                                              \
    TRY(m, TYPE, type, MPI_SUM, x + y);                                                            \
    TRY(m, TYPE, type, MPI_PROD, x *y)
#define TRY_TRUTH(m, TYPE, type)                                                                   \
    TRY(m, TYPE, type, MPI_LAND, m.size > 1 ? x && y : x);                                         \
    TRY(m, TYPE, type, MPI_LOR, m.size > 1 ? x || y : x);                                          \
    TRY(m, TYPE, type, MPI_LXOR, m.size > 1 ? !x != !y : x)
#define TRY_BITS(m, TYPE, type)                                                                    \
    TRY(m, TYPE, type, MPI_BAND, x &y);                                                            \
    TRY(m, TYPE, type, MPI_BOR, x | y);                                                            \
    TRY(m, TYPE, type, MPI_BXOR, x ^ y)

#define TRY_C_INTEGER(m, TYPE, type)                                                               \
    do {                                                                                           \
        TRY_ORDER(m, TYPE, type);                                                                  \
        TRY_ARITHMETIC(m, TYPE, type);                                                             \
        TRY_TRUTH(m, TYPE, type);                                                                  \
        TRY_BITS(m, TYPE, type);                                                                   \
    } while (0)

static void c_integers(struct me m)
{
    TRY_C_INTEGER(m, MPI_INT, int);
    TRY_C_INTEGER(m, MPI_LONG, long);
    TRY_C_INTEGER(m, MPI_SHORT, short);
    TRY_C_INTEGER(m, MPI_UNSIGNED_SHORT, unsigned short);
    TRY_C_INTEGER(m, MPI_UNSIGNED, unsigned);
    TRY_C_INTEGER(m, MPI_UNSIGNED_LONG, unsigned long);
    TRY_C_INTEGER(m, MPI_LONG_LONG_INT, long long);
    TRY_C_INTEGER(m, MPI_UNSIGNED_LONG_LONG, unsigned long long);
    TRY_C_INTEGER(m, MPI_SIGNED_CHAR, signed char);
    TRY_C_INTEGER(m, MPI_UNSIGNED_CHAR, unsigned char);
}

static void fixed_widths(struct me m)
{
    TRY_C_INTEGER(m, MPI_INT8_T, int8_t);
    TRY_C_INTEGER(m, MPI_INT16_T, int16_t);
    TRY_C_INTEGER(m, MPI_INT32_T, int32_t);
    TRY_C_INTEGER(m, MPI_INT64_T, int64_t);
    TRY_C_INTEGER(m, MPI_UINT8_T, uint8_t);
    TRY_C_INTEGER(m, MPI_UINT16_T, uint16_t);
    TRY_C_INTEGER(m, MPI_UINT32_T, uint32_t);
    TRY_C_INTEGER(m, MPI_UINT64_T, uint64_t);
}

static void floating(struct me m)
{
    TRY_ORDER(m, MPI_FLOAT, float);
    TRY_ARITHMETIC(m, MPI_FLOAT, float);
    TRY_ORDER(m, MPI_DOUBLE, double);
    TRY_ARITHMETIC(m, MPI_DOUBLE, double);
    TRY_ORDER(m, MPI_LONG_DOUBLE, long double);
    TRY_ARITHMETIC(m, MPI_LONG_DOUBLE, long double);
    TRY_ARITHMETIC(m, MPI_C_FLOAT_COMPLEX, float complex);
    TRY_ARITHMETIC(m, MPI_C_DOUBLE_COMPLEX, double complex);
    TRY_ARITHMETIC(m, MPI_C_LONG_DOUBLE_COMPLEX, long double complex);
}

static void other_classes(struct me m)
{
    TRY_TRUTH(m, MPI_C_BOOL, bool);
    TRY_BITS(m, MPI_BYTE, unsigned char);
    TRY_ORDER(m, MPI_AINT, MPI_Aint);
    TRY_ARITHMETIC(m, MPI_AINT, MPI_Aint);
    TRY_BITS(m, MPI_AINT, MPI_Aint);
    TRY_ORDER(m, MPI_OFFSET, MPI_Offset);
    TRY_ARITHMETIC(m, MPI_OFFSET, MPI_Offset);
    TRY_BITS(m, MPI_OFFSET, MPI_Offset);
    TRY_ORDER(m, MPI_COUNT, MPI_Count);
    TRY_ARITHMETIC(m, MPI_COUNT, MPI_Count);
    TRY_BITS(m, MPI_COUNT, MPI_Count);
}

/* Types that MPICH and Open MPI take, but not the standard. */
static void others_take_too(struct me m)
{
    TRY_C_INTEGER(m, MPI_CHAR, char);
    TRY_C_INTEGER(m, MPI_CHARACTER, char);
    TRY_TRUTH(m, MPI_AINT, MPI_Aint);
    TRY_TRUTH(m, MPI_OFFSET, MPI_Offset);
    TRY_TRUTH(m, MPI_COUNT, MPI_Count);
    TRY_TRUTH(m, MPI_INTEGER1, int8_t);
    TRY_TRUTH(m, MPI_INTEGER2, int16_t);
    TRY_TRUTH(m, MPI_INTEGER8, int64_t);
    if (MPI_INTEGER16 != MPI_DATATYPE_NULL)
        TRY_C_INTEGER(m, MPI_INTEGER16, __int128);
}

/* C06: of the ranks with the largest (smallest) value, the smallest one is the result. Ranks
 * count down here, so that the first operand is not the result by accident. */
#define TRY_PAIR(m, TYPE, type)                                                                    \
    do {                                                                                           \
        struct {                                                                                   \
            type value;                                                                            \
            int index;                                                                             \
        } in[N], most[N], least[N];                                                                \
        for (int i = 0; i < N; i++) {                                                              \
            in[i].value = (type) item(m.rank, i);                                                  \
            in[i].index = m.size - m.rank;                                                         \
        }                                                                                          \
        CHECK(MPI_Allreduce(in, most, N, TYPE, MPI_MAXLOC, m.comm) == MPI_SUCCESS);                \
        CHECK(MPI_Allreduce(in, least, N, TYPE, MPI_MINLOC, m.comm) == MPI_SUCCESS);               \
        for (int i = 0; i < N; i++) {                                                              \
            int high = 0, low = 0;                                                                 \
            for (int r = 1; r < m.size; r++) {                                                     \
                high = item(r, i) >= item(high, i) ? r : high;                                     \
                low = item(r, i) <= item(low, i) ? r : low;                                        \
            }                                                                                      \
            CHECK(most[i].value == (type) item(high, i) && most[i].index == m.size - high);        \
            CHECK(least[i].value == (type) item(low, i) && least[i].index == m.size - low);        \
        }                                                                                          \
    } while (0)

static void pairs(struct me m)
{
    TRY_PAIR(m, MPI_FLOAT_INT, float);
    TRY_PAIR(m, MPI_DOUBLE_INT, double);
    TRY_PAIR(m, MPI_LONG_INT, long);
    TRY_PAIR(m, MPI_2INT, int);
    TRY_PAIR(m, MPI_SHORT_INT, short);
    TRY_PAIR(m, MPI_LONG_DOUBLE_INT, long double);
}

int main(int argc, char **argv)
{
    struct me m;

    MPI_Init(&argc, &argv);
    m = whoami(MPI_COMM_WORLD);
    c_integers(m);
    fixed_widths(m);
    floating(m);
    other_classes(m);
    others_take_too(m);
    pairs(m);
    MPI_Finalize();
    return 0;
}
