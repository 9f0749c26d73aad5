/* reproducible.c — C08: reductions whose last bits show the order of operands. MPI_Allreduce
 * gives all processes the same bits. Process 0 writes a digest of all results, which
 * reproducible.py compares between runs. With the argument "forms", the nonblocking forms must
 * have the bits of the blocking ones. */
#include <stdint.h>
#include <time.h>
#include "coll_test.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
enum { MOST = 40000 }; /* elements of a process */

static int rank, size;
static double *in, *out;
static uint64_t digest; /* of the results of this process */
static enum form form;

/* Numbers of very different size: the sum in any other order has other bits. */
static void fill(double *v, int n)
{
    uint64_t x = (uint64_t) rank * 77777 + 12345;

    for (int i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        v[i] = ((double) (x >> 11) / 9e15 + 0.1) * (double) ((uint64_t) 1 << (x >> 59));
        if (x & 2048)
            v[i] = -v[i];
    }
}

static void note(const void *data, size_t len)
{
    const unsigned char *p = data;

    for (size_t i = 0; i < len; i++)
        digest = (digest ^ p[i]) * 1099511628211u;
}

/* Delays the start of an operation by a time that differs between processes and runs. */
static void be_late(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec = 0;
    t.tv_nsec = t.tv_nsec / 64 % 4 * (rank + 1) % 5 * 20000;
    nanosleep(&t, NULL);
}

static void finish(MPI_Request *r)
{
    if (form == PERSISTENT)
        MPI_Start(r);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    if (form == PERSISTENT)
        MPI_Request_free(r);
}

