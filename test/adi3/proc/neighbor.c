/* neighbor.c — the segment of another job on this node: joined as a guest, or refused with nothing
 * left; guests of our own segment; and what business cards say of memory and job. We are rank 0 of
 * a job of three. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "fake.h"
#include "held.h"
#include "adi3/proc/node_segment.h"

enum { OTHER = 4711, SIZE = 2 };
static const char maps_name[] = "memfd:starling";

static struct segment theirs; /* of the other job, of which process 1 is on this node */
static struct proc_job *job;

static void make_theirs(void)
{
    const struct segment_plan plan = { .job = "starling-other", .capacity = 4, .each = 65536 };
    const char *what;

    theirs = (struct segment) { .fd = -1 };
    assert_int_equal(segment_make(&theirs, &plan, &what), 0);
    theirs.head->slot[0].rank = 1;
    atomic_store(&theirs.head->count, 1);
}

static struct proc_job *learn(uint64_t id, const char *name)
{
    const struct proc_job known = { .dev = { .id = id, .size = SIZE }, .name = name };
    struct proc_job *made;

    assert_int_equal(proc_job_learn(&known, &made), MPI_SUCCESS);
    return made;
}

static int setup(void **state)
{
    fake_setup(state);
    make_theirs();
    job = learn(OTHER, "job B");
    return 0;
}

static int teardown(void **state)
{
    segment_unmap(&theirs);
    return fake_teardown(state);
}

static int dup_of_theirs(void) { return fcntl(theirs.fd, F_DUPFD_CLOEXEC, 0); }

/* ---- joining --------------------------------------------------------------------------------- */

static void joins(void **state)
{
    const struct adi3_proc *there = proc_at(job->first + 1), *elsewhere = proc_at(job->first);

    (void) state;
    assert_null(node_next(&adi3_node));
    assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
    const struct dev_node *n = node_next(&adi3_node);
    assert_true(n && !node_next(n) && node_job(n) == job);
    assert_true(n->index == guest_index(0, 1) && n->count == 1 && n->base != (char *) theirs.head);
    assert_true(there->peer.node == n && there->peer.local == 0);
    assert_true(!elsewhere->peer.node && elsewhere->peer.local < 0);
    assert_true(atomic_load(&theirs.head->guests) == 1);
    assert_true(theirs.head->guest[0].job == proc_own_job.dev.id);
    assert_true(theirs.head->guest[0].rank == FAKE_RANK);
    assert_true(neighbor_known(job));
}

/* Only the jobs of a communicator count, which all its processes know. */
static void crowds(void **state)
{
    struct adi3_proc *both[2] = { proc_at(FAKE_RANK), proc_at(job->first + 1) };
    const struct adi3_comm c = { .proc = both, .size = 2 };
    const int only[2] = { 0, 1 };
    const struct os_cpus one = { { 1 } };

    (void) state;
    node_slot(adi3_node.index)->cpus = theirs.head->slot[0].cpus = one;
    assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
    assert_true(adi3_node.oversubscribed);
    assert_true(node_crowded(&c, NULL, 2) && node_crowded(&c, only, 2));
    assert_false(node_crowded(&c, NULL, 1));
    assert_false(node_crowded(&c, only + 1, 1));
    neighbor_leave(job);
    assert_false(adi3_node.oversubscribed);
}

/* Joins, leaves and joins again: nothing is left, and the index is another one. */
static void leaves(void **state)
{
    const struct adi3_proc *there = proc_at(job->first + 1);
    int fds = held_fds(), maps = held_maps(maps_name);

    (void) state;
    for (uint32_t times = 1; times < 100; times++) {
        assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
        const struct dev_node *n = node_next(&adi3_node);
        assert_int_equal(n->index, guest_index(0, times));
        assert_ptr_equal(there->peer.node, n);
        assert_true(theirs.head->guests == 1 && theirs.head->guest[0].job == proc_own_job.dev.id);
        neighbor_leave(job);
        assert_true(!neighbor_known(job) && !there->peer.node && there->peer.local < 0);
        assert_true(theirs.head->guest[0].job == 0);
        assert_true(held_fds() == fds && held_maps(maps_name) == maps);
    }
    neighbor_leave(job); /* which is known no more */
}

