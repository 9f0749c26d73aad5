/* hub_ends_test.c — PMI servers on several nodes: ranks that end, nodes that are ahead, and notes
 * that are wrong. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "hubs.h"

static void a_rank_that_leaves_ends_a_barrier(void **state)
{
    (void) state;
    open_two();
    (void) say(6, "cmd=finalize\n");
    all_say(3, "cmd=barrier_in\n");
    assert_int_equal(broken_rank, -1);
    (void) say(3, "cmd=barrier_in\n"); /* now all of a node wait */
    assert_int_equal(broken_rank, 6);
    assert_string_equal(why, "left the job while other ranks wait for it");
    destroy();
    open_two();
    all_say(4, "cmd=barrier_in\n");
    end_rank(5);
    assert_int_equal(broken_rank, 5);
    assert_string_equal(why, "left the job while other ranks wait for it");
    destroy();
    open_two(); /* of the same node */
    (void) say(4, "cmd=barrier_in\n");
    end_rank(5);
    assert_int_equal(broken_rank, 5);
    destroy();
}

static void a_rank_that_does_not_join_ends_a_barrier(void **state)
{
    (void) state;
    create(2, true);
    all_say(4, INIT);
    end_rank(7);
    end_rank(6);
    all_say(4, "cmd=barrier_in\n");
    assert_int_equal(broken_rank, 7); /* the first */
    assert_string_equal(why, "never called MPI_Init, and other ranks wait for it");
    destroy();
    create(2, true); /* the second program of shells */
    all_say(8, INIT "cmd=finalize\n");
    all_say(4, INIT);
    all_say(4, "cmd=barrier_in\n");
    assert_int_equal(broken_rank, -1);
    end_rank(4);
    assert_int_equal(broken_rank, 4);
    assert_string_equal(why, "never called MPI_Init, and other ranks wait for it");
    destroy();
}

static void a_node_may_be_ahead(void **state)
{
    (void) state;
    create(2, true);
    for (int i = 0; i < 3; i++)
        all_say(4, INIT "cmd=finalize\n");
    all_say(4, INIT);
    assert_string_equal(say(0, "cmd=get_my_kvsname\n"), "cmd=my_kvsname kvsname=job_3 rc=0\n");
    all_say(4, "cmd=barrier_in\n");
    for (int i = 4; i < 8; i++)
        (void) say(i, INIT "cmd=finalize\n" INIT "cmd=finalize\n" INIT "cmd=finalize\n" INIT);
    assert_int_equal(broken_rank, -1);
    for (int i = 4; i < 8; i++)
        (void) say(i, "cmd=barrier_in\n");
    assert_string_equal(reply[7], "cmd=barrier_out\n");
    assert_string_equal(reply[0], "cmd=barrier_out\n");
    destroy();
}

static const char *dead(int rank)
{
    const char *value = strstr(say(rank, "cmd=get kvsname=job key=PMI_dead_processes\n"), "value=");

    assert_non_null(value);
    return value + strlen("value=");
}

static void assert_out(int first_rank, int last_rank)
{
    for (int i = first_rank; i <= last_rank; i++)
        assert_string_equal(reply[i], "cmd=barrier_out\n");
}

static void the_living_go_on(void **state)
{
    (void) state;
    survives = true;
    open_two();
    all_say(5, "cmd=barrier_in\n");
    end_rank(5);
    end_rank(4); /* which waits */
    assert_string_equal(dead(6), "5,4\n");
    (void) say(6, "cmd=barrier_in\n");
    assert_string_equal(reply[0], "");
    (void) say(7, "cmd=barrier_in\n");
    assert_out(0, 3);
    assert_out(6, 7);
    all_say(4, "cmd=barrier_in\n");
    (void) say(6, "cmd=finalize\n");
    end_rank(6);
    assert_string_equal(reply[0], "");
    end_rank(7); /* now the node has none */
    assert_out(0, 3);
    assert_string_equal(dead(0), "5,4,7\n");
    all_say(4, "cmd=barrier_in\n");
    assert_out(0, 3);
    all_say(4, "cmd=finalize\n" INIT "cmd=barrier_in\n");
    assert_non_null(strstr(reply[3], "cmd=barrier_out\n")); /* also of the next program */
    assert_int_equal(broken_rank, -1);
    destroy();
    survives = false;
}

static void a_node_that_is_lost(void **state)
{
    (void) state;
    survives = true;
    open_two();
    for (int i = 4; i < 8; i++)
        (void) say(i, "cmd=barrier_in\n");
    all_say(3, "cmd=barrier_in\n");
    for (int i = 4; i < 8; i++)
        pm_server_lost(root.job, i);
    settle();
    assert_string_equal(reply[0], "");
    (void) say(3, "cmd=barrier_in\n");
    assert_out(0, 3);
    assert_string_equal(dead(0), "4,5,6,7\n");
    assert_int_equal(broken_rank, -1);
    destroy();
    survives = false;
}

