/* batch.c — accumulates that are done together give what they give one after the other: with
 * elements that overlap, of several types and operations, at any address. The other process is
 * this one, under its own number. */
#include <stdlib.h>
#include <string.h>
#include "shared_window.h"

enum { ROUNDS = 400, MOST = 600, BYTES = 4096 };

static char model[WINDOW_BYTES];
static struct adi3_win w;
static struct rma_target t;
static struct rma_place here; /* the same memory, without CMA */

static void make(void)
{
    w = (struct adi3_win) { .memory = &window.memory };
    window_make(2);
    window_make_private(1, window_private);
    window.memory.control[1].pid = (int32_t) getpid();
    t = (struct rma_target) { .control = &window.memory.control[1] };
    here = (struct rma_place) { &window.memory, t.control, true };
}

static void drop(void)
{
    free(t.batch);
    window_drop();
}

static struct adi3_type *type(MPI_Datatype h) { return adi3_type_builtin(h); }

/* Whether it was added; `operands` may change afterwards. */
static bool add(size_t at, struct adi3_type *basic, size_t n, MPI_Op op, const void *operands)
{
    struct adi3_data there = { window_private + at, n, basic };
    struct adi3_rma x = { .kind = ADI3_ACCUMULATE,
                          .origin = { (void *) (uintptr_t) operands, n, basic },
                          .count = n,
                          .type = basic,
                          .op = adi3_op_builtin(op) };
    bool added;

    assert_int_equal(rma_batch_add(&w, &t, &x, &there, &added), MPI_SUCCESS);
    return added;
}

static void one_random(void)
{
    static const MPI_Datatype types[] = { MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_2INT };
    static const MPI_Op ops[] = { MPI_SUM, MPI_REPLACE, MPI_MAX, MPI_PROD, MPI_SUM, MPI_REPLACE };
    struct adi3_type *basic = type(types[unit_random(5)]);
    bool pairs = basic == type(MPI_2INT);
    MPI_Op op = pairs ? unit_random(2) ? MPI_MAXLOC : MPI_REPLACE : ops[unit_random(6)];
    size_t n = 1 + unit_random(unit_random(4) ? 3 : 100), at = unit_random(BYTES);
    char operands[100 * 8];

    for (size_t i = 0; i < sizeof operands; i++)
        operands[i] = (char) unit_random(256);
    assert_int_equal(window_do(&here, model + at, basic, n, op, operands, NULL), MPI_SUCCESS);
    assert_true(add(at, basic, n, op, operands));
}

static void as_one_after_the_other(void **state)
{
    (void) state;
    if (!window_has_cma())
        skip();
    make();
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < sizeof model; i++)
            model[i] = window_private[i] = (char) unit_random(256);
        for (unsigned i = unit_random(MOST); i > 0; i--)
            one_random();
        assert_int_equal(rma_batch_run(&w, &t), MPI_SUCCESS);
        assert_memory_equal(window_private, model, sizeof model);
    }
    drop();
}

/* Nothing moves before; then all does, once. */
static void done_when_run(void **state)
{
    int32_t one = 1, now[2];

    (void) state;
    if (!window_has_cma())
        skip();
    make();
    memset(window_private, 0, sizeof window_private);
    assert_true(add(0, type(MPI_INT32_T), 1, MPI_SUM, &one));
    assert_true(add(4, type(MPI_INT32_T), 1, MPI_SUM, &one));
    assert_true(add(0, type(MPI_INT32_T), 1, MPI_SUM, &one));
    memcpy(now, window_private, sizeof now);
    assert_true(now[0] == 0 && now[1] == 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(rma_batch_run(&w, &t), MPI_SUCCESS);
    memcpy(now, window_private, sizeof now);
    assert_true(now[0] == 2 && now[1] == 1);
    drop();
}

/* What is not added is behind what is: that has been done. */
static void large_ones_are_behind(void **state)
{
    static int32_t many[1000];
    int32_t one = 1, now;

    (void) state;
    if (!window_has_cma())
        skip();
    make();
    memset(window_private, 0, sizeof window_private);
    assert_true(add(0, type(MPI_INT32_T), 1, MPI_SUM, &one));
    assert_false(add(0, type(MPI_INT32_T), 1000, MPI_SUM, many));
    memcpy(&now, window_private, sizeof now);
    assert_int_equal(now, 1);
    drop();
}

/* The error comes once, and the batch is empty. */
static void no_memory_there(void **state)
{
    int32_t one = 1;

    (void) state;
    make();
    window.memory.control[1].base = 16;
    struct adi3_data there = { (void *) 16, 1, type(MPI_INT32_T) };
    struct adi3_rma x = { .kind = ADI3_ACCUMULATE,
                          .origin = { &one, 1, type(MPI_INT32_T) },
                          .count = 1,
                          .type = type(MPI_INT32_T),
                          .op = adi3_op_builtin(MPI_SUM) };
    bool added;
    assert_int_equal(rma_batch_add(&w, &t, &x, &there, &added), MPI_SUCCESS);
    int err = rma_batch_run(&w, &t);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "rank 10 "));
    assert_int_equal(rma_batch_run(&w, &t), MPI_SUCCESS);
    drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_one_after_the_other),
                                        cmocka_unit_test(done_when_run),
                                        cmocka_unit_test(large_ones_are_behind),
                                        cmocka_unit_test(no_memory_there) };

    return adi3_type_init() ? 1 : UNIT_RUN(tests);
}