/* Another process, which is a guest. */
static void be_guest(void *arg)
{
    const size_t places = (size_t) (uintptr_t) arg;

    for (size_t i = 0; i < places; i++)
        if (os_lock_byte(theirs.fd, MAX_SLOTS + i))
            _exit(9);
    theirs.head->slot[0].pid = 1;
    (void) pause();
}

static pid_t guests_start(size_t places)
{
    theirs.head->slot[0].pid = 0;
    pid_t child = unit_fork(be_guest, (void *) (uintptr_t) places);

    while (((volatile struct node_head *) theirs.head)->slot[0].pid == 0)
        os_yield();
    return child;
}

static void guests_die(pid_t child)
{
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

/* The place of a guest that has died is used when there is no other. */
static void places_of_the_dead(void **state)
{
    pid_t child = guests_start(2);

    (void) state;
    atomic_store(&theirs.head->guests, 2);
    theirs.head->guest[0].job = theirs.head->guest[1].job = OTHER + 1;
    assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
    assert_int_equal(node_next(&adi3_node)->index, guest_index(2, 1));
    neighbor_leave(job);
    guests_die(child);
    for (int i = 2; i < MAX_GUESTS; i++)
        theirs.head->guest[i].job = OTHER + 1; /* all have a guest that is dead */
    atomic_store(&theirs.head->guests, MAX_GUESTS);
    theirs.head->guest[0].times = 7;
    assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
    assert_int_equal(node_next(&adi3_node)->index, guest_index(0, 8));
    assert_int_equal(theirs.head->guests, MAX_GUESTS);
}

static void full(void **state)
{
    int fds = held_fds(), maps = held_maps(maps_name);
    pid_t child = guests_start(MAX_GUESTS);

    (void) state;
    int err = neighbor_join(job, dup_of_theirs());
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "segment of job B has 4096 guests"));
    assert_true(held_fds() == fds && held_maps(maps_name) == maps && !node_next(&adi3_node));
    assert_int_equal(theirs.head->guests, MAX_GUESTS);
    guests_die(child);
}

static void refused(int fd, const char *part)
{
    int fds = held_fds(), maps = held_maps(maps_name);

    assert_true(fd >= 0);
    int err = neighbor_join(job, fd);
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    if (!strstr(adi3_error_text(err), part))
        fail_msg("%s", adi3_error_text(err));
    assert_true(held_fds() == fds - 1 && held_maps(maps_name) == maps && !node_next(&adi3_node));
}

static void no_segment(void **state)
{
    int pipes[2], empty = memfd_create("empty", MFD_CLOEXEC), small = os_memfd("small", 4096);

    (void) state;
    assert_int_equal(pipe(pipes), 0);
    refused(pipes[0], "job B: the descriptor is no memory of that kind");
    refused(pipes[1], "no memory of that kind");
    refused(empty, "or can be made shorter");
    refused(small, "no memory of that kind");
    refused(os_memfd("zeros", 1 << 20), "job B");
}

static void wrong_head(void **state)
{
    struct node_head *h = theirs.head;
    const struct node_head right = *h;

    (void) state;
    atomic_store(&h->magic, 7);
    refused(dup_of_theirs(), "job B");
    atomic_store(&h->magic, atomic_load(&right.magic));
    h->abi[0]++;
    refused(dup_of_theirs(), "job B");
    memset(h->abi, 'x', sizeof h->abi); /* without an end */
    refused(dup_of_theirs(), "job B");
    memcpy(h->abi, right.abi, sizeof h->abi);
    h->len += 4096;
    refused(dup_of_theirs(), "job B: its head is wrong");
    h->len = right.len;
    h->capacity = MAX_SLOTS + 1;
    refused(dup_of_theirs(), "its head is wrong");
    h->capacity = MAX_SLOTS; /* more than there is room for */
    refused(dup_of_theirs(), "its head is wrong");
    h->capacity = right.capacity;
    h->job[NODE_NAME - 1] = 'x';
    refused(dup_of_theirs(), "its head is wrong");
    h->job[NODE_NAME - 1] = '\0';
    assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
}

