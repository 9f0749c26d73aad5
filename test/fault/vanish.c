/* vanish.c — a process dies and no launcher cleans up. Each process that needs it soon gets an
 * error that names it, and all other processes go on.
 *
 * Of three processes, process 1 ends at a random moment. The others print "ok" when the test
 * passes. Usage: vanish WAY [DELAY_US] */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
#include "mpitest.h"

enum { LARGE = 48 << 20, SMALL = 8000, LIMIT_S = 10 };

static int rank;
static long delay_us;
static char *buf;

/* ---- process 1 ------------------------------------------------------------------------------- */

/* Ends without closing its connections. Not by a signal: some launchers end with that. */
static void die(int signal)
{
    (void) signal;
    _exit(3);
}

static void die_later(void)
{
    const struct itimerval t = { .it_value = { delay_us / 1000000, delay_us % 1000000 + 1 } };

    (void) signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &t, NULL);
}

static void sleep_us(long us)
{
    double end = MPI_Wtime() + (double) us * 1e-6;

    while (MPI_Wtime() < end)
        usleep(100);
}

/* ---- the others ------------------------------------------------------------------------------ */

static void must_name_it(int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int n;

    MPI_Error_string(err, text, &n);
    if (!strstr(text, "process 1 of MPI_COMM_WORLD") || strncmp(text, "MPI_ERR_OTHER: ", 15))
        mpitest_fail(__FILE__, __LINE__, text);
}

