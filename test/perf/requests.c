/* requests.c — many requests at once, and persistent ones.
 *
 * outstanding        per message, of so many receives and sends of 8 bytes under way together;
 *                    left out where it would take long, as the time grows with the square
 * outstanding_growth the same of the largest -z, divided by that of the smallest
 * waitany, waitsome  per call, with so many requests of which the last is complete
 * testsome           per call, with so many requests of which none is complete
 * pingpong_send      half a round trip by Send and Recv, pingpong_isend by Isend, Irecv and Wait,
 *                    pingpong_start by Start and Wait
 * start_over_send, start_over_isend   these divided by one another, measured in turns */
#include <string.h>
#include "perf.h"

enum { LEN = 8, TAGS = 16384, ALTERNATE = 64, PATIENCE_S = 2 };

static char *out, *in;
static MPI_Request *request;
static int *index_of;
static MPI_Comm quiet; /* where no message ever comes */
static size_t smallest, largest;

/* ---- many under way -------------------------------------------------------------------------- */

static void burst(size_t size)
{
    int n = (int) size, other = 1 - perf.rank;

    for (int i = 0; i < n; i++)
        MPI_Irecv(in + (ptrdiff_t) i * LEN, LEN, MPI_BYTE, other, i % TAGS, MPI_COMM_WORLD,
                  &request[i]);
    for (int i = 0; i < n; i++)
        MPI_Isend(out + (ptrdiff_t) i * LEN, LEN, MPI_BYTE, other, i % TAGS, MPI_COMM_WORLD,
                  &request[n + i]);
    MPI_Waitall(2 * n, request, MPI_STATUSES_IGNORE);
}

static double burst_s; /* how long this rank's last one took */

static void outstanding(size_t size, int iters)
{
    for (int i = 0; i < iters && perf.rank < 2; i++) {
        double start = MPI_Wtime();
        burst(size);
        burst_s = MPI_Wtime() - start;
    }
}

static double us_per_message(size_t size, int iters, double seconds)
{
    return perf_us_each(size, iters, seconds) / (double) size;
}

/* ---- two ways in alternation ----------------------------------------------------------------- */

static double spent[2]; /* seconds of this rank since the last run began */

static void in_turns(void (*const way[2])(size_t size, int n), size_t size, int iters)
{
    spent[0] = spent[1] = 0;
    for (int done = 0, n; done < iters && perf.rank < 2; done += n) {
        n = iters - done < ALTERNATE ? iters - done : ALTERNATE;
        for (int w = 0; w < 2; w++) {
            double start = MPI_Wtime();
            way[w](size, n);
            spent[w] += MPI_Wtime() - start;
        }
    }
}

static double spent_ratio(size_t size, int iters, double seconds)
{
    (void) size;
    (void) iters;
    (void) seconds;
    return spent[1] / spent[0];
}

static void few(size_t size, int iters)
{
    outstanding(smallest, (int) (size / smallest) * iters); /* as many messages */
}

static void growth(size_t size, int iters)
{
    in_turns((void (*const[])(size_t, int)) { few, outstanding }, size, iters);
}

/* Sizes go up. As many messages of each, and no trial runs: the largest takes long. */
static void many_under_way(const size_t *sizes, int nsizes)
{
    const struct perf_case each = { "outstanding", "us", outstanding, us_per_message };
    const struct perf_case grows = { "outstanding_growth", "ratio", growth, spent_ratio };
    int iters = perf.iters;

    for (int i = 0; i < nsizes; i++) {
        double ratio = i ? (double) sizes[i] / (double) sizes[i - 1] : 0;
        if (perf_max(burst_s) * ratio * ratio > PATIENCE_S)
            break;
        perf.sizes[0] = sizes[i];
        perf.iters = iters ? iters : (int) (largest / sizes[i]);
        perf_run(&each);
        if (sizes[i] == largest)
            perf_run(&grows);
    }
    perf.iters = iters;
}

/* ---- calls over many ------------------------------------------------------------------------- */

/* Rank 0 has n - 1 receives that stay incomplete, and one more. All are from itself, so that the
 * other rank does not matter. The message that arrives is matched on another communicator, so that
 * long queues do not matter either. */
static void prepare(int n)
{
    for (int i = 0; i < n - 1; i++)
        MPI_Irecv(in + (ptrdiff_t) i * LEN, LEN, MPI_BYTE, 0, 1, quiet, &request[i]);
    request[n - 1] = MPI_REQUEST_NULL;
}

