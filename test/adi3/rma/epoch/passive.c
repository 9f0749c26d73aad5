/* passive.c — MPI_Win_lock, unlock, lock_all and flush: what they ask of other processes, and
 * when they are errors. Rank 0 is this process; ranks 1 and 2 are on other nodes. */
#include <stdio.h>
#include <string.h>
#include "adi3/rma/epoch/epoch_impl.h"
#include "rma/rma_lock.h"

static struct rma_control *own;
static struct adi3_win *w;

static void fresh(void)
{
    w = rma_shared_window();
    w->flavor = MPI_WIN_FLAVOR_CREATE;
    w->memory->count = 1;
    own = w->memory->control;
    w->comm->size = 3;
    w->comm->proc[1]->peer.node = w->comm->proc[2]->peer.node = NULL;
    rma_nsent = rma_flushes = 0;
}

static void over(void)
{
    assert_int_equal(own->lock.users, own->lock.write);
    assert_int_equal(own->lock.users, own->lock.read);
    assert_int_equal(own->lock.inside, 0);
    assert_int_equal(own->tickets, 0);
    assert_int_equal(w->access, ADI3_EPOCH_NONE);
    rma_targets_free(w);
}

static void check_sent(int i, int rank, enum rma_sync sync, uint32_t value)
{
    assert_in_range(i, 0, rma_nsent - 1);
    assert_int_equal(rma_sent[i].rank, rank);
    assert_int_equal(rma_sent[i].sync, sync);
    assert_int_equal(rma_sent[i].fields.value, value);
}

/* No operation follows that would ask for the lock. */
static int lock(int target, int type)
{
    int err = adi3_win_lock(w, type, target, 0);

    remote_lock_settle();
    return err;
}

/* The error is this class, and its text says what and where. */
static void refused(int err, const char *what)
{
    assert_int_equal(fake_class(err), MPI_ERR_RMA_SYNC);
    assert_non_null(strstr(adi3_error_text(err), "window 'halo'"));
    if (!strstr(adi3_error_text(err), what))
        fail_msg("%s: it does not say %s", adi3_error_text(err), what);
}

static void locks_of_both_kinds(void **state)
{
    (void) state;
    fresh();
    assert_int_equal(lock(0, MPI_LOCK_EXCLUSIVE), MPI_SUCCESS);
    assert_int_equal(lock(1, MPI_LOCK_SHARED), MPI_SUCCESS); /* behind the first: it joins */
    assert_int_equal(lock(2, MPI_LOCK_EXCLUSIVE), MPI_SUCCESS);
    check_sent(0, 1, RMA_SYNC_LOCK, RMA_JOINS);
    check_sent(1, 2, RMA_SYNC_LOCK, RMA_WRITES);
    assert_int_equal(w->access, ADI3_EPOCH_LOCK);
    assert_int_equal(own->tickets, 1);
    assert_int_equal(adi3_win_flush(w, 0, false), MPI_SUCCESS);
    assert_int_equal(rma_flushes, 0);
    assert_int_equal(adi3_win_flush(w, 1, false), MPI_SUCCESS);
    assert_int_equal(rma_flushes, 1);
    assert_int_equal(adi3_win_flush(w, -1, false), MPI_SUCCESS);
    assert_int_equal(rma_flushes, 3);
    assert_int_equal(adi3_win_sync(w), MPI_SUCCESS);
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(adi3_win_unlock(w, rank), MPI_SUCCESS);
    check_sent(2, 1, RMA_SYNC_UNLOCK, 0);
    check_sent(3, 2, RMA_SYNC_UNLOCK, 0);
    assert_int_equal(rma_flushes, 3); /* the answer to the last sync packet says as much */
    over();
}

