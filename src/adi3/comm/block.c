/* block.c — blocks of context ids, for intracommunicators whose processes are of several jobs.
 *
 * The ids of one job, and those of another, are the same numbers. So the processes of the first
 * communicator that spans jobs choose one block of ids that is free at all of them; the numbers of
 * blocks are no job's. Each process of it has a part of the block, from which it picks the ids of
 * the communicators that are made of this one, and asks no other process. No process counts blocks
 * for all: a process knows the blocks of its own communicators, and two sets of processes without a
 * common member may use the same block. The end of a job frees nothing elsewhere.
 *
 * Several such choices may be under way at a time, with some processes in both. A process then
 * reserves the block of one, refuses it to the other, and that one chooses again, at random. */
#include <stdlib.h>
#include "adi3/comm/comm_impl.h"

struct adi3_block_map adi3_blocks;

static bool is_set(const struct adi3_block_map *m, int block)
{
    return m->word[block / 64] >> block % 64 & 1;
}

bool adi3_group_spans(const struct adi3_group *g)
{
    const struct proc_job *first = g->size ? proc_job_of_number(adi3_group_process(g, 0)) : NULL;
    int i = 1;

    while (i < g->size && proc_job_of_number(adi3_group_process(g, i)) == first)
        i++;
    return i < g->size;
}

int adi3_block_choose(const struct adi3_block_map *used, uint64_t random)
{
    int free_blocks = 0, block = -1;

    for (int i = 0; i < ADI3_BLOCKS; i++)
        free_blocks += !is_set(used, i);
    if (!free_blocks)
        return -1;
    for (int nth = (int) (random % (unsigned) free_blocks); nth >= 0; nth -= !is_set(used, block))
        block++;
    return block;
}

bool adi3_block_reserve(struct adi3_block_map *mine, int block)
{
    bool was_free = !is_set(mine, block);

    mine->word[block / 64] |= 1ull << block % 64;
    return was_free;
}

void adi3_block_free(struct adi3_block_map *mine, int block)
{
    assert(is_set(mine, block));
    mine->word[block / 64] &= ~(1ull << block % 64);
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* An id is 1, the block, the rank in the communicator that chose it, a counter, and a bit that is
 * 0. */
enum { ID_BITS = 31, BLOCK_BITS = 10, IN_BLOCK = ID_BITS - 1 - BLOCK_BITS };

_Static_assert(1 << BLOCK_BITS == ADI3_BLOCKS, "a block's number fits in an id");

struct context_block {
    int refs; /* communicators */
    struct context_range ids;
};

static uint32_t first_of(int block) { return 1u << (ID_BITS - 1) | (uint32_t) block << IN_BLOCK; }

/* Rank 0 picks no id with the counter 0. */
uint32_t adi3_block_first_id(int block) { return first_of(block) << 1; }

int adi3_comm_set_block(struct adi3_comm *c, int block)
{
    uint32_t rank_bits = 0;

    assert(adi3_lock_held() && !c->block && is_set(&adi3_blocks, block));
    while (1u << rank_bits < (uint32_t) c->size)
        rank_bits++;
    if (rank_bits >= IN_BLOCK)
        return adi3_error(MPI_ERR_OTHER,
                          "a communicator of several jobs has %d processes, at most %d may be",
                          c->size, 1 << (IN_BLOCK - 1));
    if (!(c->block = calloc(1, sizeof *c->block)))
        return adi3_no_memory("for the context ids of a communicator");
    c->block->refs = 1;
    c->block->ids.bits = IN_BLOCK - rank_bits;
    c->block->ids.first = first_of(block) | (uint32_t) c->rank << c->block->ids.bits;
    return MPI_SUCCESS;
}

struct context_range *block_range(struct adi3_comm *c) { return &c->block->ids; }

void block_share(const struct adi3_comm *parent, struct adi3_comm *made)
{
    made->block = parent->block;
    if (made->block)
        made->block->refs++;
}

void block_release(struct adi3_comm *c)
{
    if (!c->block || --c->block->refs)
        return;
    adi3_block_free(&adi3_blocks, (int) (c->block->ids.first >> IN_BLOCK) & (ADI3_BLOCKS - 1));
    free(c->block);
}
