/* accumulate.c — every operation on every type, in memory of every kind, by one process,
 * against a plain model: packed elements, holes, parts of vectors, what is fetched, and what
 * stays. */
#include <stdlib.h>
#include <string.h>
#include "shared_window.h"

enum { BYTES = WINDOW_BYTES / 2, ROUNDS = 6, OPS = 14 };

/* How this process reaches the memory. */
enum reach { SHARED, UNALIGNED, FENCED, PRIVATE, ALONE, CMA, CMA_SHARED, REACHES };

static char packed[BYTES], fetched[BYTES], before[BYTES], model[BYTES];

/* ---- numbers --------------------------------------------------------------------------------- */

#define FILL(c_type, n)                                                                            \
    do {                                                                                           \
        for (int k_ = 0; k_ < (n); k_++) {                                                         \
            c_type x_ = (c_type) unit_random(200) - 100;                                           \
            memcpy(to + (size_t) k_ * sizeof x_, &x_, sizeof(c_type) == 16 ? 10 : sizeof x_);      \
        }                                                                                          \
    } while (0)

/* Writes a number of this representation, none that is not a number; pairs as they are packed. */
static void fill_one(char *to, const struct adi3_type *t)
{
    memset(to, 0, t->size);
    switch (t->repr) {
    case ADI3_F32:
    case ADI3_C32:
    case ADI3_P_F32_F32:
        FILL(float, t->repr == ADI3_F32 ? 1 : 2);
        break;
    case ADI3_F64:
    case ADI3_C64:
    case ADI3_P_F64_F64:
        FILL(double, t->repr == ADI3_F64 ? 1 : 2);
        break;
    case ADI3_F80:
    case ADI3_C80:
        FILL(long double, t->repr == ADI3_F80 ? 1 : 2);
        break;
    case ADI3_P_F80_I32:
        FILL(long double, 1);
        break;
    case ADI3_P_F32_I32:
        FILL(float, 1);
        break;
    case ADI3_P_F64_I32:
        FILL(double, 1);
        break;
    case ADI3_F128:
    case ADI3_C128:
        break; /* 0 */
    default:
        for (size_t i = 0; i < t->size; i++)
            to[i] = (char) unit_random(256);
    }
}