static void the_first_lock_lines_up(void **state)
{
    (void) state;
    fresh();
    w->access = ADI3_EPOCH_FENCE; /* not used: it ends by itself */
    assert_int_equal(lock(1, MPI_LOCK_SHARED), MPI_SUCCESS);
    check_sent(0, 1, RMA_SYNC_LOCK, RMA_READS);
    rma_target(w, 1)->unflushed = 1;
    assert_int_equal(adi3_win_unlock(w, 1), MPI_SUCCESS);
    assert_int_equal(rma_nsent, 2); /* and no flush */
    assert_int_equal(rma_flushes, 0);
    assert_int_equal(lock(1, MPI_LOCK_SHARED), MPI_SUCCESS);
    assert_int_equal(rma_target(w, 1)->unflushed, 0); /* the unlock was a flush */
    assert_int_equal(adi3_win_unlock(w, 1), MPI_SUCCESS);
    over();
}

static void lock_all_asks_at_first_use(void **state)
{
    (void) state;
    fresh();
    assert_int_equal(lock(-1, MPI_LOCK_SHARED), MPI_SUCCESS);
    assert_int_equal(own->lock.read, 1);
    assert_int_equal(rma_nsent, 0);
    assert_int_equal(adi3_win_flush(w, 1, false), MPI_SUCCESS); /* nothing to do */
    assert_int_equal(rma_flushes, 0);
    for (int twice = 0; twice < 2; twice++)
        for (int rank = 0; rank < 3; rank++)
            assert_int_equal(rma_access(w, rma_target(w, rank)), MPI_SUCCESS);
    remote_lock_settle();
    assert_int_equal(rma_nsent, 2);
    check_sent(0, 1, RMA_SYNC_LOCK, RMA_JOINS);
    check_sent(1, 2, RMA_SYNC_LOCK, RMA_JOINS);
    assert_int_equal(adi3_win_unlock(w, -1), MPI_SUCCESS);
    check_sent(2, 1, RMA_SYNC_UNLOCK, 0); /* one round trip for both */
    check_sent(3, 2, RMA_SYNC_UNLOCK, 0);
    over();
}

static void takes_no_lock_with_nocheck(void **state)
{
    (void) state;
    fresh();
    assert_int_equal(adi3_win_lock(w, MPI_LOCK_SHARED, -1, MPI_MODE_NOCHECK), MPI_SUCCESS);
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(rma_access(w, rma_target(w, rank)), MPI_SUCCESS);
    assert_int_equal(adi3_win_unlock(w, -1), MPI_SUCCESS);
    assert_int_equal(rma_flushes, 2);
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(adi3_win_lock(w, MPI_LOCK_EXCLUSIVE, rank, MPI_MODE_NOCHECK), MPI_SUCCESS);
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(adi3_win_unlock(w, rank), MPI_SUCCESS);
    assert_int_equal(rma_flushes, 4);
    assert_int_equal(rma_nsent, 0);
    assert_int_equal(own->lock.users, 0);
    over();
    fresh();
    assert_int_equal(lock(-1, MPI_LOCK_SHARED), MPI_SUCCESS); /* checks again */
    assert_int_equal(rma_access(w, rma_target(w, 1)), MPI_SUCCESS);
    remote_lock_settle();
    assert_int_equal(rma_nsent, 1);
    assert_int_equal(adi3_win_unlock(w, -1), MPI_SUCCESS);
    over();
}

