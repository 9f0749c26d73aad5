/* elect.c — one of the processes that have the launcher's memory makes the node's segment of it,
 * also when others die while they do it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include "adi3/proc/node_segment.h"
#include "unit.h"

enum { PROCESSES = 8, SLOTS = 3 };
enum stage { ELECTED, LENGTH_SET, HEAD_BEGUN, MADE };

static const struct segment_plan plan = { .job = "starling-unit", .capacity = SLOTS, .each = 4096 };

/* Of the launcher, as a descriptor of this process: what is locked with it is free when this
 * process closes any descriptor of the memory. */
static int memory;
static int ready[2];

static struct segment ours(void) { return (struct segment) { .fd = memory }; }

static void begin(void)
{
    memory = os_memfd_empty("unit");
    assert_true(memory >= 0 && !pipe(ready));
}

static void end(void) { (void) close(memory), (void) close(ready[0]), (void) close(ready[1]); }

static void make(struct segment *s)
{
    const char *what;

    CHECK(segment_make(s, &plan, &what) == 0);
    segment_elected(s);
}

/* What is in a segment that has just been made. */
static bool is_new(const struct segment *s)
{
    const struct node_head *h = s->head;

    return h->capacity == SLOTS && h->len == os_sealed_len(s->fd) && !strcmp(h->job, plan.job)
           && atomic_load(&h->count) == 0 && atomic_load(&h->guests) == 0 && h->slot[0].rank == 0
           && h->guest[MAX_GUESTS - 1].rank == 0;
}

/* Joins as node.c does, and takes a slot. Ends with 0 as the maker or as one that finds the segment
 * made. */
static void joins(void *unused)
{
    struct segment s = ours();
    int elected = segment_elect(&s);

    (void) unused;
    CHECK(elected >= 0);
    if (elected)
        make(&s);
    else
        CHECK(segment_map(&s, "the maker") == MPI_SUCCESS);
    atomic_fetch_add(&s.head->count, 1);
    if (elected)
        atomic_fetch_add(&s.head->guests, 1);
}

static void one_makes_it(void **state)
{
    pid_t child[PROCESSES];

    (void) state;
    for (int round = 0; round < 20; round++) {
        begin();
        for (int i = 0; i < PROCESSES; i++)
            child[i] = unit_fork(joins, NULL);
        for (int i = 0; i < PROCESSES; i++)
            assert_true(unit_ended_well(child[i]));
        struct segment s = ours();
        assert_int_equal(segment_elect(&s), 0);
        assert_int_equal(segment_map(&s, "the maker"), MPI_SUCCESS);
        assert_int_equal(atomic_load(&s.head->count), PROCESSES);
        assert_int_equal(atomic_load(&s.head->guests), 1);
        os_unmap(s.head, s.head->len);
        end();
    }
}

/* Gets as far as the stage, says so, and waits to be killed. */
static void dies_at(void *arg)
{
    enum stage stage = *(enum stage *) arg;
    struct segment s = ours();
    const size_t len = 1 << 24;

    CHECK(segment_elect(&s) == 1);
    if (stage == MADE) {
        const char *what;
        CHECK(segment_make(&s, &plan, &what) == 0);
    } else if (stage >= LENGTH_SET) {
        CHECK(os_memfd_seal(memory, len) == 0);
    }
    if (stage == HEAD_BEGUN) {
        CHECK((s.head = os_map(memory, len)) != NULL);
        memset((char *) s.head + sizeof s.head->magic, 0x5a, sizeof *s.head + 4096);
    }
    CHECK(write(ready[1], "", 1) == 1);
    for (;;)
        (void) pause();
}

static void maker_is_killed(void **state)
{
    char c;

    (void) state;
    for (enum stage stage = ELECTED; stage <= MADE; stage++) {
        begin();
        pid_t maker = unit_fork(dies_at, &stage);
        assert_int_equal(read(ready[0], &c, 1), 1);
        pid_t next = unit_fork(joins, NULL); /* waits, unless the segment is made */
        os_sleep_ns(10000000);
        unit_kill(maker);
        assert_true(unit_ended_well(next));
        struct segment s = ours();
        assert_int_equal(segment_elect(&s), 0);
        assert_int_equal(segment_map(&s, "the maker"), MPI_SUCCESS);
        assert_int_equal(atomic_load(&s.head->count), 1);
        assert_int_equal(atomic_load(&s.head->guests), stage != MADE);
        atomic_store(&s.head->count, 0);
        atomic_store(&s.head->guests, 0);
        assert_true(is_new(&s));
        os_unmap(s.head, s.head->len);
        end();
    }
}

/* What fd is used as: 0, or an error of one of the steps. */
static int join_in(int fd)
{
    struct segment s = { .fd = fd };
    const char *what;
    int elected = segment_elect(&s);

    if (elected == 1) {
        elected = segment_make(&s, &plan, &what);
        segment_elected(&s);
        return elected;
    }
    return elected ? elected : segment_map(&s, "the launcher");
}

/* Descriptors that no launcher should pass are errors. */
static void wrong_descriptors(void **state)
{
    const uint32_t magic = MAGIC;
    int ends[2], file = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
    int fake = os_memfd_empty("unit"), sealed = os_memfd_empty("unit");
    struct stat st;

    (void) state;
    assert_true(!pipe(ends) && fake >= 0 && sealed >= 0);
    assert_true(join_in(ends[1]) < 0);
    assert_true(join_in(os_memfd("unit", 4096)) < 0); /* too short, for good */
    if (file >= 0) {
        assert_int_equal(pwrite(file, "text", 4, 100), 4);
        assert_true(join_in(file) < 0);
        assert_true(!fstat(file, &st) && st.st_size == 104);
        (void) close(file);
    }
    assert_int_equal(pwrite(fake, &magic, 4, 0), 4); /* could be made shorter */
    assert_true(join_in(dup(fake)) > 0);
    assert_int_equal(os_memfd_seal(fake, 8), 0); /* shorter than a head */
    assert_true(join_in(dup(fake)) > 0);
    assert_int_equal(pwrite(sealed, &magic, 4, 0), 4); /* of another version */
    assert_int_equal(os_memfd_seal(sealed, 1 << 24), 0);
    assert_true(join_in(dup(sealed)) > 0);
    (void) close(fake), (void) close(sealed), (void) close(ends[0]), (void) close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_makes_it),
        cmocka_unit_test(maker_is_killed),
        cmocka_unit_test(wrong_descriptors),
    };

    (void) alarm(40);
    return UNIT_RUN(tests);
}
