/* node_id.c — processes of two jobs are on one node where their business cards have the same id. We
 * are rank 0 of a job of three, whose processes are on three nodes. */
#include <string.h>
#include "fake.h"
#include "adi3/proc/node_segment.h"

enum { OTHER = 0x4711, OTHERS = 3, ALL = FAKE_SIZE + OTHERS };

static struct proc_job *job;
static struct adi3_proc *procs[ALL];
static struct adi3_group *group;

static int setup(void **state)
{
    const struct proc_job known = { .dev = { .id = OTHER, .size = OTHERS }, .name = "job B" };
    int *member = malloc(ALL * sizeof *member);

    fake_setup(state);
    assert_int_equal(proc_job_learn(&known, &job), MPI_SUCCESS);
    for (int i = 0; i < ALL; i++) {
        member[i] = i < FAKE_SIZE ? i : job->first + i - FAKE_SIZE;
        procs[i] = proc_at(member[i]);
    }
    group = adi3_group_make(ALL, member);
    return 0;
}

static int teardown(void **state)
{
    adi3_group_release(group);
    return fake_teardown(state);
}

static void give(int rank, unsigned long long id)
{
    char text[80];

    (void) snprintf(text, sizeof text, "job:-%x-%x|node_id:-%llx", (unsigned) OTHER,
                    (unsigned) rank, id);
    assert_int_equal(proc_business_card_give(proc_at(job->first + rank), text), MPI_SUCCESS);
}

static void ids_of_two_jobs(void **state)
{
    const uint64_t here = node_id_here(), wanted[] = { here, 0x101, 0x102, 0x101, here, 0x103 };
    const struct adi3_comm c = { .proc = procs, .group = group, .size = ALL };
    uint64_t id[ALL];

    (void) state;
    give(0, 0x101);
    give(1, here);
    give(2, 0x103);
    for (int times = 0; times < 2; times++) {
        memset(id, 0, sizeof id);
        assert_int_equal(adi3_node_ids(&c, id), MPI_SUCCESS);
        assert_memory_equal(id, wanted, sizeof id);
    }
}

static void an_id_is_missing(void **state)
{
    const struct adi3_comm c = { .proc = procs, .group = group, .size = ALL };
    uint64_t id[ALL];

    (void) state;
    give(0, 0x101);
    give(1, 0);
    int err = adi3_node_ids(&c, id);
    assert_true(err && strstr(adi3_error_text(err), "rank 1 of job B"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ids_of_two_jobs, setup, teardown),
        cmocka_unit_test_setup_teardown(an_id_is_missing, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