static void fill(char *to, const struct adi3_type *basic, size_t len)
{
    for (size_t at = 0; at < len; at += basic->size)
        fill_one(to + at, basic);
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Combines one packed element in the form in which the kernel takes it. */
static void combine(const struct adi3_op *op, struct adi3_type *basic, const char *in, char *inout)
{
    char x[64] = "", y[64] = "";
    struct adi3_data from = { x, 1, basic }, to = { y, 1, basic };

    if (op->handle == MPI_REPLACE)
        memcpy(inout, in, basic->size);
    if (op->handle == MPI_REPLACE || op->handle == MPI_NO_OP)
        return;
    adi3_unpack(&from, 0, in, basic->size);
    adi3_unpack(&to, 0, inout, basic->size);
    adi3_reduce(op, x, y, 1, basic);
    adi3_pack(&to, 0, inout, basic->size);
}

static void combine_all(const struct adi3_op *op, const struct adi3_data *d, size_t at, size_t len)
{
    struct adi3_type *basic = d->type->basic;
    char all[BYTES];

    adi3_pack(d, at, all, len);
    memcpy(before, all, len);
    for (size_t i = 0; i < len; i += basic->size)
        combine(op, basic, packed + i, all + i);
    adi3_unpack(d, at, all, len);
}

/* ---- one operation --------------------------------------------------------------------------- */

static char *memory_of(enum reach r, struct rma_place *p)
{
    struct rma_control *c = &window.memory.control[1];
    char *base = window_part(1);

    window.memory.count = r == ALONE ? 1 : 2;
    adi3_node.fences = r == FENCED;
    c->offset = window.memory.control[0].offset + WINDOW_BYTES;
    c->pid = (int32_t) getpid();
    c->base = 12345; /* addresses of its own */
    if (r == PRIVATE || r == ALONE || r == CMA) {
        base = window_private;
        c->offset = 0;
        c->base = (uint64_t) (uintptr_t) base;
    }
    *p = (struct rma_place) { &window.memory, c, r != CMA && r != CMA_SHARED };
    return base;
}

static void check(enum reach r, struct adi3_type *t, size_t count, const struct adi3_op *op)
{
    struct rma_place p;
    char *base = memory_of(r, &p), *at = base + (r == UNALIGNED ? 129 : 128);
    struct adi3_data d = { at, count, t }, copy = { model + (at - base), count, t };
    size_t basic = t->basic->size, all = count * t->size;
    size_t first = unit_random(3) ? 0 : unit_random((uint32_t) (all / basic)) * basic;
    size_t len = unit_random(3) ? all - first : basic;
    bool fetches = unit_random(2);

    for (size_t i = 0; i < BYTES; i++)
        base[i] = (char) i;
    fill(packed, t->basic, all);
    adi3_unpack(&d, 0, packed, all);
    memcpy(model, base, BYTES);
    fill(packed, t->basic, len);
    combine_all(op, &copy, first, len);
    if (r == CMA_SHARED)
        d.buf = (void *) (uintptr_t) (p.owner->base + (uint64_t) (at - base));
    memset(fetched, 'f', sizeof fetched);
    int err =
        rma_accumulate(&p, &d,
                       &(struct rma_packed) { .at = first,
                                              .len = len,
                                              .packed = op->handle == MPI_NO_OP ? NULL : packed,
                                              .fetched = fetches ? fetched : NULL },
                       op);
    assert_int_equal(err, MPI_SUCCESS);
    if (memcmp(base, model, BYTES) != 0 || (fetches && memcmp(fetched, before, len) != 0)
        || fetched[fetches ? len : 0] != 'f')
        fail_msg("%s, operation 0x%x, %zu elements, reach %d", t->basic->name,
                 (unsigned) op->handle, len / basic, (int) r);
    assert_int_equal(p.owner->longs == 0 || p.owner->longs == RMA_LONGS, 1);
    assert_int_equal(p.owner->stripes, 0);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static struct adi3_type *with_holes(struct adi3_type *basic)
{
    struct adi3_type *t;

    assert_int_equal(adi3_type_hvector(3, 2, 3 * basic->extent, basic, &t), MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    return t;
}

static bool can(enum reach r) { return r != CMA || window_has_cma(); }

static void on_type(struct adi3_type *basic)
{
    struct adi3_type *holes = with_holes(basic);

    for (int i = 0; i < OPS * ROUNDS * REACHES; i++) {
        const struct adi3_op *op = adi3_op_builtin((int) ((unsigned) MPI_MAX + unit_random(OPS)));
        bool plain = unit_random(2);
        struct adi3_type *t = plain ? basic : holes;
        uint32_t most = (uint32_t) ((BYTES - 1024) / (size_t) t->extent);
        static const uint32_t counts[] = { 1, 5, 40, 2000 };
        uint32_t n = counts[unit_random(4)];

        enum reach r = (enum reach) unit_random(REACHES);
        if (adi3_op_accumulates(op, basic) && can(r))
            check(r, t, n < most ? n : most, op);
    }
    adi3_type_release(holes);
}

static void every_operation_is_that_of_the_model(void **state)
{
    (void) state;
    for (int i = 0; i < 256; i++)
        if (adi3_builtin[i].basic)
            on_type(&adi3_builtin[i]);
    for (unsigned i = 0; i < 5; i++)
        on_type(adi3_get(&adi3_types, (int) ((unsigned) MPI_FLOAT_INT + i)));
}

static void compare_and_swap(void **state)
{
    (void) state;
    for (int i = 0; i < 256; i++) {
        const struct adi3_type *t = &adi3_builtin[i];
        for (int r = 0; r < REACHES && t->size > 0 && t->size <= 16; r++) {
            if (!can((enum reach) r))
                continue;
            struct rma_place p;
            char *base = memory_of((enum reach) r, &p), *at = base + (r == UNALIGNED ? 129 : 128);
            char is[16], other[16], new[16], result[17];
            void *there = r == CMA_SHARED ? (char *) (uintptr_t) p.owner->base + 128 : at;
            memset(is, 'i', 16);
            memset(other, 'i', 16);
            other[t->size - 1] = 'o';
            memset(new, 'n', 16);
            memset(base, 'i', 512);
            memset(result, 'r', 17);
            assert_false(rma_compare_swap(&p, there, t, new, other, result));
            assert_false(memcmp(result, is, t->size) || at[0] != 'i' || at[t->size - 1] != 'i');
            assert_false(rma_compare_swap(&p, there, t, new, is, result));
            assert_false(memcmp(result, is, t->size) || memcmp(at, new, t->size));
            assert_true(at[-1] == 'i' && at[t->size] == 'i' && result[t->size] == 'r');
        }
    }
}

/* An address that is not there is an error, and no stripe stays taken. */
static void no_memory_there(void **state)
{
    struct adi3_type *t = adi3_type_builtin(MPI_INT);
    struct rma_place p;
    int x = 1, y;

    (void) state;
    if (!window_has_cma())
        skip();
    memory_of(CMA, &p);
    int err = window_do(&p, (char *) 16, t, 1, MPI_SUM, &x, NULL);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "rank 10 "));
    err = rma_compare_swap(&p, (char *) 16, t, &x, &x, &y);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_int_equal(p.owner->stripes, 0);
}

static int setup(void **state)
{
    (void) state;
    window_make(2);
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    window.memory.count = 2;
    window_drop();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_is_that_of_the_model),
        cmocka_unit_test(compare_and_swap),
        cmocka_unit_test(no_memory_there),
    };

    return adi3_type_init() ? 1 : UNIT_RUN_BETWEEN(tests, setup, teardown);
}
