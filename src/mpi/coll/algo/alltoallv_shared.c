/* alltoallv_shared.c — each process publishes in the shared-memory segment where its blocks are,
 * and the blocks themselves if all of them fit there; the others take what is for them.
 *
 * No process knows what the others exchange, so all publish in a step of one length, and see after
 * its barrier which way is taken: the same for all. Where the blocks of some process do not fit,
 * they are read where they are; where that is not possible, messages go. Also for blocks of
 * different types. Cost: w + 2 p c n; of large blocks 2 w + p c n. */
#include "mpi/coll/algo/direct.h"

enum way { BY_SEGMENT, BY_READS, BY_MESSAGES }; /* a process takes the last one of all */

struct table { /* what a process publishes; its blocks follow */
    uint64_t way;
    struct place {        /* of a block, by the rank that it is for */
        uint64_t at, len; /* at: bytes from the table, or by BY_READS an address */
    } of[];
};

static size_t table_len(const struct coll *x)
{
    return (sizeof(struct table) + (size_t) x->size * sizeof(struct place) + 15) & ~(size_t) 15;
}

bool alltoallv_shared_fits(const struct coll *x)
{
    return shared_fits(x) && shared_fits_chunk(x, table_len(x));
}

/* With MPI_IN_PLACE the blocks to send are those that are received into. */
static struct adi3_data own_block(const struct coll *x, int i)
{
    return x->in_place ? coll_recv_block(x, i) : coll_send_block(x, i);
}

/* Copies the blocks for other processes behind the table; false: they do not fit. */
static bool copy_blocks(const struct coll *x, struct table *t, size_t room)
{
    size_t at = table_len(x);

    for (int i = 0; i < x->size; i++) {
        struct adi3_data d = own_block(x, i);
        size_t len = coll_size(d);
        t->of[i] = (struct place) { at, len };
        if (i == x->rank)
            continue;
        if (len > room - at)
            return false;
        shared_put(&d, 0, (char *) t + at, len);
        at += (len + 15) & ~(size_t) 15;
        at = at < room ? at : room;
    }
    return true;
}

/* Enters where the blocks are; false: some cannot be read there. A block is received where
 * MPI_IN_PLACE has it to be read. */
static bool list_blocks(const struct coll *x, struct table *t)
{
    bool readable = !x->in_place;

    for (int i = 0; i < x->size && readable; i++) {
        struct adi3_data d = own_block(x, i);
        size_t len = coll_size(d);
        t->of[i] = (struct place) { (uintptr_t) d.buf, len };
        readable = i == x->rank || len == 0 || (d.type->contig && d.buf);
    }
    return readable;
}

static void publish_blocks(const struct coll *x, struct table *t, size_t room)
{
    if (copy_blocks(x, t, room))
        t->way = BY_SEGMENT;
    else
        t->way = list_blocks(x, t) ? BY_READS : BY_MESSAGES;
}

/* Takes the block of another process. */
static int take_block(struct coll *x, const struct table *t, int rank)
{
    const struct place *p = &t->of[x->rank];
    struct adi3_data to = coll_recv_block(x, rank);

    if (p->len != coll_size(to))
        return shared_differs(x, rank, p->len, coll_size(to));
    if (t->way == BY_READS)
        return direct_read(x, rank, p->at, to, true);
    shared_get(&to, 0, (const char *) t + p->at, p->len);
    return MPI_SUCCESS;
}

static int take_blocks(struct coll *x, struct adi3_shmcoll *a)
{
    int err = MPI_SUCCESS;

    for (int i = 1; i < x->size && !err; i++) {
        int rank = (x->rank + i) % x->size;
        err = take_block(x, adi3_shmcoll_at(a, rank), rank);
    }
    if (!err && !x->in_place)
        coll_copy(x, coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
    return err;
}

/* Tells all what this process has, and finds the way that all take. */
static int choose_way(struct coll *x, struct adi3_shmcoll *a, enum way *way)
{
    size_t room = shared_half_ring(a);
    bool direct;
    int err = adi3_shmcoll_direct(a, x->tag, &direct);

    if (!err)
        err = adi3_shmcoll_begin(a, x->tag, room, true);
    if (err)
        return err;
    publish_blocks(x, adi3_shmcoll_at(a, x->rank), room);
    err = adi3_shmcoll_barrier(a);
    *way = BY_SEGMENT;
    for (int i = 0; i < x->size && !err; i++) {
        const struct table *t = adi3_shmcoll_at(a, i);
        *way = t->way > *way ? (enum way) t->way : *way;
    }
    if (*way == BY_READS && !direct)
        *way = BY_MESSAGES;
    return err;
}

void alltoallv_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    enum way way;
    int err = choose_way(x, a, &way);

    if (!err && way == BY_MESSAGES) {
        if (x->in_place)
            alltoall_swap(x);
        else
            alltoall_spread(x);
        return;
    }
    if (!err)
        err = take_blocks(x, a);
    if (!err && way == BY_READS)
        err = direct_end(x);
    coll_error(x, err);
}