/* What a head says of its length later is not believed. */
static void length_changes(void **state)
{
    size_t right = theirs.head->len, wrong[] = { 0, 4096, right + (1 << 30), SIZE_MAX };
    int fds = held_fds(), maps = held_maps(maps_name);
    const char *why = NULL;

    (void) state;
    for (int i = 0; i < 4; i++) {
        theirs.head->len = right;
        assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
        theirs.head->len = wrong[i];
        const struct dev_node *n = node_next(&adi3_node);
        assert_true(segment_take(n, right, &why) == 0 && strstr(why, "is full"));
        neighbors_leave();
        assert_true(held_fds() == fds && held_maps(maps_name) == maps);
    }
}

/* ---- guests of ours -------------------------------------------------------------------------- */

static void set_guest(int i, uint64_t id, int rank)
{
    segment_own.head->guest[i].rank = rank;
    segment_own.head->guest[i].times = 3;
    atomic_store(&segment_own.head->guest[i].job, id);
}

static void guests(void **state)
{
    (void) state;
    set_guest(0, OTHER, 1);
    set_guest(1, OTHER, SIZE); /* there is no such rank */
    set_guest(2, OTHER, -1);
    set_guest(3, OTHER + 1, 0); /* nor such a job */
    assert_ptr_equal(node_proc(guest_index(0, 3)), proc_at(job->first + 1));
    assert_null(node_proc(guest_index(0, 2))); /* a guest that has left */
    assert_null(node_proc(guest_index(0, 4)));
    for (int i = 1; i < 5; i++)
        assert_null(node_proc(guest_index(i, 3)));
    assert_ptr_equal(node_proc(0), &adi3_procs[FAKE_RANK]);
    assert_null(node_proc(-1));
    assert_null(node_proc(adi3_node.count));
    assert_null(node_proc(MAX_SLOTS + MAX_GUESTS));
}

/* A writer that waits for a cell sleeps in the segment of its own job. */
static void wakes_guests(void **state)
{
    _Atomic uint32_t *word = &theirs.head->slot[0].asleep;

    (void) state;
    assert_int_equal(neighbor_join(job, dup_of_theirs()), MPI_SUCCESS);
    atomic_store(word, DEV_ASLEEP);
    adi3_node.wake_all(&adi3_node);
    assert_int_equal(atomic_load(word), DEV_ASLEEP); /* it is no guest yet */
    set_guest(0, OTHER, 1);
    atomic_store(&segment_own.head->guests, 1);
    adi3_node.wake_all(&adi3_node);
    assert_int_equal(atomic_load(word), DEV_AWAKE);
}

/* ---- memory lent to guests ------------------------------------------------------------------- */

static size_t lent(size_t len)
{
    const char *why = "nothing";
    size_t at = segment_lend(&adi3_node, len, &why);

    if (!at)
        fail_msg("%s", why);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(adi3_node.base[at + i], 0);
    memset(adi3_node.base + at, 'x', len);
    return at;
}

static uint64_t pages(void)
{
    struct stat s;

    assert_int_equal(fstat(segment_own.fd, &s), 0);
    return (uint64_t) s.st_blocks / 8;
}

/* What has been given back is lent again, as zeros; its pages go back to the system but one. */
static void lends_again(void **state)
{
    const size_t len = 5 * 4096 + 100;
    uint64_t before = pages();
    size_t at = lent(len);

    (void) state;
    assert_int_equal(pages(), before + 6);
    for (int i = 0; i < 100; i++) {
        segment_give(&adi3_node, at, len);
        assert_int_equal(pages(), before + 1);
        assert_int_equal(lent(len), at);
        assert_int_equal(pages(), before + 6);
    }
    size_t second = lent(len), small = lent(100);
    assert_true(second != at && small != at && small != second);
    segment_give(&adi3_node, second, len);
    assert_true(lent(8 * 4096) == second); /* eight pages are its size */
    segment_give(&adi3_node, small, 100);
    assert_true(lent(4096) == small);
}