static void a_shared_window_takes_all_of_its_locks(void **state)
{
    (void) state;
    fresh();
    w->memory->count = 3;
    w->flavor = MPI_WIN_FLAVOR_SHARED;
    assert_int_equal(lock(-1, MPI_LOCK_SHARED), MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        assert_int_equal(own[i].lock.read, 1);
    assert_int_equal(own->tickets, 3);
    assert_int_equal(adi3_win_unlock(w, -1), MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        assert_int_equal(own[i].lock.write, 1);
    over();
}

/* Nothing is asked for without an operation, and only one lock is ever due. */
static void locks_that_are_due(void **state)
{
    (void) state;
    fresh();
    assert_int_equal(adi3_win_lock(w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
    assert_int_equal(adi3_win_flush(w, 1, false), MPI_SUCCESS);
    assert_int_equal(adi3_win_unlock(w, 1), MPI_SUCCESS);
    assert_int_equal(rma_nsent, 0);
    for (int near = 0; near < 2; near++) {
        rma_nsent = 0;
        assert_int_equal(adi3_win_lock(w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
        assert_int_equal(adi3_win_lock(w, MPI_LOCK_EXCLUSIVE, near ? 0 : 2, 0), MPI_SUCCESS);
        assert_int_equal(rma_nsent, 1);
        check_sent(0, 1, RMA_SYNC_LOCK, RMA_WRITES);
        assert_int_equal(adi3_win_unlock(w, 1), MPI_SUCCESS);
        check_sent(1, 1, RMA_SYNC_UNLOCK, 0);
        assert_int_equal(adi3_win_unlock(w, near ? 0 : 2), MPI_SUCCESS);
        assert_int_equal(rma_nsent, 2);
    }
    adi3_threads = true; /* each has its own order: at once */
    assert_int_equal(adi3_win_lock(w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
    adi3_threads = false;
    assert_int_equal(rma_nsent, 3);
    assert_int_equal(adi3_win_unlock(w, 1), MPI_SUCCESS);
    over();
}

static void a_lock_that_a_dead_process_has(void **state)
{
    (void) state;
    fresh();
    rma_dead_remote = true;
    assert_int_equal(lock(1, MPI_LOCK_SHARED), MPI_SUCCESS);
    rma_dead_remote = false;
    int err = remote_lock_ready(w, rma_target(w, 1), true);
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "on the node of rank 1 of window 'halo' ended"));
    assert_int_equal(fake_class(rma_target(w, 1)->err), MPI_ERR_OTHER); /* for a flush */
    rma_target(w, 1)->err = MPI_SUCCESS;
    assert_int_equal(adi3_win_unlock(w, 1), MPI_SUCCESS);
    assert_int_equal(rma_target(w, 1)->awaits_lock, RMA_BY_NOTHING);
    over();
}

static char told[256];
static int tellings;

static void tell(const char *line)
{
    (void) snprintf(told, sizeof told, "%s", line);
    tellings++;
}

/* They are there, and STARLING_CHECK=strict tells so once. */
static void locks_with_no_locks(void **state)
{
    (void) state;
    fresh();
    w->infos = ADI3_WIN_NO_LOCKS;
    adi3_warn = tell;
    assert_int_equal(lock(0, MPI_LOCK_EXCLUSIVE), MPI_SUCCESS);
    assert_int_equal(adi3_win_unlock(w, 0), MPI_SUCCESS);
    assert_int_equal(tellings, 0);
    adi3_check = ADI3_CHECK_STRICT;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lock(-1, MPI_LOCK_SHARED), MPI_SUCCESS);
        assert_int_equal(adi3_win_unlock(w, -1), MPI_SUCCESS);
        assert_int_equal(tellings, 1);
    }
    assert_non_null(strstr(told, "MPI_Win_lock_all of window 'halo', which has the info no_locks"));
    w->locks_told = false;
    assert_int_equal(lock(0, MPI_LOCK_SHARED), MPI_SUCCESS);
    assert_int_equal(adi3_win_unlock(w, 0), MPI_SUCCESS);
    assert_non_null(strstr(told, "MPI_Win_lock of rank 0 of window 'halo'"));
    adi3_check = ADI3_CHECK_BASIC;
    adi3_warn = NULL;
    over();
}

/* What all processes have seen to be wrong is not believed, and told likewise. */
static void hints_that_are_not_true(void **state)
{
    const unsigned both = ADI3_WIN_SAME_SIZE | ADI3_WIN_SAME_DISP_UNIT;

    (void) state;
    fresh();
    adi3_warn = tell;
    w->broken = ADI3_WIN_SAME_SIZE;
    tellings = 0;
    adi3_win_set_infos(w, both);
    assert_int_equal(w->infos, ADI3_WIN_SAME_DISP_UNIT);
    assert_int_equal(tellings, 0);
    adi3_check = ADI3_CHECK_STRICT;
    adi3_win_set_infos(w, ADI3_WIN_SAME_DISP_UNIT);
    assert_int_equal(tellings, 0);
    adi3_win_set_infos(w, both);
    assert_int_equal(tellings, 1);
    assert_non_null(strstr(told, "window 'halo': the info same_size=true is ignored: the sizes"));
    w->broken = ADI3_WIN_SAME_DISP_UNIT;
    adi3_win_set_infos(w, both);
    assert_non_null(strstr(told, "the info same_disp_unit=true is ignored"));
    w->broken = w->infos = 0;
    adi3_check = ADI3_CHECK_BASIC;
    adi3_warn = NULL;
    over();
}

static void locks_in_another_epoch(void **state)
{
    (void) state;
    fresh();
    w->access = ADI3_EPOCH_FENCE;
    w->fence_used = true;
    refused(lock(1, MPI_LOCK_SHARED), "MPI_MODE_NOSUCCEED");
    w->access = ADI3_EPOCH_START;
    refused(lock(1, MPI_LOCK_SHARED), "MPI_Win_complete");
    refused(lock(-1, MPI_LOCK_SHARED), "MPI_Win_complete");
    w->access = ADI3_EPOCH_NONE;
    w->exposure = ADI3_EPOCH_POST;
    refused(lock(0, MPI_LOCK_SHARED), "MPI_Win_wait");
    assert_int_equal(lock(1, MPI_LOCK_SHARED), MPI_SUCCESS);
    refused(lock(1, MPI_LOCK_EXCLUSIVE), "has locked it already");
    refused(lock(-1, MPI_LOCK_SHARED), "MPI_Win_unlock for MPI_Win_lock");
    refused(adi3_win_unlock(w, -1), "without MPI_Win_lock_all");
    refused(adi3_win_unlock(w, 2), "rank 2 of window 'halo': MPI_Win_unlock without MPI_Win_lock");
    refused(adi3_win_flush(w, 2, false), "rank 2 of window 'halo': a flush without MPI_Win_lock");
    assert_int_equal(adi3_win_unlock(w, 1), MPI_SUCCESS);
    refused(adi3_win_unlock(w, 1), "without MPI_Win_lock");
    refused(adi3_win_flush(w, 1, true), "outside an epoch");
    refused(adi3_win_flush(w, -1, true), "outside an epoch");
    assert_int_equal(lock(-1, MPI_LOCK_SHARED), MPI_SUCCESS);
    refused(lock(-1, MPI_LOCK_SHARED), "MPI_Win_unlock_all");
    refused(lock(1, MPI_LOCK_SHARED), "MPI_Win_unlock_all");
    refused(adi3_win_unlock(w, 0), "MPI_Win_unlock_all");
    assert_int_equal(adi3_win_unlock(w, -1), MPI_SUCCESS);
    over();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_of_both_kinds),
        cmocka_unit_test(the_first_lock_lines_up),
        cmocka_unit_test(lock_all_asks_at_first_use),
        cmocka_unit_test(takes_no_lock_with_nocheck),
        cmocka_unit_test(a_shared_window_takes_all_of_its_locks),
        cmocka_unit_test(locks_that_are_due),
        cmocka_unit_test(a_lock_that_a_dead_process_has),
        cmocka_unit_test(locks_with_no_locks),
        cmocka_unit_test(hints_that_are_not_true),
        cmocka_unit_test(locks_in_another_epoch),
    };

    return UNIT_RUN_BETWEEN(tests, rma_setup, rma_teardown);
}
