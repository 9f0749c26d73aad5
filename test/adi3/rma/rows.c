/* rows.c — the registries of one-sided communication: hooks of windows, and sync packets. */
#include <errno.h>
#include <string.h>
#include "rma_loop.h"

/* ---- hooks ----------------------------------------------------------------------------------- */

static char order[32];

static void note(char c)
{
    size_t n = strlen(order);

    if (n < sizeof order - 1)
        order[n] = c, order[n + 1] = '\0';
}

static int low_init(void) { return note('l'), MPI_SUCCESS; }
static int high_init(void) { return note('h'), MPI_SUCCESS; }
static int no_init(void) { return note('n'), MPI_ERR_NO_MEM; }
static void low_window(struct adi3_win *w) { (void) w, note('w'); }
static void high_window(struct adi3_win *w) { (void) w, note('W'); }
static void low_target(struct rma_target *t) { (void) t, note('t'); }
static void high_target(struct rma_target *t) { (void) t, note('T'); }

static const struct rma_hooks low = { .name = "low", low_init, low_target, low_window },
                              high = { .name = "high", high_init, high_target, high_window },
                              same_name = { .name = "low", no_init, low_target, low_window },
                              refuses = { .name = "refuses", no_init, low_target, low_window };

/* A row that is refused is not called later. */
static void hooks_are_added(void **state)
{
    (void) state;
    order[0] = '\0';
    assert_int_equal(rma_hooks_add(&low), MPI_SUCCESS);
    assert_int_equal(rma_hooks_add(&high), MPI_SUCCESS);
    assert_string_equal(order, "lh");
    assert_int_equal(rma_hooks_add(&low), MPI_SUCCESS);
    assert_string_equal(order, "lhl");
    assert_int_equal(fake_class(rma_hooks_add(&same_name)), MPI_ERR_INTERN);
    assert_string_equal(order, "lhl");
    assert_int_equal(rma_hooks_add(&refuses), MPI_ERR_NO_MEM);
    assert_string_equal(order, "lhln");
}

/* Those above first, and the window while its targets are there. */
static void a_window_ends_from_the_roof(void **state)
{
    (void) loop_setup(state);
    order[0] = '\0';
    assert_int_equal(loop_teardown(state), 0);
    assert_string_equal(order, "WwTt");
}

static void no_room_for_more(void **state)
{
    static const struct rma_hooks more[] = { { .name = "1" }, { .name = "2" }, { .name = "3" },
                                             { .name = "4" }, { .name = "5" }, { .name = "6" },
                                             { .name = "7" }, { .name = "8" }, { .name = "9" } };
    int err = MPI_SUCCESS;

    (void) state;
    for (size_t i = 0; i < sizeof more / sizeof *more && !err; i++)
        err = rma_hooks_add(&more[i]);
    assert_int_equal(fake_class(err), MPI_ERR_INTERN);
}

/* ---- sync packets ---------------------------------------------------------------------------- */

static int came, answers;
static bool welcome = true;
static struct rma_sync_fields last;

static bool may_come(const struct rma_target *t, const struct rma_sync_fields *f)
{
    (void) f;
    return t == loop.t && welcome;
}

static int come(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    assert_ptr_equal(w, loop.w);
    assert_ptr_equal(t, loop.t);
    came++;
    last = *f;
    return answers;
}

static const struct rma_sync_row mine = { "mine", may_come, come }, other = { "other", NULL, come },
                                 same_sync = { "FLUSH", NULL, come };

static void one_row_for_each_sync(void **state)
{
    (void) state;
    assert_int_equal(rma_sync_add(RMA_SYNC_TEST, &mine), MPI_SUCCESS);
    assert_int_equal(rma_sync_add(RMA_SYNC_TEST, &mine), MPI_SUCCESS);
    assert_int_equal(fake_class(rma_sync_add(RMA_SYNC_TEST, &other)), MPI_ERR_INTERN);
    assert_int_equal(fake_class(rma_sync_add(RMA_SYNC_TEST + 1, &same_sync)), MPI_ERR_INTERN);
}

/* Sends one to rank 1, from where it comes back. Returns how many were refused. */
static int send_sync(enum rma_sync number)
{
    const struct rma_sync_fields f = { .number = 5, .disp = -7, .size = 1u << 30, .value = 9 };

    came = loop.refused = 0;
    assert_int_equal(rma_sync_send(loop.w, 1, number, &f), MPI_SUCCESS);
    assert_true(loop_pump());
    if (came)
        assert_memory_equal(&last, &f, sizeof f);
    int refused = loop.refused;
    loop.refused = 0;
    return refused;
}

static void syncs_come(void **state)
{
    (void) state;
    assert_int_equal(send_sync(RMA_SYNC_TEST), 0);
    assert_int_equal(came, 1);
    assert_int_equal(send_sync(RMA_SYNC_TEST + 1), 1); /* there is no row */
    assert_int_equal(came, 0);
    welcome = false;
    assert_int_equal(send_sync(RMA_SYNC_TEST), 1);
    assert_int_equal(came, 0);
    welcome = true;
}

/* A sender whose packet cannot be right is lost. */
static void a_handler_refuses(void **state)
{
    (void) state;
    answers = MPI_ERR_OTHER;
    assert_int_equal(send_sync(RMA_SYNC_TEST), 1);
    assert_int_equal(came, 1);
    assert_int_equal(loop.w->comm->proc[1]->lost, -EPROTO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loop_setup, loop_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_added),
        cmocka_unit_test(a_window_ends_from_the_roof),
        cmocka_unit_test(no_room_for_more),
        TEST(one_row_for_each_sync),
        TEST(syncs_come),
        TEST(a_handler_refuses), /* for good: it is the last */
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
