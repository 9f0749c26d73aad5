/* finalize.c — MPI_Finalize waits for what has begun to arrive: the device still writes it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { LEN = 1000, POLLS = 100 };

static char out[LEN], in[LEN];
static struct dev_target target;
static int polls, error;
static bool ended;

/* The other processes come to the barrier at once. Long after that, when nothing else is left to
 * do, the rest of the payload comes, or is lost. */
static bool bring_the_rest(void)
{
    if (fake_join_barrier() || ended)
        return true;
    if (++polls == POLLS) {
        fake_pour(&target, out, error ? LEN / 2 : LEN);
        fake_end(&target, error);
        ended = true;
    }
    return true;
}

static void finalize_meanwhile(int err)
{
    error = err;
    polls = 0;
    ended = false;
    fake_reset();
    fake.poll = bring_the_rest;
    assert_int_equal(adi3_finalize(), MPI_SUCCESS);
    assert_true(ended);
    fake_drop();
}

static void of_a_receive(void **state)
{
    (void) state;
    memset(out, 'x', LEN);
    fake_start();
    (void) fake_irecv(in, LEN, 1, 5); /* of which the program never hears */
    assert_int_equal(fake_begin(1, fake_eager(1, 5, LEN), &target), 0);
    finalize_meanwhile(0);
    assert_memory_equal(in, out, LEN);
}

static void of_a_receive_whose_sender_is_lost(void **state)
{
    (void) state;
    fake_start();
    (void) fake_irecv(in, LEN, 1, 5);
    assert_int_equal(fake_begin(1, fake_eager(1, 5, LEN), &target), 0);
    finalize_meanwhile(-ECONNRESET);
}

static void of_messages_that_nobody_receives(void **state)
{
    (void) state;
    for (int i = 0; i < 2; i++) {
        fake_start();
        assert_int_equal(fake_begin(1, fake_eager(1, 5, LEN), &target), 0);
        finalize_meanwhile(i ? -ECONNRESET : 0);
    }
}

static void counted(const char *text)
{
    int err = adi3_unreceived();

    if (!text)
        assert_int_equal(err, MPI_SUCCESS);
    else
        assert_non_null(strstr(adi3_error_text(err), text));
}

/* Messages that were not received are counted, but not when a process is lost: the program may have
 * had no time for them. Nothing is counted after that. */
static void told_unless_a_process_is_lost(void **state)
{
    (void) state;
    counted("has not received 1 message; the first has 1000 bytes and tag 5, and is from rank 1 of "
            "MPI_COMM_WORLD");
    fake_start();
    assert_int_equal(fake_arrive(1, fake_eager(1, 5, LEN), out, FAKE_WHOLE), 0);
    fake_lose(2);
    fake_stop();
    counted(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_receive),
        cmocka_unit_test(of_a_receive_whose_sender_is_lost),
        cmocka_unit_test(of_messages_that_nobody_receives),
        cmocka_unit_test(told_unless_a_process_is_lost),
    };

    return UNIT_RUN(tests);
}
