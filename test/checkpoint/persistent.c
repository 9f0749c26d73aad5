/* persistent.c — persistent operations outlive quiesces, also when they are under way, and also
 * when the memory of their flag blocks is lost.
 *
 * Only for Starling: it links the layers, because MPI has no call for this. Processes start and
 * complete operations, quiesce in the middle of that, and go on with new devices. Each is ahead
 * of the others or behind, at random. Usage: persistent [SEED [QUIESCES]] */
#include "adi3/adi3.h"
#include "adi3/adi3_checkpoint.h"
#include "mpitest.h"

enum { OPS = 4, STARTS = 8, LEN = 100 }; /* starts of each operation between two quiesces */

static int rank, size, starts[OPS];
static int in[OPS][LEN], out[OPS][LEN];
static MPI_Request r[OPS];
static bool active[OPS];
static uint64_t state, common;

static unsigned number(uint64_t *s, unsigned below)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned) (*s >> 33) % below;
}

static int root(int op) { return op % size; }

static void init(void)
{
    MPI_Allreduce_init(in[0], out[0], LEN, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Bcast_init(out[1], LEN, MPI_INT, root(1), MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Reduce_init(in[2], out[2], LEN, MPI_INT, MPI_SUM, root(2), MPI_COMM_WORLD, MPI_INFO_NULL,
                    &r[2]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[3]);
}

static int value(int from, int op, int i) { return from * 1000 + starts[op] * 7 + i; }

static void begin(int op)
{
    for (int i = 0; i < LEN; i++) {
        in[op][i] = value(rank, op, i);
        out[op][i] = rank == root(op) ? in[op][i] : -1;
    }
    MPI_Start(&r[op]);
    active[op] = true;
}

static void check(int op)
{
    for (int i = 0; i < LEN && op < 3; i++) {
        int sum = 0;
        for (int from = 0; from < size; from++)
            sum += value(from, op, i);
        if (op == 1)
            CHECK_INT(out[op][i], value(root(op), op, i));
        else if (op == 0 || rank == root(op))
            CHECK_INT(out[op][i], sum);
    }
    active[op] = false;
    starts[op]++;
}

/* Starts and completes operations at random, without waiting, up to so many starts. */
static void go_on(int most)
{
    for (unsigned n = number(&state, 40); n; n--) {
        int op = (int) number(&state, OPS), done = 0;
        if (!active[op] && starts[op] < most)
            begin(op);
        else if (active[op])
            MPI_Test(&r[op], &done, MPI_STATUS_IGNORE);
        if (done)
            check(op);
    }
}

static void complete(int all)
{
    for (int op = 0; op < OPS; op++)
        while (starts[op] < all) {
            if (!active[op])
                begin(op);
            MPI_Wait(&r[op], MPI_STATUS_IGNORE);
            check(op);
        }
}

static void well(int err)
{
    if (err)
        mpitest_fail(__FILE__, __LINE__, adi3_error_text(err));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    common = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int quiesces = argc > 2 ? (int) strtol(argv[2], NULL, 10) : 60;
    state = common * 1000 + (uint64_t) rank;
    for (int i = 1; i <= quiesces; i++) {
        if (i % 3 == 1)
            init();
        go_on(i * STARTS);
        well(adi3_quiesce());
        go_on(i * STARTS);
        if (number(&common, 3) == 0)
            adi3_continue();
        else
            well(adi3_reopen());
        go_on(i * STARTS);
        complete(i * STARTS);
        for (int op = 0; op < OPS && i % 3 == 0; op++)
            MPI_Request_free(&r[op]);
    }
    MPI_Finalize();
    return 0;
}
