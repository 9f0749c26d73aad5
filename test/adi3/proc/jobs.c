/* jobs.c — the processes of other jobs: the table, groups, messages and texts. We are rank 0 of a
 * job of three. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { JOBS = 1000, EACH = 100, CTX = 4242, FEW = 10, LOOKS = 5000 };

/* Of another launcher: the business cards are where this test has them. */
static char *card(const struct proc_job *job, int rank)
{
    char text[160];

    (void) snprintf(text, sizeof text,
                    "fake:there|host:c7|node:1|job:-%llx-%x|abi:", (unsigned long long) job->dev.id,
                    (unsigned) rank);
    if (rank == job->dev.size - 1)
        return NULL;
    if (job->business_cards)
        (void) strcat(text, job->business_cards);
    else
        abi_write(text + strlen(text));
    return strdup(text);
}

static struct proc_job learned(uint64_t id, int size, const char *name)
{
    return (
        struct proc_job) { .dev = { .id = id, .size = size }, .name = name, .business_card = card };
}

static struct proc_job *add(uint64_t id, int size, const char *name)
{
    const struct proc_job new = learned(id, size, name);
    struct proc_job *job = NULL;

    assert_int_equal(proc_job_add(&new, &job), MPI_SUCCESS);
    assert_true(job->dev.id == id && job->dev.size == size);
    return job;
}

static uint64_t id_of(int i) { return (uint64_t) (i + 1) * 0x9e3779b97f4a7c15u; }