static int receive(int n, int source)
{
    return MPI_Recv(buf, n, MPI_BYTE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Until it fails; the peer is silent for at least half a second before that. */
static void receive_until(int n)
{
    int err;

    do
        err = receive(n, 1);
    while (!err);
    must_name_it(err);
}

static void send_until(int n)
{
    int err;

    do
        err = MPI_Send(buf, n, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    while (!err);
    must_name_it(err);
}

static void test_until(void) /* The program calls MPI_Test only. */
{
    MPI_Request r;
    int flag = 0, err = MPI_Irecv(buf, SMALL, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r);

    while (!err && !flag)
        err = MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    must_name_it(err);
}

static void iprobe_until(void)
{
    int flag = 0, err = 0;

    while (!err && !flag)
        err = MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    must_name_it(err);
}

/* Process 2 sends all the time, so that no wait is long. */
static void receive_with_chatter(void)
{
    MPI_Request r[2];
    int err = MPI_Irecv(buf, SMALL, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r[0]), index = 1, x;

    MPI_Irecv(&x, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &r[1]);
    while (!err && index == 1) {
        err = MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
        if (index == 1)
            MPI_Irecv(&x, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &r[1]);
    }
    must_name_it(err);
    x = 0;
    MPI_Send(&x, 1, MPI_INT, 2, 8, MPI_COMM_WORLD);
    do
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    while (x != -1 && !MPI_Irecv(&x, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &r[1]));
}

static void chatter(void)
{
    int x = 5, stop = 0;
    MPI_Request r;

    MPI_Irecv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &r);
    for (int y = 1; !stop;) {
        MPI_Test(&r, &stop, MPI_STATUS_IGNORE);
        y = stop ? -1 : y;
        MPI_Send(&y, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        usleep(20000);
    }
}

/* All three call collective operations; two of them fail, and each names process 1 in its error. */
static int together(int large)
{
    static double in[LARGE / 1024], out[3 * LARGE / 1024];
    int err = MPI_Barrier(MPI_COMM_WORLD), n = large ? LARGE / 1024 : 5;

    if (!err)
        err = MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int root = 0; root < 3 && !err; root++)
        err = MPI_Bcast(in, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
    for (int root = 0; root < 3 && !err; root++)
        err = MPI_Gather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
    return err;
}

static pid_t other; /* process id: of process 2 in process 0, and of process 0 in process 2 */
static volatile sig_atomic_t other_has_failed;

static void note_failure(int signal)
{
    (void) signal;
    other_has_failed = 1;
}

static void exchange_pids(void)
{
    pid_t me = getpid();

    (void) signal(SIGUSR2, note_failure);
    MPI_Sendrecv(&me, sizeof me, MPI_BYTE, 2 - rank, 6, &other, sizeof other, MPI_BYTE, 2 - rank, 6,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A process whose operation has failed takes part in no further one, so that the other process
 * fails as well. It still calls MPI now and then: a large message that it will never receive is
 * given up only when it says so to the sender. */
static void fail_alone(void)
{
    int flag;

    CHECK(!kill(other, SIGUSR2));
    for (int i = 0; i < LIMIT_S * 1000 && !other_has_failed; i++) {
        usleep(1000);
        MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    }
    CHECK(other_has_failed);
}

static void together_until(int large)
{
    int err;

    do
        err = together(large);
    while (!err);
    must_name_it(err);
    fail_alone();
    must_name_it(MPI_Barrier(MPI_COMM_WORLD));
}

/* Small operations that are started again and again. */
static MPI_Request persistent[4];

static void init_persistent(void)
{
    static double in[4], out[4];

    MPI_Allreduce_init(in, out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &persistent[0]);
    MPI_Bcast_init(in, 4, MPI_DOUBLE, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &persistent[2]);
    MPI_Reduce_init(in, out, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                    &persistent[3]);
}

static int start(int i)
{
    int err = MPI_Start(&persistent[i % 4]);

    return err ? err : MPI_Wait(&persistent[i % 4], MPI_STATUS_IGNORE);
}

static void start_until(void)
{
    int i = 0, err;

    while (!(err = start(i)))
        i++;
    must_name_it(err);
    must_name_it(start(i));
    for (int k = 0; k < 4; k++)
        MPI_Request_free(&persistent[k]);
}

/* ---- ways ------------------------------------------------------------------------------------ */

static void process_1(const char *way)
{
    if (strcmp(way, "words") == 0) { /* its last message is complete: it arrives */
        sleep_us(450000 + delay_us % 40000);
        MPI_Send(buf, SMALL, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        die(0);
    }
    die_later();
    if (strcmp(way, "eager") == 0)
        for (;;)
            MPI_Send(buf, SMALL, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    if (strcmp(way, "large") == 0)
        for (;;)
            MPI_Send(buf, LARGE, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    if (strcmp(way, "taker") == 0)
        for (;;)
            receive(LARGE, 0);
    if (strncmp(way, "together", 8) == 0)
        for (;;)
            together(way[8] == '+');
    if (strcmp(way, "started") == 0)
        for (int i = 0;; i++)
            start(i);
    for (;;)
        pause();
}

static void process_0(const char *way)
{
    if (strcmp(way, "eager") == 0)
        receive_until(SMALL);
    else if (strcmp(way, "large") == 0)
        receive_until(LARGE);
    else if (strcmp(way, "taker") == 0 || strcmp(way, "deaf") == 0)
        send_until(LARGE);
    else if (strcmp(way, "flood") == 0)
        send_until(SMALL);
    else if (strcmp(way, "any") == 0)
        must_name_it(receive(SMALL, MPI_ANY_SOURCE));
    else if (strcmp(way, "probe") == 0)
        must_name_it(MPI_Probe(1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    else if (strcmp(way, "test") == 0)
        test_until();
    else if (strcmp(way, "iprobe") == 0)
        iprobe_until();
    else if (strcmp(way, "chatter") == 0)
        receive_with_chatter();
    else if (strcmp(way, "words") == 0)
        CHECK(receive(SMALL, 1) == MPI_SUCCESS);
    else /* recv */
        must_name_it(receive(SMALL, 1));
}

int main(int argc, char **argv)
{
    char small[100] = "";

    (void) signal(SIGUSR1, SIG_IGN); /* Hydra's signal for the death of a process */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const char *way = argc > 1 ? argv[1] : "recv";
    delay_us = argc > 2 ? atol(argv[2]) : 20000;
    buf = mpitest_memory(LARGE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "started") == 0)
        init_persistent();
    if (rank != 1)
        exchange_pids();
    if (rank == 1)
        process_1(way);
    if (strncmp(way, "together", 8) == 0)
        together_until(way[8] == '+');
    else if (strcmp(way, "started") == 0)
        start_until();
    else if (rank == 0)
        process_0(way);
    else if (strcmp(way, "chatter") == 0)
        chatter();
    for (int i = 0; i < 100; i++) { /* processes 0 and 2 still communicate */
        if (rank == 0)
            CHECK(!MPI_Send(small, i, MPI_BYTE, 2, 5, MPI_COMM_WORLD));
        CHECK(!MPI_Recv(small, 100, MPI_BYTE, 2 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == 2)
            CHECK(!MPI_Send(small, i, MPI_BYTE, 0, 5, MPI_COMM_WORLD));
    }
    MPI_Finalize();
    printf("ok\n");
    return 0;
}
