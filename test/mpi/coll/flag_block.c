/* flag_block.c — small persistent operations, which on one node are started in flag blocks in
 * shared memory: started often and in any order, on several communicators, more of them than
 * have room there, with the bits of blocking operations. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "coll_test.h"

enum { OPS = 12, MANY = 400, OFTEN = 3000, LIVES = 10000, MOST = 128 };

static bool shared; /* all processes share memory */
static bool quick;  /* and each has a core: else the numbers above would take long */

struct operation {
    MPI_Request r;
    double out[MOST], in[MOST];
    int kind, count, root, round;
};

static void init(struct operation *o, struct me m, int number)
{
    static const int lens[] = { 1, 5, 0, 128, 7 };

    *o = (struct operation) { .kind = number % 5,
                              .count = lens[number % 5],
                              .root = number / 2 % m.size };
    switch (o->kind) {
    case 0:
        MPI_Allreduce_init(o->out, o->in, o->count, MPI_DOUBLE, MPI_SUM, m.comm, MPI_INFO_NULL,
                           &o->r);
        break;
    case 1:
        MPI_Bcast_init(o->in, o->count, MPI_DOUBLE, o->root, m.comm, MPI_INFO_NULL, &o->r);
        break;
    case 2:
        MPI_Barrier_init(m.comm, MPI_INFO_NULL, &o->r);
        break;
    case 3:
        MPI_Reduce_init(o->out, o->in, o->count, MPI_DOUBLE, MPI_SUM, o->root, m.comm,
                        MPI_INFO_NULL, &o->r);
        break;
    default:
        MPI_Allreduce_init(MPI_IN_PLACE, o->in, o->count, MPI_DOUBLE, MPI_SUM, m.comm,
                           MPI_INFO_NULL, &o->r);
    }
}

/* No sum of these is exact, so the bits of a sum show the order of operands. */
static double operand(int rank, int i, int round)
{
    return 1.0 / (rank + 3 + i) + round % 17 * 1e-7 * (rank % 2 ? 1e9 : 1);
}

static void fill(struct operation *o, struct me m)
{
    bool shows = o->kind != 1 || m.rank == o->root;

    o->round++;
    for (int i = 0; i < o->count; i++) {
        o->out[i] = operand(m.rank, i, o->round);
        o->in[i] = o->kind == 4 || (o->kind == 1 && shows) ? o->out[i] : -1;
    }
}

/* A rounding error is allowed here, because the order may be another; not in test_bits(). */
static void check(const struct operation *o, struct me m)
{
    for (int i = 0; i < o->count; i++) {
        double want = 0;
        for (int rank = 0; rank < m.size; rank++)
            want += operand(rank, i, o->round);
        if (o->kind == 1)
            want = operand(o->root, i, o->round);
        if (o->kind == 3 && m.rank != o->root)
            want = -1;
        CHECK(fabs(o->in[i] - want) <= 1e-12 * fabs(want));
    }
}

/* Every process starts the operations in an order of its own; the second half starts before the
 * first is complete. */
static void test_any_order(struct me m)
{
    static struct operation o[OPS];
    MPI_Request r[OPS];

    for (int k = 0; k < OPS; k++)
        init(&o[k], m, k);
    for (int round = 0; round < (quick ? MANY : 50); round++) {
        int step = (int[]) { 1, 5, 7, 11 }[(m.rank + round) % 4];
        for (int k = 0; k < OPS; k++)
            fill(&o[k], m);
        for (int k = 0; k < OPS; k++)
            MPI_Start(&o[(k * step + m.rank) % OPS].r);
        for (int k = 0; k < OPS; k++)
            r[k] = o[k].r;
        MPI_Waitall(OPS, r, MPI_STATUSES_IGNORE);
        for (int k = 0; k < OPS; k++)
            check(&o[k], m);
    }
    for (int k = 0; k < OPS; k++)
        MPI_Request_free(&o[k].r);
}

