/* shmcoll.c — the shared-memory collective segment: communicators come and go without using its
 * memory up; those without memory use messages; steps of all kinds and sizes find room; a
 * function that writes its input does not spoil the results of other processes. */
#include "coll_test.h"

enum { MANY = 2000, AT_ONCE = 150, STEPS = 2000, LARGEST = 5000 };
enum { SLOWER = 5 };     /* times less, where processes may have to wait for cores */
enum { ROUNDS = 200 };   /* with a function that writes its input */
enum { BLOCK = 700001 }; /* larger than the largest single read of another process's memory */

static void one_of_each(struct me m, int round)
{
    int v = value(m.rank, round, 0), sum, word = m.rank == round % m.size ? v : -1, expected = 0;

    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, m.comm);
    for (int i = 0; i < m.size; i++)
        expected += value(i, round, 0);
    CHECK_INT(sum, expected);
    MPI_Bcast(&word, 1, MPI_INT, round % m.size, m.comm);
    CHECK_INT(word, value(round % m.size, round, 0));
    MPI_Barrier(m.comm);
}

static int often(int n) { return whoami(MPI_COMM_WORLD).size > 2 ? n / SLOWER : n; }

static void test_one_after_the_other(void)
{
    for (int i = 0; i < often(MANY); i++) {
        MPI_Comm c;
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        one_of_each(whoami(c), i);
        MPI_Comm_free(&c);
    }
}

/* More communicators at the same time than there is memory for. Freeing them makes all of it
 * available again. */
static void test_at_once(void)
{
    static MPI_Comm c[AT_ONCE];

    for (int i = 0; i < AT_ONCE; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &c[i]);
        one_of_each(whoami(c[i]), i);
    }
    for (int i = 0; i < AT_ONCE; i++)
        one_of_each(whoami(c[i]), i + 1);
    for (int i = 0; i < AT_ONCE; i++)
        MPI_Comm_free(&c[i]);
    test_one_after_the_other();
}

/* Groups of all sizes, so that blocks of different lengths are released. */
static void test_groups(struct me m)
{
    for (int i = 0; i < 40; i++) {
        MPI_Comm c;
        MPI_Comm_split(m.comm, m.rank % (1 + i % m.size), m.rank, &c);
        one_of_each(whoami(c), i);
        MPI_Comm_free(&c);
    }
}

static unsigned next_random(unsigned *state) { return *state = *state * 1103515245u + 12345; }

static void check_from(const int *v, int root, int n, int round)
{
    for (int i = 0; i < n; i += 1 + n / 7)
        CHECK_INT(v[i], value(root, i, round));
}

/* One operation of any length, with changing roots: fast processes run ahead of slow ones. */
static void any_step(struct me m, unsigned r, int round, int *in, int *out)
{
    int n = (int) (r >> 8) % (r & 4096 ? LARGEST : 20), root = (int) (r >> 4) % m.size;

    for (int i = 0; i < n; i++)
        in[i] = value(m.rank, i, round);
    if (r % 5 == 0) {
        MPI_Bcast(in, n, MPI_INT, root, m.comm);
        check_from(in, root, n, round);
    } else if (r % 5 == 1) {
        MPI_Gather(in, n, MPI_INT, out, n, MPI_INT, root, m.comm);
        for (int i = 0; i < m.size && m.rank == root; i++)
            check_from(out + i * n, i, n, round);
    } else if (r % 5 == 2) {
        MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, m.comm);
        for (int i = 0; i < m.size; i++)
            check_from(out + i * n, i, n, round);
    } else if (r % 5 == 3) {
        MPI_Reduce(in, out, n, MPI_INT, MPI_MAX, root, m.comm);
        if (m.rank == root)
            check_from(out, m.size - 1, n, round);
    } else {
        MPI_Barrier(m.comm);
    }
}

static void test_steps(struct me m)
{
    int *in = ints(LARGEST), *out = ints(LARGEST * m.size);
    unsigned state = 7;

    for (int i = 0; i < often(STEPS); i++)
        any_step(m, next_random(&state) >> 4, i, in, out);
    free(in);
    free(out);
}

/* Blocks that each process reads from each other; all elements are checked. */
static void test_large_blocks(struct me m)
{
    int *out = ints(BLOCK * m.size), *in = ints(BLOCK * m.size);

    for (int i = 0; i < BLOCK * m.size; i++)
        out[i] = value(m.rank, i, 0);
    MPI_Allgather(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, m.comm);
    for (int i = 0; i < BLOCK * m.size; i++)
        CHECK_INT(in[i], value(i / BLOCK, i % BLOCK, 0));
    MPI_Alltoall(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, m.comm);
    for (int i = 0; i < BLOCK * m.size; i++)
        CHECK_INT(in[i], value(i / BLOCK, m.rank * BLOCK + i % BLOCK, 0));
    free(out);
    free(in);
}

/* Wrong, and common in programs: the function writes its first operand, which is for reading. */
static void sum_and_spoil(void *in, void *inout, int *len, MPI_Datatype *t)
{
    int *a = in, *b = inout;

    (void) t;
    for (int i = 0; i < *len; i++) {
        b[i] += a[i];
        a[i] = -1;
    }
}

static void check_sums(const int *v, struct me m, int n, int round)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int rank = 0; rank < m.size; rank++)
            sum += value(rank, i, round);
        CHECK_INT(v[i], sum);
    }
}

static void spoil_one(struct me m, MPI_Op op, int n, int round)
{
    int *in = values(m.rank, n, round), *out = ints(n), root = round % m.size;

    MPI_Allreduce(in, out, n, MPI_INT, op, m.comm);
    check_sums(out, m, n, round);
    free(in);
    in = values(m.rank, n, round);
    MPI_Reduce(in, out, n, MPI_INT, op, root, m.comm);
    if (m.rank == root)
        check_sums(out, m, n, round);
    free(in);
    free(out);
}

static void spoil_again(struct me m, MPI_Op op, int n)
{
    int *in = ints(n), *out = ints(n);
    MPI_Request r;

    MPI_Allreduce_init(in, out, n, MPI_INT, op, m.comm, MPI_INFO_NULL, &r);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < n; i++)
            in[i] = value(m.rank, i, round);
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        check_sums(out, m, n, round);
    }
    MPI_Request_free(&r);
    free(in);
    free(out);
}

static void test_operands_spoilt(struct me m)
{
    static const int counts_here[] = { 1, 200, 3000, 20000, 200000 };
    MPI_Op op;

    MPI_Op_create(sum_and_spoil, 1, &op);
    for (int i = 0; i < 5; i++)
        for (int round = 0; round < (i < 2 ? ROUNDS : 3); round++)
            spoil_one(m, op, counts_here[i], round);
    spoil_again(m, op, 1);
    spoil_again(m, op, 200);
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    test_one_after_the_other();
    test_at_once();
    test_groups(m);
    test_steps(m);
    test_large_blocks(m);
    test_operands_spoilt(m);
    MPI_Finalize();
    return 0;
}
