/* job_life.c — how long another job is known: its numbers are used again when nothing has them, and
 * its processes may send as long as something links them with ours. */
#include <stdlib.h>
#include <string.h>
#include "fake.h"

static char *card(const struct proc_job *job, int rank)
{
    char text[200];

    (void) snprintf(text, sizeof text,
                    "host:c7|fake:x|job:-%llx-%x|abi:", (unsigned long long) job->dev.id, rank);
    abi_write(text + strlen(text));
    return strdup(text);
}

static struct proc_job *add(uint64_t id, int size, const char *name)
{
    const struct proc_job new = { .dev = { .id = id, .size = size },
                                  .name = name,
                                  .business_card = card };
    struct proc_job *job = NULL;

    assert_int_equal(proc_job_add(&new, &job), MPI_SUCCESS);
    return job;
}

static uint64_t id_of(int i) { return (uint64_t) (i + 1) * 0x9e3779b97f4a7c15u; }

static void restart(void **state)
{
    (void) fake_teardown(state);
    (void) fake_setup(state);
}

static struct adi3_group *whole(const struct proc_job *job)
{
    return adi3_group_strided(job->dev.size, job->first, 1);
}

enum { COMING = 40, STEPS = 20000, SIZE_MOST = 300 };

/* All jobs that are there are found, and no two have a number in common. */
static void check_table(struct proc_job *const *job)
{
    static int owner[FAKE_SIZE + 2 * COMING * SIZE_MOST];

    memset(owner, 0, sizeof owner);
    for (int k = 0; k < COMING; k++) {
        assert_ptr_equal(proc_job_find(id_of(k)), job[k]);
        for (int i = 0; job[k] && i < job[k]->dev.size; i++) {
            int number = job[k]->first + i;
            assert_true(number >= FAKE_SIZE && number < proc_count() && !owner[number]);
            owner[number] = k + 1;
            assert_ptr_equal(proc_job_of_number(number), job[k]);
            assert_int_equal(proc_at(number)->peer.rank, i);
        }
    }
}

static void come_and_go(void **state)
{
    struct proc_job *job[COMING] = { NULL };
    unsigned random = 5;

    for (int step = 0; step < STEPS; step++) {
        random = random * 1103515245 + 12345;
        int k = (int) (random >> 16) % COMING;
        if (job[k]) {
            proc_job_connects(job[k], false);
            job[k] = NULL;
        } else {
            job[k] = add(id_of(k), 1 + (int) (random >> 8) % SIZE_MOST, "job that comes");
            proc_job_connects(job[k], true);
        }
        if (step % 100 == 0)
            check_table(job);
    }
    assert_true(proc_count() <= FAKE_SIZE + 2 * COMING * SIZE_MOST);
    for (int k = 0; k < COMING; k++)
        if (job[k])
            proc_job_connects(job[k], false);
    assert_int_equal(proc_count(), FAKE_SIZE);
    restart(state);
}

/* As long as a group has its processes a job has its numbers, also when it comes again. */
static void groups_keep_numbers(void **state)
{
    struct proc_job *b = add(1, 4, "job B"), *c = add(2, 2, "job C");
    int mixed[] = { 2, 4, 3, 1, 5 }, first = b->first; /* of ours, of B, ours, and B */

    proc_job_connects(b, true);
    proc_job_connects(c, true);
    struct adi3_group *row = adi3_group_strided(3, b->first, 1), *ours = whole(&proc_own_job);
    int *list = malloc(sizeof mixed);
    memcpy(list, mixed, sizeof mixed);
    struct adi3_group *g = adi3_group_make(5, list);
    assert_true(row->others && g->others && !ours->others && b->groups == 3);
    proc_job_connects(b, false);
    assert_true(b->gone && proc_job_find(1) == b && !p2p_upcalls.job(1));
    assert_true(add(3, 4, "job D")->first == c->first + 2);
    assert_ptr_equal(add(1, 4, "job B"), b);
    assert_true(!b->gone && b->first == first && p2p_upcalls.job(1) == &b->dev);
    proc_job_connects(b, true);
    adi3_group_release(row);
    proc_job_connects(b, false);
    assert_true(b->gone && proc_job_find(1) == b);
    adi3_group_release(g);
    assert_null(proc_job_find(1));
    assert_int_equal(add(4, 3, "job E")->first, first); /* the numbers are used again */
    adi3_group_release(ours);
    restart(state);
}

/* A process may send as long as it is linked, or a connect with its job is under way. */
static void links(void **state)
{
    struct proc_job *b = add(1, 4, "job B");
    struct adi3_proc *p = proc_at(b->first), *q = proc_at(b->first + 1);

    assert_null(p2p_upcalls.peer(&b->dev, 1));
    proc_job_connects(b, true);
    assert_ptr_equal(p2p_upcalls.peer(&b->dev, 1), &q->peer);
    proc_link_add(p);
    proc_link_add(p);
    proc_job_connects(b, false);
    assert_true(proc_links(p) == 2 && proc_may_send(p) && !proc_may_send(q));
    int dels = fake.dels;
    proc_forget(q);
    assert_true(fake.dels == dels + 1 && !q->dev && !q->link && q->peer.rank == 1);
    assert_null(p2p_upcalls.peer(&b->dev, 1));
    assert_ptr_equal(p2p_upcalls.peer(&b->dev, 0), &p->peer);
    proc_link_drop(p);
    assert_true(proc_may_send(p) && !b->gone);
    proc_link_drop(p);
    assert_null(proc_job_find(1));
    assert_int_equal(fake.dels, dels + 2);
    restart(state);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(come_and_go),
        cmocka_unit_test(groups_keep_numbers),
        cmocka_unit_test(links),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