/* Ranks that go on without the reply: the end of the barrier comes too late. */
static void ranks_that_do_not_wait(void **state)
{
    (void) state;
    open_two();
    for (int i = 0; i < 8; i++)
        send_line(i, "cmd=barrier_in\n");
    for (int i = 0; i < 8; i++)
        send_line(i, "cmd=finalize\n");
    settle();
    for (int i = 0; i < 8; i++)
        end_rank(i);
    assert_int_equal(broken_rank, -1);
    destroy();
}

static void the_root_knows_states(void **state)
{
    static const struct {
        const char *line;
        enum pm_client_state state;
    } row[PER_NODE] = { { INIT, PM_CLIENT_JOINED },
                        { INIT "cmd=finalize\n", PM_CLIENT_FINALIZED },
                        { "cmd=get_appnum\n", PM_CLIENT_NOT_JOINED },
                        { INIT "cmd=get kvsname=job key=k\ncmd=finalize\n", PM_CLIENT_FINALIZED } };

    (void) state;
    create(2, true);
    assert_int_equal(pm_server_client_state(root.job, 0), PM_CLIENT_NOT_JOINED);
    for (int i = 0; i < PER_NODE; i++)
        send_line(i, row[i].line); /* the last one ends before it gets the value */
    for (int i = 0; i < PER_NODE; i++)
        pm_server_closing(hub[0].job, i);
    settle();
    for (int i = 0; i < PER_NODE; i++)
        assert_int_equal(pm_server_client_state(root.job, i), row[i].state);
    assert_int_equal(pm_server_client_state(root.job, 4), PM_CLIENT_NOT_JOINED);
    assert_int_equal(notes(0, PM_NOTE_STATE), 2);
    destroy();
}

static void an_abort_is_not_lost_behind_a_get(void **state)
{
    (void) state;
    open_two();
    send_line(5, "cmd=get kvsname=job key=k\ncmd=publish_name service=s port=p\n"
                 "cmd=abort exitcode=7 msg=why%20so\n");
    assert_int_equal(abort_rank, -1);
    end_rank(5);
    assert_true(abort_rank == 5 && abort_code == 7);
    assert_string_equal(why, "why so");
    (void) say(1, "cmd=abort exitcode=8\n");
    assert_true(abort_rank == 1 && abort_code == 8);
    destroy();
}

/* ---- wrong notes ----------------------------------------------------------------------------- */

static int from_hub(int node, enum pm_note_kind kind, int generation, int rank, const char *text,
                    size_t len)
{
    const struct pm_note note = {
        .kind = kind, .generation = generation, .rank = rank, .bytes = text, .len = len
    };

    return pm_server_from_hub(root.job, node, &note);
}

static int from_root(enum pm_note_kind kind, int generation, int rank, const char *text, size_t len)
{
    const struct pm_note note = {
        .kind = kind, .generation = generation, .rank = rank, .bytes = text, .len = len
    };

    return pm_server_from_root(hub[1].job, &note);
}

static void wrong_notes_are_refused(void **state)
{
    (void) state;
    open_two();
    assert_int_equal(from_hub(2, PM_NOTE_BARRIER, 0, 0, "", 0), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_BARRIER, -1, 0, "", 0), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_RELEASE, 0, 0, "", 0), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_KINDS, 0, 0, "", 0), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_PUT, 0, 0, "key", 4), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_PUT, 0, 0, "key\0v", 5), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_GET, 0, 0, "key", 3), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_GET, 0, 0, "", 1), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_MISSING, 0, 3, "", 0), -EBADMSG); /* of the other node */
    assert_int_equal(from_hub(1, PM_NOTE_MISSING, 0, 8, "", 0), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_LEFT, 1, 4, "", 0), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_WARN, 0, 4, "a\nb", 4), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_NAME, 0, 4, "a", 2), -EBADMSG);
    assert_int_equal(from_hub(1, PM_NOTE_BARRIER, 0, 0, "", 0), 0);
    assert_int_equal(from_hub(1, PM_NOTE_BARRIER, 0, 0, "", 0), -EBADMSG); /* twice */
    assert_int_equal(from_root(PM_NOTE_RELEASE, 0, 0, "", 0), -EBADMSG);
    assert_int_equal(from_root(PM_NOTE_BARRIER, 0, 0, "", 0), -EBADMSG);
    assert_int_equal(from_root(PM_NOTE_VALUE, 0, 0, "k", 1), -EBADMSG);
    assert_int_equal(from_root(PM_NOTE_NAMED, 0, 4, "p", 2), -EBADMSG); /* not asked */
    assert_int_equal(from_root(PM_NOTE_NAMED, 0, 1, "p", 2), -EBADMSG);
    assert_true(broken_rank < 0 && !warnings);
    destroy();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_that_leaves_ends_a_barrier),
        cmocka_unit_test(a_rank_that_does_not_join_ends_a_barrier),
        cmocka_unit_test(a_node_may_be_ahead),
        cmocka_unit_test(the_living_go_on),
        cmocka_unit_test(a_node_that_is_lost),
        cmocka_unit_test(ranks_that_do_not_wait),
        cmocka_unit_test(the_root_knows_states),
        cmocka_unit_test(an_abort_is_not_lost_behind_a_get),
        cmocka_unit_test(wrong_notes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