static void allreduce(int n, MPI_Datatype type, size_t len, MPI_Op op)
{
    MPI_Request r;
    char *first;

    be_late();
    if (form == BLOCKING)
        MPI_Allreduce(in, out, n, type, op, MPI_COMM_WORLD);
    else if (form == NONBLOCKING)
        MPI_Iallreduce(in, out, n, type, op, MPI_COMM_WORLD, &r);
    else
        MPI_Allreduce_init(in, out, n, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    if (form != BLOCKING)
        finish(&r);
    note(out, (size_t) n * len);
    first = mpitest_memory((size_t) n * len);
    if (rank == 0)
        memcpy(first, out, (size_t) n * len);
    MPI_Bcast(first, n, type, 0, MPI_COMM_WORLD);
    CHECK(!memcmp(first, out, (size_t) n * len));
    free(first);
}

static void reduce(int n, MPI_Datatype type, size_t len, MPI_Op op, int root)
{
    MPI_Request r;

    be_late();
    if (form == BLOCKING)
        MPI_Reduce(in, out, n, type, op, root, MPI_COMM_WORLD);
    else if (form == NONBLOCKING)
        MPI_Ireduce(in, out, n, type, op, root, MPI_COMM_WORLD, &r);
    else
        MPI_Reduce_init(in, out, n, type, op, root, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    if (form != BLOCKING)
        finish(&r);
    if (rank == root)
        note(out, (size_t) n * len);
}

static void scans(int n, MPI_Datatype type, size_t len, MPI_Op op)
{
    MPI_Request r[2];

    be_late();
    if (form == BLOCKING) {
        MPI_Scan(in, out, n, type, op, MPI_COMM_WORLD);
        MPI_Exscan(in, (char *) out + (size_t) n * len, n, type, op, MPI_COMM_WORLD);
    } else if (form == NONBLOCKING) {
        MPI_Iscan(in, out, n, type, op, MPI_COMM_WORLD, &r[0]);
        MPI_Iexscan(in, (char *) out + (size_t) n * len, n, type, op, MPI_COMM_WORLD, &r[1]);
    } else {
        MPI_Scan_init(in, out, n, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
        MPI_Exscan_init(in, (char *) out + (size_t) n * len, n, type, op, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &r[1]);
    }
    for (int i = 0; form != BLOCKING && i < 2; i++)
        finish(&r[i]);
    note(out, (size_t) n * len * (rank ? 2 : 1));
}

/* n elements for each process, then a different number for each. */
static void reduce_scatter(int n, MPI_Datatype type, size_t len, MPI_Op op)
{
    int *counts_ = ints(size), mine;
    MPI_Request r[2];
    char *second = (char *) out + (size_t) n * len;

    for (int i = 0; i < size; i++)
        counts_[i] = n * (i % 3) / 2;
    mine = counts_[rank];
    be_late();
    if (form == BLOCKING) {
        MPI_Reduce_scatter_block(in, out, n, type, op, MPI_COMM_WORLD);
        MPI_Reduce_scatter(in, second, counts_, type, op, MPI_COMM_WORLD);
    } else if (form == NONBLOCKING) {
        MPI_Ireduce_scatter_block(in, out, n, type, op, MPI_COMM_WORLD, &r[0]);
        MPI_Ireduce_scatter(in, second, counts_, type, op, MPI_COMM_WORLD, &r[1]);
    } else {
        MPI_Reduce_scatter_block_init(in, out, n, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
        MPI_Reduce_scatter_init(in, second, counts_, type, op, MPI_COMM_WORLD, MPI_INFO_NULL,
                                &r[1]);
    }
    for (int i = 0; form != BLOCKING && i < 2; i++)
        finish(&r[i]);
    note(out, (size_t) (n + mine) * len);
    free(counts_);
}

/* Commutes and is not associative; not a predefined operation. */
static void mean(void *a, void *b, int *len, MPI_Datatype *type)
{
    const double *x = a;
    double *y = b;

    (void) type;
    for (int i = 0; i < *len; i++)
        y[i] = (x[i] + y[i]) / 2;
}

static void all(MPI_Op user)
{
    static const int lengths[] = { 1, 3, 100, 2000, 9000, MOST };

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        int n = lengths[k];

        allreduce(n, MPI_DOUBLE, 8, MPI_SUM);
        allreduce(n, MPI_DOUBLE, 8, user);
        allreduce(n / 2, MPI_C_DOUBLE_COMPLEX, 16, MPI_PROD);
        reduce(n, MPI_DOUBLE, 8, MPI_SUM, 0);
        reduce(n, MPI_DOUBLE, 8, MPI_SUM, size - 1);
        reduce(n, MPI_DOUBLE, 8, user, size / 2);
        scans(n, MPI_DOUBLE, 8, MPI_SUM);
        reduce_scatter(n / size, MPI_DOUBLE, 8, MPI_SUM);
        reduce_scatter(n / size, MPI_DOUBLE, 8, user);
    }
}

/* The digest of all processes in rank order, at process 0. */
static uint64_t digest_of_all(void)
{
    uint64_t *each = mpitest_memory((size_t) size * sizeof *each), sum;

    MPI_Gather(&digest, 1, MPI_UINT64_T, each, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    digest = 0;
    note(each, rank == 0 ? (size_t) size * sizeof *each : 0);
    sum = digest;
    free(each);
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t sum[FORMS];
    MPI_Op user;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(mean, 1, &user);
    in = mpitest_memory(MOST * sizeof *in);
    out = mpitest_memory(2 * MOST * sizeof *out);
    fill(in, MOST);
    for (form = BLOCKING; form < FORMS; form++) {
        digest = 1469598103934665603u;
        all(user);
        sum[form] = digest_of_all();
    }
    if (argc > 1)
        CHECK(sum[NONBLOCKING] == sum[BLOCKING] && sum[PERSISTENT] == sum[BLOCKING]);
    if (rank == 0)
        printf("%016llx %016llx %016llx\n", (unsigned long long) sum[BLOCKING],
               (unsigned long long) sum[NONBLOCKING], (unsigned long long) sum[PERSISTENT]);
    free(out);
    free(in);
    MPI_Op_free(&user);
    MPI_Finalize();
    return 0;
}