static void clean(int n)
{
    for (int i = 0; i < n - 1; i++)
        MPI_Cancel(&request[i]);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static void self_message(int i, MPI_Request *r)
{
    MPI_Irecv(in + (ptrdiff_t) i * LEN, LEN, MPI_BYTE, 0, 1, MPI_COMM_SELF, r);
    MPI_Send(out, LEN, MPI_BYTE, 0, 1, MPI_COMM_SELF);
}

static void waitany(size_t size, int iters)
{
    int n = (int) size, which;

    for (int i = 0; i < iters && perf.rank == 0; i++) {
        self_message(n - 1, &request[n - 1]);
        MPI_Waitany(n, request, &which, MPI_STATUS_IGNORE);
        if (which != n - 1)
            perf_fail("MPI_Waitany took a request that is not complete");
    }
}

static void waitsome(size_t size, int iters)
{
    int n = (int) size, count;

    for (int i = 0; i < iters && perf.rank == 0; i++) {
        self_message(n - 1, &request[n - 1]);
        MPI_Waitsome(n, request, &count, index_of, MPI_STATUSES_IGNORE);
        if (count != 1 || index_of[0] != n - 1)
            perf_fail("MPI_Waitsome took a request that is not complete");
    }
}

static void testsome(size_t size, int iters)
{
    int count;

    for (int i = 0; i < iters && perf.rank == 0; i++)
        MPI_Testsome((int) size, request, &count, index_of, MPI_STATUSES_IGNORE);
}

static void calls(size_t size)
{
    const struct perf_case over_many[] = {
        { "waitany", "us", waitany, perf_us_each },
        { "waitsome", "us", waitsome, perf_us_each },
        { "testsome", "us", testsome, perf_us_each },
    };

    perf.sizes[0] = size;
    if (perf.rank == 0)
        prepare((int) size);
    for (size_t i = 0; i < sizeof over_many / sizeof *over_many; i++)
        perf_run(&over_many[i]);
    if (perf.rank == 0)
        clean((int) size);
}

/* ---- persistent ------------------------------------------------------------------------------ */

static void by_send(size_t size, int iters)
{
    int len = (int) size, other = 1 - perf.rank;

    for (int i = 0; i < iters && perf.rank < 2; i++) {
        if (perf.rank == 0)
            MPI_Send(out, len, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        MPI_Recv(in, len, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (perf.rank == 1)
            MPI_Send(out, len, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    }
}

static void isend_one(int len, int other)
{
    MPI_Request r;

    MPI_Isend(out, len, MPI_BYTE, other, 1, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void by_isend(size_t size, int iters)
{
    int len = (int) size, other = 1 - perf.rank;
    MPI_Request r;

    for (int i = 0; i < iters && perf.rank < 2; i++) {
        if (perf.rank == 0)
            isend_one(len, other);
        MPI_Irecv(in, len, MPI_BYTE, other, 1, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (perf.rank == 1)
            isend_one(len, other);
    }
}

static MPI_Request persistent[2]; /* send, receive */

static void start_one(MPI_Request *r)
{
    MPI_Start(r);
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void by_start(size_t size, int iters)
{
    (void) size;
    for (int i = 0; i < iters && perf.rank < 2; i++) {
        if (perf.rank == 0)
            start_one(&persistent[0]);
        start_one(&persistent[1]);
        if (perf.rank == 1)
            start_one(&persistent[0]);
    }
}

static void start_over_send(size_t size, int iters)
{
    in_turns((void (*const[])(size_t, int)) { by_send, by_start }, size, iters);
}

static void start_over_isend(size_t size, int iters)
{
    in_turns((void (*const[])(size_t, int)) { by_isend, by_start }, size, iters);
}

static void pingpongs(size_t size)
{
    const struct perf_case ways[] = {
        { "pingpong_send", "us", by_send, perf_us_half },
        { "pingpong_isend", "us", by_isend, perf_us_half },
        { "pingpong_start", "us", by_start, perf_us_half },
        { "start_over_send", "ratio", start_over_send, spent_ratio },
        { "start_over_isend", "ratio", start_over_isend, spent_ratio },
    };
    int len = (int) size, other = perf.rank ^ 1;

    if (other >= perf.size)
        other = MPI_PROC_NULL;
    MPI_Send_init(out, len, MPI_BYTE, other, 1, MPI_COMM_WORLD, &persistent[0]);
    MPI_Recv_init(in, len, MPI_BYTE, other, 1, MPI_COMM_WORLD, &persistent[1]);
    perf.sizes[0] = size;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        perf_run(&ways[i]);
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
}

/* ---- all ------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "1000,10000,100000", NULL, NULL };
    static const size_t many[] = { 1000, 10000 }, lens[] = { 8, 1024 };
    size_t sizes[sizeof perf.sizes / sizeof *perf.sizes];

    perf_begin(argc, argv, &start);
    int nsizes = perf.nsizes;
    memcpy(sizes, perf.sizes, sizeof sizes);
    smallest = sizes[0];
    largest = perf.max_size;
    perf.nsizes = 1;
    size_t most = largest > many[1] ? largest : many[1];
    out = perf_buffer(most * LEN);
    in = perf_buffer(most * LEN);
    request = perf_buffer(2 * most * sizeof *request);
    index_of = perf_buffer(most * sizeof *index_of);
    MPI_Comm_dup(MPI_COMM_SELF, &quiet);
    many_under_way(sizes, nsizes);
    for (size_t i = 0; i < 2; i++)
        calls(many[i]);
    for (size_t i = 0; i < 2; i++)
        pingpongs(lens[i]);
    MPI_Comm_free(&quiet);
    return perf_end();
}
