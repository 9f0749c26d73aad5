/* any.c — of requests that end in the same poll, a call that asks for one gets the lowest
 * index, and a call that asks for more gets all that ended. Protects P18. */
#include "fake.h"

enum { N = 4 };

static char in[N];

/* The messages of one poll, the highest tag first. */
static bool bring(void)
{
    fake.poll = NULL;
    for (int tag = N; tag-- > 1;) {
        char c = (char) tag;
        assert_int_equal(fake_arrive(1, fake_eager(1, tag, 1), &c, FAKE_WHOLE), 0);
    }
    return true;
}

static int wait_for(int room, int index[N])
{
    struct adi3_request *r[N];
    struct adi3_any any;

    adi3_any_begin(&any, index, room);
    for (int i = 0; i < N; i++) {
        r[i] = fake_irecv(&in[i], 1, 1, i);
        adi3_any_watch(&any, r[i], i);
    }
    fake.poll = bring;
    adi3_any_wait(&any);
    assert_int_equal(fake_arrive(1, fake_eager(1, 0, 1), "", FAKE_WHOLE), 0);
    for (int i = 0; i < N; i++) {
        assert_int_equal(fake_result(r[i], MPI_STATUS_IGNORE), MPI_SUCCESS);
        assert_int_equal(in[i], i);
    }
    return any.n;
}

static void lowest_of_a_poll(void **state)
{
    int index[N];

    (void) state;
    assert_int_equal(wait_for(1, index), 1);
    assert_int_equal(index[0], 1);
}

static void all_of_a_poll(void **state)
{
    int index[N], seen = 0;

    (void) state;
    assert_int_equal(wait_for(N, index), N - 1);
    for (int i = 0; i < N - 1; i++)
        seen |= 1 << index[i];
    assert_int_equal(seen, (1 << N) - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_teardown(lowest_of_a_poll, fake_settled),
                                        cmocka_unit_test_teardown(all_of_a_poll, fake_settled) };

    return cmocka_run_group_tests(tests, fake_setup, fake_teardown);
}
