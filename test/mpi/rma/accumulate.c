/* accumulate.c — R09, R16: every predefined operation on every type that it takes: by
 * MPI_Accumulate from all ranks at once, by MPI_Get_accumulate and by MPI_Fetch_and_op, which give
 * the old value. */
#include <complex.h>
#include "rma.h"

enum { N = 5, STRIDE = 256, SLOTS = 256 };

/* The steps of a test of many operations: all of a step are done before the next one. */
enum pass { PREPARE, OPERATE, VERIFY, PASSES };

/* EVERYONE: all ranks accumulate to all ranks; otherwise each to the next one alone. */
enum how { EVERYONE, GET_ACCUMULATE, FETCH_AND_OP, HOWS };

static struct window w;
static enum pass pass;
static enum how how;
static int slot; /* of the operation: its place in the window, and in the arrays */
static _Alignas(16) char values[SLOTS][STRIDE], results[SLOTS][STRIDE];

/* Small numbers that differ from rank to rank; rank size is for the first value of the target. */
static int item(int r, int i) { return (r * 5 + i * 3) % 4 + (i == 2 ? 0 : 1); }

static void operate(MPI_Datatype type, size_t len, MPI_Op op)
{
    int next = (rank + 1) % size, err = MPI_SUCCESS;

    for (int r = 0; how == EVERYONE && r < size; r++)
        err |= MPI_Accumulate(values[slot], N, type, r, window_disp(&w, r, slot * STRIDE), N, type,
                              op, w.win);
    if (how == GET_ACCUMULATE)
        err = MPI_Get_accumulate(values[slot], N, type, results[slot], N, type, next,
                                 window_disp(&w, next, slot * STRIDE), N, type, op, w.win);
    for (size_t i = 0; how == FETCH_AND_OP && i < N; i++)
        err |= MPI_Fetch_and_op(values[slot] + i * len, results[slot] + i * len, type, next,
                                window_disp(&w, next, (MPI_Aint) (slot * STRIDE + i * len)), op,
                                w.win);
    CHECK_INT(err, MPI_SUCCESS);
}

/* In turn: writes first value and operand; starts the operation; compares. expr(x, y) is the
 * expected result of a target value x and an operand y. */
#define TRY(TYPE, type, op, expr)                                                                  \
    do {                                                                                           \
        type *at = (type *) (w.base + slot * STRIDE), *in = (type *) values[slot];                 \
        CHECK(slot < SLOTS && N * sizeof(type) <= STRIDE);                                         \
        for (int i = 0; pass == PREPARE && i < N; i++) {                                           \
            at[i] = (type) item(size, i);                                                          \
            in[i] = (type) item(rank, i);                                                          \
        }                                                                                          \
        if (pass == OPERATE)                                                                       \
            operate(TYPE, sizeof(type), op);                                                       \
        for (int i = 0; pass == VERIFY && i < N; i++) {                                            \
            type x = (type) item(size, i);                                                         \
            for (int r = 0; r < size; r++) {                                                       \
                type y = (type) item(r, i);                                                        \
                if (how == EVERYONE || r == (rank + size - 1) % size)                              \
                    x = (type) (expr);                                                             \
            }                                                                                      \
            CHECK(at[i] == x);                                                                     \
            CHECK(how == EVERYONE || ((type *) results[slot])[i] == (type) item(size, i));         \
        }                                                                                          \
        slot++;                                                                                    \
    } while (0)

/* The last of several MPI_REPLACE is not known. */
#define TRY_MOVE(TYPE, type)                                                                       \
    do {                                                                                           \
        if (how != EVERYONE || size == 1)                                                          \
            TRY(TYPE, type, MPI_REPLACE, y);                                                       \
        if (how != EVERYONE) /* MPI_Accumulate does not take MPI_NO_OP */                          \
            TRY(TYPE, type, MPI_NO_OP, ((void) y, x));                                             \
    } while (0)
#define TRY_ORDER(TYPE, type)                                                                      \
    TRY(TYPE, type, MPI_MAX, x > y ? x : y);                                                       \
    TRY(TYPE, type, MPI_MIN, x < y ? x : y)
#define TRY_ARITHMETIC(TYPE, type)                                                                 \
    TRY_MOVE(TYPE, type);                                                                          \
    TRY(TYPE, type, MPI_SUM, x + y);                                                               \
    TRY(TYPE, type, MPI_PROD, x *y)
#define TRY_TRUTH(TYPE, type)                                                                      \
    TRY(TYPE, type, MPI_LAND, x &&y);                                                              \
    TRY(TYPE, type, MPI_LOR, x || y);                                                              \
    TRY(TYPE, type, MPI_LXOR, !x != !y)
#define TRY_BITS(TYPE, type)                                                                       \
    TRY(TYPE, type, MPI_BAND, x &y);                                                               \
    TRY(TYPE, type, MPI_BOR, x | y);                                                               \
    TRY(TYPE, type, MPI_BXOR, x ^ y)

#define TRY_C_INTEGER(TYPE, type)                                                                  \
    do {                                                                                           \
        TRY_ORDER(TYPE, type);                                                                     \
        TRY_ARITHMETIC(TYPE, type);                                                                \
        TRY_TRUTH(TYPE, type);                                                                     \
        TRY_BITS(TYPE, type);                                                                      \
    } while (0)

