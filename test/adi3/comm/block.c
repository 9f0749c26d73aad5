/* block.c — agreements on blocks of context ids: many at a time, among processes of several jobs,
 * in any order of their steps. No process ever has one block twice.
 *
 * A process is its map of blocks here: the steps of mpir_block_consensus(), one at a time. */
#include <stdlib.h>
#include <string.h>
#include "adi3/adi3.h"
#include "unit.h"

enum { PROCS = 40, CONSENSUSES = 60, MEMBERS = 12, STEPS = 10000000 };

static struct adi3_block_map process[PROCS];
static int owner[PROCS][ADI3_BLOCKS]; /* which consensus has the block here, from 1 on; 0: none */

enum phase { IDLE, LOOK, TRY, KEEPS };

struct consensus {
    enum phase phase;
    int members, member[MEMBERS];
    int next;                   /* the member whose step is next */
    struct adi3_block_map used; /* of those that have looked */
    uint64_t random;
    int block;
    bool reserved[MEMBERS];
} consensus[CONSENSUSES];

static unsigned made, again, exhausted;

/* Jobs are ranges of processes: each consensus is among some processes of two jobs at least. */
static void begin(struct consensus *a)
{
    int jobs = 2 + (int) unit_random(4), each = PROCS / jobs;

    *a = (struct consensus) { .phase = LOOK, .members = 2 + (int) unit_random(MEMBERS - 1) };
    for (int i = 0; i < a->members; i++) {
        bool twice = true;
        while (twice) {
            int job = i < 2 ? i : (int) unit_random((uint32_t) jobs);
            a->member[i] = job * each + (int) unit_random((uint32_t) each);
            twice = false;
            for (int k = 0; k < i; k++)
                twice |= a->member[k] == a->member[i];
        }
    }
}

static void look(struct consensus *a)
{
    const struct adi3_block_map *m = &process[a->member[a->next++]];

    for (int i = 0; i < ADI3_BLOCKS / 64; i++)
        a->used.word[i] |= m->word[i];
    a->random ^= (uint64_t) unit_random(UINT32_MAX) << 32 | unit_random(UINT32_MAX);
    if (a->next < a->members)
        return;
    a->block = adi3_block_choose(&a->used, a->random);
    a->next = 0;
    a->phase = a->block < 0 ? IDLE : TRY;
    exhausted += a->block < 0;
}

static void give_back(struct consensus *a)
{
    for (int i = 0; i < a->members; i++) {
        int p = a->member[i];
        if (!a->reserved[i])
            continue;
        assert_int_equal(owner[p][a->block], a - consensus + 1);
        owner[p][a->block] = 0;
        adi3_block_free(&process[p], a->block);
    }
}

static void try(struct consensus *a)
{
    int i = a->next++, p = a->member[i];
    bool all = true;

    a->reserved[i] = adi3_block_reserve(&process[p], a->block);
    assert_int_equal(a->reserved[i], owner[p][a->block] == 0);
    if (a->reserved[i])
        owner[p][a->block] = (int) (a - consensus) + 1;
    if (a->next < a->members)
        return;
    for (int k = 0; k < a->members; k++)
        all &= a->reserved[k];
    if (!all)
        give_back(a);
    again += !all;
    made += all;
    a->phase = all ? KEEPS : LOOK;
    a->next = 0;
    a->random = 0;
    memset(&a->used, 0, sizeof a->used);
}

static void step(struct consensus *a)
{
    if (a->phase == IDLE)
        begin(a);
    else if (a->phase == LOOK)
        look(a);
    else if (a->phase == TRY)
        try(a);
    else if (unit_random(20) == 0) { /* the communicator is freed */
        give_back(a);
        a->phase = IDLE;
    }
}

/* Few blocks, so that choices collide: all but these are in use everywhere. */
static void keep_few(int few)
{
    for (int p = 0; p < PROCS; p++)
        for (int b = few; b < ADI3_BLOCKS; b++)
            assert_true(adi3_block_reserve(&process[p], b));
}

static void any_order(void **state)
{
    (void) state;
    keep_few(20);
    for (int i = 0; i < STEPS; i++)
        step(&consensus[unit_random(CONSENSUSES)]);
    assert_true(made > 1000 && again > 100 && exhausted > 0);
}

static void none_left(void **state)
{
    struct adi3_block_map m = { { 0 } };
    int seen[ADI3_BLOCKS] = { 0 };

    (void) state;
    for (int i = 0; i < ADI3_BLOCKS; i++) {
        int block = adi3_block_choose(&m, (uint64_t) i * 0x9e3779b97f4a7c15u);
        assert_in_range(block, 0, ADI3_BLOCKS - 1);
        assert_int_equal(seen[block]++, 0);
        assert_true(adi3_block_reserve(&m, block));
        assert_false(adi3_block_reserve(&m, block));
    }
    assert_int_equal(adi3_block_choose(&m, 7), -1);
    adi3_block_free(&m, 700);
    assert_int_equal(adi3_block_choose(&m, 7), 700);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order),
        cmocka_unit_test(none_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
