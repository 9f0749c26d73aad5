/* growth.c — the steps of a rank, and the memory of its schedule, grow with the logarithm of the
 * ranks, in what all programs do. */
#include "made_job.h"
#include "unit.h"

enum {
    STEPS_EACH = 8, /* in a round, at most; one for each rank of the node comes to these */
    SPLIT_LEN = 16, /* bytes that MPI_Comm_split gathers of each rank */
    LANDING = 14,   /* up to 2^14 ranks in each landing */
    FULL = 20,
    LEADERS = 14,      /* at most 2^14 leaders, each of which looks at all of them */
    MEMORY_EACH = 128, /* bytes in a round */
    MEMORY_SPLIT = 32  /* bytes of each rank that MPI_Comm_split gathers of it, and may copy */
};

static void check_job(const char *name, size_t len, int ranks, int per_node, int rounds)
{
    const struct operation *o = operation_find(name);
    struct recording r;

    made_job_open(ranks, per_node, true);
    assert_true(operation_record(&r, o, operation_choice(o, len), len, UINT64_MAX));
    assert_in_range(r.most_steps, 1, (uint64_t) (STEPS_EACH * rounds + 2 * per_node));
    uint64_t gathered = len == SPLIT_LEN ? (uint64_t) ranks * MEMORY_SPLIT : 0;
    assert_in_range(r.most_memory, 0, (uint64_t) (MEMORY_EACH * rounds) + gathered);
    recording_close(&r);
}

static void check_growth(const char *name, size_t len, int highest)
{
    for (int bits = 10; bits <= highest; bits += 2)
        for (int per_node = 1; per_node <= 16; per_node *= 16) {
            check_job(name, len, 1 << bits, per_node, bits + 1);
            check_job(name, len, (1 << bits) + 77, per_node, bits + 1);
        }
}

static void test_small_operations(void **state)
{
    (void) state;
    const int highest = test_size(LANDING, FULL);

    check_growth("barrier", 0, highest);
    check_growth("bcast", 8, highest);
    check_growth("reduce", 8, highest);
    check_growth("allreduce", 8, highest);
}

static void test_communicators(void **state)
{
    (void) state;
    check_growth("comm_dup", 0, test_size(LANDING, FULL));
    check_growth("allgather", SPLIT_LEN, LEADERS);
}

static void test_finalize(void **state)
{
    (void) state;
    check_growth("finalize", 0, test_size(LANDING, FULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_operations),
        cmocka_unit_test(test_communicators),
        cmocka_unit_test(test_finalize),
    };

    return UNIT_RUN(tests);
}