static void c_integers(void)
{
    TRY_C_INTEGER(MPI_INT, int);
    TRY_C_INTEGER(MPI_LONG, long);
    TRY_C_INTEGER(MPI_SHORT, short);
    TRY_C_INTEGER(MPI_UNSIGNED_SHORT, unsigned short);
    TRY_C_INTEGER(MPI_UNSIGNED, unsigned);
    TRY_C_INTEGER(MPI_UNSIGNED_LONG, unsigned long);
    TRY_C_INTEGER(MPI_LONG_LONG_INT, long long);
    TRY_C_INTEGER(MPI_UNSIGNED_LONG_LONG, unsigned long long);
    TRY_C_INTEGER(MPI_SIGNED_CHAR, signed char);
    TRY_C_INTEGER(MPI_UNSIGNED_CHAR, unsigned char);
}

static void fixed_widths(void)
{
    TRY_C_INTEGER(MPI_INT8_T, int8_t);
    TRY_C_INTEGER(MPI_INT16_T, int16_t);
    TRY_C_INTEGER(MPI_INT32_T, int32_t);
    TRY_C_INTEGER(MPI_INT64_T, int64_t);
    TRY_C_INTEGER(MPI_UINT8_T, uint8_t);
    TRY_C_INTEGER(MPI_UINT16_T, uint16_t);
    TRY_C_INTEGER(MPI_UINT32_T, uint32_t);
    TRY_C_INTEGER(MPI_UINT64_T, uint64_t);
}

static void floating(void)
{
    TRY_ORDER(MPI_FLOAT, float);
    TRY_ARITHMETIC(MPI_FLOAT, float);
    TRY_ORDER(MPI_DOUBLE, double);
    TRY_ARITHMETIC(MPI_DOUBLE, double);
    TRY_ORDER(MPI_LONG_DOUBLE, long double);
    TRY_ARITHMETIC(MPI_LONG_DOUBLE, long double);
    TRY_ARITHMETIC(MPI_C_FLOAT_COMPLEX, float complex);
    TRY_ARITHMETIC(MPI_C_DOUBLE_COMPLEX, double complex);
    TRY_ARITHMETIC(MPI_C_LONG_DOUBLE_COMPLEX, long double complex);
}

static void other_classes(void)
{
    TRY_TRUTH(MPI_C_BOOL, bool);
    TRY_BITS(MPI_BYTE, unsigned char);
    TRY_MOVE(MPI_BYTE, unsigned char);
    TRY_MOVE(MPI_CHAR, char);
    TRY_ORDER(MPI_AINT, MPI_Aint);
    TRY_ARITHMETIC(MPI_AINT, MPI_Aint);
    TRY_BITS(MPI_AINT, MPI_Aint);
    TRY_ORDER(MPI_OFFSET, MPI_Offset);
    TRY_ARITHMETIC(MPI_OFFSET, MPI_Offset);
    TRY_BITS(MPI_OFFSET, MPI_Offset);
    TRY_ORDER(MPI_COUNT, MPI_Count);
    TRY_ARITHMETIC(MPI_COUNT, MPI_Count);
    TRY_BITS(MPI_COUNT, MPI_Count);
}

/* MAXLOC and MINLOC: of the ranks with the same value the smallest index is the result. */
#define TRY_PAIR(TYPE, type, op, better)                                                           \
    do {                                                                                           \
        struct pair {                                                                              \
            type value;                                                                            \
            int index;                                                                             \
        } *at = (struct pair *) (w.base + slot * STRIDE), *in = (struct pair *) values[slot];      \
        for (int i = 0; pass == PREPARE && i < N; i++) {                                           \
            at[i].value = (type) item(size, i);                                                    \
            at[i].index = 1;                                                                       \
            in[i].value = (type) item(rank, i);                                                    \
            in[i].index = size - rank;                                                             \
        }                                                                                          \
        if (pass == OPERATE)                                                                       \
            operate(TYPE, sizeof(struct pair), op);                                                \
        for (int i = 0; pass == VERIFY && i < N; i++) {                                            \
            type x = (type) item(size, i);                                                         \
            int index = 1;                                                                         \
            for (int r = 0; r < size; r++) {                                                       \
                type y = (type) item(r, i);                                                        \
                if (how != EVERYONE && r != (rank + size - 1) % size)                              \
                    continue;                                                                      \
                if (y better x || (y == x && size - r < index))                                    \
                    index = size - r;                                                              \
                x = y better x ? y : x;                                                            \
            }                                                                                      \
            CHECK(at[i].value == x && at[i].index == index);                                       \
        }                                                                                          \
        slot++;                                                                                    \
    } while (0)

#define TRY_PAIRS(TYPE, type)                                                                      \
    do {                                                                                           \
        TRY_PAIR(TYPE, type, MPI_MAXLOC, >);                                                       \
        TRY_PAIR(TYPE, type, MPI_MINLOC, <);                                                       \
    } while (0)

static void pairs(void)
{
    TRY_PAIRS(MPI_FLOAT_INT, float);
    TRY_PAIRS(MPI_DOUBLE_INT, double);
    TRY_PAIRS(MPI_LONG_INT, long);
    TRY_PAIRS(MPI_2INT, int);
    TRY_PAIRS(MPI_SHORT_INT, short);
    TRY_PAIRS(MPI_LONG_DOUBLE_INT, long double);
}

/* Runs the three steps of a list of operations in one epoch of a kind. */
static void run(void (*list)(void), enum epoch kind)
{
    for (how = 0; how < HOWS; how++)
        for (pass = 0; pass < PASSES; pass++) {
            if (pass == OPERATE)
                epoch_begin(&w, kind);
            else
                window_own(&w);
            slot = 0;
            list();
            if (pass == OPERATE)
                epoch_end(&w, kind);
            else
                window_done(&w);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv)
{
    void (*const lists[])(void) = { c_integers, fixed_widths, floating, other_classes, pairs };

    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, (MPI_Aint) SLOTS * STRIDE, 1);
        for (int i = 0; i < 5; i++)
            run(lists[i], (enum epoch)((i + (int) f) % EPOCHS));
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