static void restart(void **state)
{
    (void) fake_teardown(state);
    (void) fake_setup(state);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* ns for a look-up of a job and one of its processes, the best of some tries. */
static double look_up_ns(int jobs)
{
    double best = 1e9;

    for (int try = 0; try < 9; try++) {
        uint64_t begin = os_time_ns();
        for (int i = 0; i < LOOKS; i++) {
            const struct proc_job *job = proc_job_find(id_of(i % jobs));
            assert_int_equal(proc_at(job->first + i % EACH)->peer.rank, i % EACH);
        }
        double each = (double) (os_time_ns() - begin) / LOOKS;
        best = each < best ? each : best;
    }
    return best;
}

static void many_jobs(void **state)
{
    static struct adi3_proc *was[JOBS];
    struct adi3_proc *ours = adi3_procs;
    size_t before = mallinfo2().uordblks, bytes;
    double few = 0;

    for (int i = 0; i < JOBS; i++) {
        if (i == FEW)
            few = look_up_ns(FEW);
        const struct proc_job *job = add(id_of(i), EACH, "job of many");
        assert_int_equal(job->first, FAKE_SIZE + i * EACH);
        was[i] = proc_at(job->first);
    }
    bytes = mallinfo2().uordblks - before;
    if (before) /* a sanitizer's malloc does not tell */
        assert_true(bytes < (size_t) JOBS * EACH * 112);
    assert_int_equal(proc_count(), FAKE_SIZE + JOBS * EACH);
    assert_ptr_equal(ours, adi3_procs);
    for (int i = 0; i < JOBS; i++) {
        const struct proc_job *job = proc_job_find(id_of(i));
        assert_non_null(job);
        assert_ptr_equal(proc_at(job->first), was[i]);
        for (int rank = 0; rank < EACH; rank++) {
            struct adi3_proc *p = proc_at(job->first + rank);
            assert_ptr_equal(proc_job_of(p), job);
            assert_true(p->peer.rank == rank && p->peer.local < 0 && !p->dev && p->credit > 0);
            assert_int_equal(proc_number(p), job->first + rank);
        }
    }
    assert_true(look_up_ns(JOBS) < 10 * few); /* a search would take 100 times as long */
    assert_null(proc_job_find(id_of(JOBS)));
    assert_ptr_equal(proc_job_find(proc_own_job.dev.id), &proc_own_job);
    restart(state);
    assert_int_equal(proc_count(), FAKE_SIZE);
    assert_null(proc_job_find(id_of(0)));
}

/* What both ends of a pair count is the lesser of what the two jobs allow. */
static void credit_of_a_pair(void **state)
{
    struct proc_job small = learned(id_of(JOBS + 7), 2, "job of little credit"),
                    large = learned(id_of(JOBS + 8), 2, "job of much credit"), *made;

    (void) state;
    small.credit = proto_credit / 30;
    large.credit = proto_credit * 3;
    assert_int_equal(proc_job_add(&small, &made), MPI_SUCCESS);
    assert_int_equal(proc_at(made->first + 1)->credit, small.credit);
    assert_int_equal(made->pair, small.credit);
    assert_int_equal(proc_job_add(&large, &made), MPI_SUCCESS);
    assert_int_equal(made->pair, proto_credit);
    assert_true(proc_at(made->first + 1)->credit < (ptrdiff_t) proto_credit); /* see p2p/credit.c */
    assert_int_equal(proc_own_job.credit, proto_credit);
}

static void refused(struct proc_job new, int errclass, const char *part)
{
    struct proc_job *job;
    int before = proc_count(), err = proc_job_add(&new, &job);

    assert_int_equal(err & ADI3_CLASS_MASK, errclass);
    assert_non_null(strstr(adi3_error_text(err), part));
    assert_int_equal(proc_count(), before);
}

static void known_again(void **state)
{
    struct proc_job *b = add(1, 4, "job B");

    assert_ptr_equal(add(1, 4, "job B"), b);
    assert_int_equal(proc_count(), FAKE_SIZE + 4);
    refused(learned(1, 5, "job B"), MPI_ERR_OTHER, "job B has 4 processes, and not 5");
    refused(learned(2, 0, "job C"), MPI_ERR_OTHER, "job C has 0 processes");
    refused(learned(2, -3, "job C"), MPI_ERR_OTHER, "job C has -3 processes");
    refused(learned(2, INT32_MAX, "job C"), MPI_ERR_OTHER, "has numbers for");
    restart(state);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static struct adi3_group *whole(const struct proc_job *job)
{
    return adi3_group_strided(job->dev.size, job->first, 1);
}

static void groups(void **state)
{
    const struct proc_job *b = add(1, 40, "job B"), *c = add(2, 7, "job C");
    struct adi3_group *ours = whole(&proc_own_job), *theirs = whole(b), *others = whole(c);
    struct adi3_group *all = adi3_group_union(ours, theirs), *mixed, *same, *none;
    int result, ranks[] = { 2, 1, 0, 42, MPI_PROC_NULL }, to[5];

    assert_true(!theirs->member && theirs->rank == MPI_UNDEFINED && ours->rank == FAKE_RANK);
    assert_true(all->size == 43 && !all->member); /* numbers in a row: O(1) */
    mixed = adi3_group_union(others, ours);
    assert_true(mixed->size == 10 && mixed->rank == 7 && mixed->member);
    assert_int_equal(adi3_group_compare(theirs, others, &result), MPI_SUCCESS);
    assert_int_equal(result, MPI_UNEQUAL);
    same = adi3_group_difference(all, ours);
    assert_int_equal(adi3_group_compare(same, theirs, &result), MPI_SUCCESS);
    assert_int_equal(result, MPI_IDENT);
    none = adi3_group_intersection(theirs, mixed);
    assert_int_equal(none->size, 0);
    assert_int_equal(adi3_group_translate(all, 5, ranks, mixed, to), MPI_SUCCESS);
    assert_true(to[0] == 9 && to[1] == 8 && to[2] == 7 && to[3] == MPI_UNDEFINED
                && to[4] == MPI_PROC_NULL);
    struct adi3_proc **procs = group_procs(mixed);
    for (int i = 0; i < 10; i++)
        assert_ptr_equal(procs[i], i < 7 ? proc_at(c->first + i) : &adi3_procs[i - 7]);
    struct adi3_group *made[] = { ours, theirs, others, all, mixed, same, none };
    for (int i = 0; i < 7; i++)
        adi3_group_release(made[i]);
    restart(state);
}

/* Names mean the same in all processes, numbers do not. */
static void names(void **state)
{
    const struct proc_job *b = add(1, 4, "job B");
    struct adi3_group *ours = whole(&proc_own_job), *theirs = whole(b), *all, *again = NULL;
    struct adi3_process_name name[7];
    int result;

    all = adi3_group_union(theirs, ours);
    for (int i = 0; i < 7; i++)
        name[i] = adi3_group_name(all, i);
    assert_true(name[3].job == 1 && name[3].rank == 3);
    assert_true(name[4].job == proc_own_job.dev.id && name[4].rank == 0);
    assert_int_equal(adi3_group_named(7, name, &again), MPI_SUCCESS);
    assert_int_equal(adi3_group_compare(all, again, &result), MPI_SUCCESS);
    assert_int_equal(result, MPI_IDENT);
    assert_true(adi3_group_digest(all) == adi3_group_digest(again));
    assert_true(adi3_group_digest(all) != adi3_group_digest(ours));
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++)
            assert_true(adi3_process_before(&name[i], &name[k])
                            + adi3_process_before(&name[k], &name[i])
                        == (i != k));
    adi3_group_release(again);
    name[0].rank = 4;
    assert_int_equal(adi3_group_named(1, name, &again) & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    name[0] = (struct adi3_process_name) { .job = 5 };
    int err = adi3_group_named(1, name, &again);
    assert_non_null(strstr(adi3_error_text(err), "rank 0 of job 0000000000000005"));
    adi3_group_release(ours);
    adi3_group_release(theirs);
    adi3_group_release(all);
    restart(state);
}

/* ---- messages -------------------------------------------------------------------------------- */

static struct adi3_comm *across(const struct proc_job *job)
{
    struct adi3_group *ours = adi3_group_strided(1, FAKE_RANK, 1), *theirs = whole(job);
    struct adi3_comm *c = NULL;

    assert_int_equal(adi3_comm_make(ours, theirs, &c), MPI_SUCCESS);
    assert_int_equal(adi3_comm_open(c, CTX, CTX + 2), MPI_SUCCESS);
    adi3_group_release(ours);
    adi3_group_release(theirs);
    return c;
}

/* Both ways, with a process of the same rank as ours and with another. */
static void messages(void **state)
{
    const struct proc_job *b = add(1, 4, "job B");
    struct adi3_comm *c = across(b);
    const uint32_t word = 5;
    uint32_t got = 0;
    struct adi3_data out = { (void *) (uintptr_t) &word, 4, adi3_type_builtin(MPI_BYTE) };
    struct adi3_data in = { &got, 4, adi3_type_builtin(MPI_BYTE) };

    for (int rank = 0; rank < 2; rank++) {
        assert_int_equal(adi3_send(&out, rank, 9, c, 0), MPI_SUCCESS);
        struct fake_packet *p = fake_take();
        assert_int_equal(p->to, b->first + rank);
        assert_true(p->pkt.ctx == CTX + 2 && p->pkt.tag == 9);
        free(p);
        struct dev_pkt pkt = fake_eager(rank, 9, 4);
        pkt.ctx = CTX;
        struct dev_peer *from = p2p_upcalls.peer(&b->dev, rank);
        assert_ptr_equal(from, &proc_at(b->first + rank)->peer);
        got = 0;
        assert_true(p2p_upcalls.recv(from, &pkt, &word) >= 0);
        MPI_Status status;
        assert_int_equal(adi3_recv(&in, rank, 9, c, 0, &status), MPI_SUCCESS);
        assert_true(got == word && status.MPI_SOURCE == rank);
    }
    int leader = -1; /* their rank 1, which is not our rank 1 */
    assert_int_equal(adi3_node_of(c, 2, &leader), MPI_SUCCESS);
    assert_int_equal(leader, b->first + 1);
    /* A process of our own job that claims to be one of theirs. */
    struct dev_pkt pkt = fake_eager(1, 9, 4);
    pkt.ctx = CTX;
    assert_true(p2p_upcalls.recv(&adi3_procs[1].peer, &pkt, &word) < 0);
    fake_let_go(c);
    restart(state);
}

/* A communicator of two jobs, and one made of it: their ids are of its block, and no others'. */
static void ids(void **state)
{
    const struct proc_job *b = add(1, (1 << 18) - FAKE_SIZE, "job B");
    struct adi3_group *ours = whole(&proc_own_job), *theirs = whole(b);
    struct adi3_group *all = adi3_group_union(ours, theirs);
    const struct adi3_subgroup two = { .size = 2, .ranks = (const int[]) { 0, 3 } };
    struct adi3_comm *c = NULL, *of_it = NULL, *more[8];
    uint32_t ctx;
    int n = 0;

    assert_true(adi3_group_spans(all) && !adi3_group_spans(ours) && !adi3_group_spans(theirs));
    assert_int_equal(adi3_comm_make(all, NULL, &c), MPI_SUCCESS);
    assert_true(adi3_block_reserve(&adi3_blocks, 5));
    assert_int_equal(adi3_comm_set_block(c, 5), MPI_SUCCESS);
    assert_int_equal(adi3_comm_open(c, adi3_block_first_id(5), adi3_block_first_id(5)), 0);
    ctx = adi3_context_pick(c);
    assert_true(ctx >> 31 && (ctx >> 21) == (c->recv_ctx >> 21) && ctx != c->recv_ctx);
    assert_int_equal(adi3_context_pick(&adi3_world) >> 31, 0);
    assert_int_equal(adi3_comm_new(c, &two, ctx, &of_it), MPI_SUCCESS);
    fake_let_go(c);
    assert_false(adi3_block_reserve(&adi3_blocks, 5)); /* the other one still has it */
    while ((ctx = adi3_context_pick(of_it))) {
        assert_true(n < 8 && ctx != of_it->recv_ctx);
        assert_int_equal(adi3_comm_new(of_it, &two, ctx, &more[n++]), MPI_SUCCESS);
    }
    assert_int_equal(n,
                     1); /* of so many processes each has four ids, of which two are not picked */
    const struct adi3_subgroup alone = { .size = 1 };
    int err = adi3_context_distribute(of_it, &alone, 7, &ctx);
    assert_non_null(strstr(adi3_error_text(err), "no context id left"));
    while (n)
        fake_let_go(more[--n]);
    assert_true(adi3_context_pick(of_it) != 0);
    fake_let_go(of_it);
    assert_true(adi3_block_reserve(&adi3_blocks, 5));
    adi3_block_free(&adi3_blocks, 5);
    adi3_group_release(all);
    adi3_group_release(ours);
    adi3_group_release(theirs);
    restart(state);
}

static void upcalls(void **state)
{
    const struct proc_job *b = add(1, 4, "job B");

    assert_ptr_equal(p2p_upcalls.job(1), &b->dev);
    assert_ptr_equal(p2p_upcalls.job(proc_own_job.dev.id), &proc_own_job.dev);
    assert_null(p2p_upcalls.job(2));
    assert_null(p2p_upcalls.peer(&b->dev, 4));
    assert_null(p2p_upcalls.peer(&b->dev, -1));
    assert_null(p2p_upcalls.peer(&b->dev, 3)); /* has no business card */
    restart(state);
}

static void texts(void **state)
{
    struct proc_job *b = add(1, 4, "job B");
    struct adi3_proc *p = proc_at(b->first + 2);

    assert_int_equal(proc_add(p), MPI_SUCCESS);
    assert_string_equal(adi3_error_text(proc_error(p, -ECONNRESET)),
                        "rank 2 of job B on c7 over fake: Connection reset by peer");
    int err = proc_add(proc_at(b->first + 3));
    assert_string_equal(adi3_error_text(err), "no device of this process reaches rank 3 of job B");
    proc_lost(p, -ECONNRESET);
    restart(state);
}

/* Our own numbers, of which the one at this place is 99. */
static void other_number(char text[ABI_TEXT], int place)
{
    char own[ABI_TEXT], *number;

    abi_write(own);
    *text = '\0';
    for (int i = 0; (number = strtok(i ? NULL : own, ".")); i++) {
        (void) strcat(text, i ? "." : "");
        (void) strcat(text, i == place ? "99" : number);
    }
}

static void refuses(uint64_t id, const char *abi, const char *part)
{
    struct proc_job *b = add(id, 4, "job B");

    b->business_cards = (void *) (uintptr_t) abi;
    int err = proc_add(proc_at(b->first));
    const char *text = adi3_error_text(err);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_non_null(strstr(text, part));
    assert_non_null(strstr(text, "rank 0 of job B on c7"));
    assert_non_null(strstr(text, adi3_hostname()));
    assert_null(p2p_upcalls.peer(&b->dev, 0));
}

/* What differs is said, with both hosts; nothing is sent. */
static void differs(void **state)
{
    static const char *const part[] = { "the version of packets is 99 there and ",
                                        "the first byte of 0x04030201 is 99 there and ",
                                        "the bytes of a long is 99 there and ",
                                        "the bytes of an address is 99 there and ",
                                        "the bytes of a wchar_t is 99 there and ",
                                        "the bits of a long double's mantissa is 99 there and " };
    static const char *const none[] = { "", "x", ".", "-1" };
    char abi[ABI_TEXT];

    for (int i = 0; i < 6; i++) {
        other_number(abi, i);
        refuses((uint64_t) i + 1, abi, part[i]);
    }
    for (int i = 0; i < 4; i++)
        refuses((uint64_t) i + 10, none[i], "another version");
    abi_write(abi);
    *strrchr(abi, '.') = '\0'; /* one number is missing */
    refuses(20, abi, "another version");
    assert_int_equal(fake_waiting(), 0);
    restart(state);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_jobs), cmocka_unit_test(known_again),
        cmocka_unit_test(groups),    cmocka_unit_test(names),
        cmocka_unit_test(messages),  cmocka_unit_test(ids),
        cmocka_unit_test(upcalls),   cmocka_unit_test(texts),
        cmocka_unit_test(differs),   cmocka_unit_test(credit_of_a_pair),

    };

    return cmocka_run_group_tests(tests, fake_setup, fake_teardown);
}