/* Processes run ahead of each other as far as they can. */
static void test_often(struct me m)
{
    static struct operation o;
    int done;

    for (int number = 0; number < 5; number++) {
        init(&o, m, number);
        for (int round = 0; round < (quick ? OFTEN : 300); round++) {
            fill(&o, m);
            MPI_Start(&o.r);
            if (round % 64 == m.rank) /* only tests, no wait */
                for (done = 0; !done;)
                    MPI_Test(&o.r, &done, MPI_STATUS_IGNORE);
            else
                MPI_Wait(&o.r, MPI_STATUS_IGNORE);
            check(&o, m);
        }
        MPI_Request_free(&o.r);
    }
}

/* More requests at the same time than flag blocks have memory for. Freeing them releases the
 * memory. */
static void test_many(struct me m)
{
    static struct operation o[MANY];

    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < MANY; k++)
            init(&o[k], m, k);
        for (int k = 0; k < MANY; k++)
            fill(&o[k], m);
        for (int k = 0; k < MANY; k++)
            MPI_Start(&o[m.rank % 2 ? MANY - 1 - k : k].r);
        for (int k = 0; k < MANY; k++)
            MPI_Wait(&o[k].r, MPI_STATUS_IGNORE);
        for (int k = 0; k < MANY; k++) {
            check(&o[k], m);
            MPI_Request_free(&o[k].r);
        }
    }
}

static void test_lives(struct me m)
{
    static struct operation o;

    for (int k = 0; k < (quick ? LIVES : shared ? LIVES / 4 : 200); k++) {
        init(&o, m, k % 3 ? 0 : 3);
        if (k % 16 == 0) {
            fill(&o, m);
            MPI_Start(&o.r);
            MPI_Wait(&o.r, MPI_STATUS_IGNORE);
            check(&o, m);
        }
        MPI_Request_free(&o.r);
    }
}

/* All processes get the same bits; on one node those of the blocking call. */
static void test_bits(struct me m)
{
    static struct operation o;
    double blocking[MOST], first[MOST];

    init(&o, m, 0);
    for (int round = 0; round < (quick ? MANY : 50); round++) {
        fill(&o, m);
        MPI_Start(&o.r);
        MPI_Wait(&o.r, MPI_STATUS_IGNORE);
        memcpy(first, o.in, sizeof first);
        MPI_Bcast(first, o.count, MPI_DOUBLE, 0, m.comm);
        CHECK(!memcmp(first, o.in, (size_t) o.count * sizeof *first));
        MPI_Allreduce(o.out, blocking, o.count, MPI_DOUBLE, MPI_SUM, m.comm);
        CHECK(!shared || !memcmp(blocking, o.in, (size_t) o.count * sizeof *blocking));
    }
    MPI_Request_free(&o.r);
}

/* Returns the left operand where both are set, so that the result shows the order. */
static void leftmost(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *count; i++)
        ((int *) inout)[i] = ((int *) in)[i] * 10 + ((int *) inout)[i] % 10;
}

static void test_own_operation(struct me m)
{
    int v[3] = { m.rank, m.rank, m.rank }, w[3], same[3];
    MPI_Op op;
    MPI_Request r;

    MPI_Op_create(leftmost, 0, &op);
    MPI_Allreduce_init(v, w, 3, MPI_INT, op, m.comm, MPI_INFO_NULL, &r);
    MPI_Allreduce(v, same, 3, MPI_INT, op, m.comm);
    MPI_Op_free(&op);
    for (int round = 0; round < 10; round++) {
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        CHECK(!memcmp(w, same, sizeof w));
    }
    MPI_Request_free(&r);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    test_any_order(m);
    test_many(m);
    test_bits(m);
}

int main(int argc, char **argv)
{
    const char *devices = getenv("STARLING_DEVICES");
    MPI_Comm twin;

    shared = devices && !strcmp(devices, "shm");
    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    quick = shared && m.size <= 2;
    test(MPI_COMM_WORLD);
    test(MPI_COMM_SELF);
    comms_split(test, 0, -m.rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    test(twin);
    MPI_Comm_free(&twin);
    test_often(m);
    test_lives(m);
    test_bits(m); /* the memory of the freed requests is free again */
    test_own_operation(m);
    MPI_Finalize();
    return 0;
}