/* What a guest says of offset and length may be wrong. */
static void gives_nonsense(void **state)
{
    size_t at = lent(8192), end = segment_own.len;

    (void) state;
    segment_give(&adi3_node, 0, 8192);
    segment_give(&adi3_node, at + 1, 8192);
    segment_give(&adi3_node, end, 8192);
    segment_give(&adi3_node, end - 4096, 8192);
    segment_give(&adi3_node, at, SIZE_MAX);
    segment_give(&adi3_node, SIZE_MAX - 4095, 8192);
    assert_true(lent(8192) != at);
}

/* ---- business cards -------------------------------------------------------------------------- */

static int give(uint64_t id, int rank, const char *text)
{
    struct proc_job *other = learn(id, "job C");

    return proc_business_card_give(proc_at(other->first + rank), text);
}

static void cards_that_lie(void **state)
{
    static const char *const wrong[] = {
        "host:c7|job:-1367-2", "host:c7|job:-1367", "host:c7|job:-1368-1", "host:c7|job:-1367-1-",
        "host:c7|job:",        "host:c7",           "job:-1367-1x",        "",
    };
    (void) state;
    assert_int_equal(give(0x1367, 0, "host:c7|job:-1367-0"), MPI_SUCCESS);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct proc_job *other = learn(0x1367, "job C");
        char **cards = other->business_cards;
        int err = give(0x1367, 1, wrong[i]);
        if (!err || !strstr(adi3_error_text(err), "the business card of rank 1 of job C says"))
            fail_msg("%s: %s", wrong[i], err ? adi3_error_text(err) : "taken");
        assert_null(cards[1]);
    }
}

static void memory_of(const char *text, bool known)
{
    struct proc_job *other = learn(0x1368, "job D");
    char **cards = other->business_cards, card[256];
    uint64_t share_socket = 0, number = 0;

    (void) snprintf(card, sizeof card, "job:-1368-1|%s", text);
    assert_int_equal(give(0x1368, 1, card), MPI_SUCCESS);
    assert_int_equal(proc_memory(proc_at(other->first + 1), &share_socket, &number), known);
    if (known)
        assert_true(share_socket == 0xab && number == UINT64_MAX);
    free(cards[1]);
    cards[1] = NULL;
}

static void memory_in_cards(void **state)
{
    unsigned long long id = node_id_here();
    char text[200];

    (void) state;
    assert_true(id);
    memory_of("memory:-ab-ffffffffffffffff", true);
    memory_of("host:nowhere.else|memory:-ab-ffffffffffffffff", true);
    (void) snprintf(text, sizeof text, "node_id:-%llx|memory:-ab-ffffffffffffffff", id);
    memory_of(text, true);
    (void) snprintf(text, sizeof text, "node_id:-%llx|memory:-ab-ffffffffffffffff", id ^ 1);
    memory_of(text, false);
    memory_of("node_id:-0|memory:-ab-ffffffffffffffff", true); /* not known */
    memory_of("memory:-ab", false);
    memory_of("memory:-ab-1-2", false);
    memory_of("memory:-ab-1ffffffffffffffff", false);
    memory_of("memory:ab-1", false);
    memory_of("memory:", false);
    memory_of("other:x", false);
}

static void our_card(void **state)
{
    char text[PROC_BUSINESS_CARD], wanted[64];

    (void) state;
    proc_business_card_write(text, 0x77);
    (void) snprintf(wanted, sizeof wanted, "|job:-%llx-%x|memory:-0-77",
                    (unsigned long long) proc_own_job.dev.id, FAKE_RANK);
    assert_string_equal(text + strlen(text) - strlen(wanted), wanted);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(joins),       TEST(full),           TEST(no_segment),     TEST(wrong_head),
        TEST(guests),      TEST(wakes_guests),   TEST(cards_that_lie), TEST(memory_in_cards),
        TEST(our_card),    TEST(length_changes), TEST(leaves),         TEST(places_of_the_dead),
        TEST(lends_again), TEST(gives_nonsense), TEST(crowds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
