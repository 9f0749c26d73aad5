/* main.c — random collective operations, whose results are compared with the expected ones.
 *
 * usage: property CASES SEED [OPERATION [FIRST]]
 *
 * Several cases are in flight at the same time. Each process starts persistent ones in another
 * order, among receives from any source. A failure prints how to run it again: from case FIRST
 * on.
 *
 * MPICH 4.0 fails: it confuses the neighbors of periodic dimensions of 1 or 2 processes and
 * several edges between the same two processes, and takes inactive persistent collectives for
 * complete ones in MPI_Waitany; and in other cases. */
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "property.h"

enum { AT_ONCE = 6, PATIENCE = 40 };

static struct task tasks[AT_ONCE];
static int under_way, first_case;
static const char *seed_text;
static const char *operation_text = "any";

static void tell(const struct instance *c, const char *what)
{
    char text[400];
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    describe(c, text, sizeof text);
    fprintf(stderr, "rank %d: %s: %s (arguments: 10 %s %s %d)\n", rank, text, what, seed_text,
            operation_text, first_case);
}

void fail(const struct instance *c, const char *what)
{
    tell(c, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static void hang(int signal)
{
    (void) signal;
    for (int i = 0; i < under_way; i++)
        tell(&tasks[i].c, "hangs, with what else is told");
    _exit(1);
}

/* ---- messages in between ---- */

struct message {
    MPI_Request requests[2];
    int out[700], in[700], n, from;
};

static int letter(int batch, int rank, int i) { return batch * 7919 + rank * 31 + i; }

static void message_start(struct message *m, int batch, struct dice *d)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    m->n = roll(d, 700);
    m->from = (rank + size - 1) % size;
    for (int i = 0; i < m->n; i++)
        m->out[i] = letter(batch, rank, i);
    MPI_Irecv(m->in, 700, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &m->requests[0]);
    MPI_Isend(m->out, m->n, MPI_INT, (rank + 1) % size, batch % 1000, MPI_COMM_WORLD,
              &m->requests[1]);
}

static void message_end(struct message *m, int batch)
{
    MPI_Status status;
    int n;

    MPI_Wait(&m->requests[0], &status);
    MPI_Wait(&m->requests[1], MPI_STATUS_IGNORE);
    MPI_Get_count(&status, MPI_INT, &n);
    CHECK_INT(status.MPI_SOURCE, m->from);
    CHECK_INT(status.MPI_TAG, batch % 1000);
    CHECK_INT(n, m->n);
    for (int i = 0; i < n; i++)
        CHECK_INT(m->in[i], letter(batch, m->from, i));
}

/* ---- some cases at once ---- */

/* Waits for all requests, in one of several ways. */
static void complete(MPI_Request *requests, int n, struct dice *mine)
{
    int flag, index;

    switch (roll(mine, 4)) {
    case 0:
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        break;
    case 1:
        for (int i = n; i > 0; i--)
            MPI_Wait(&requests[i - 1], MPI_STATUS_IGNORE);
        break;
    case 2:
        for (int i = 0; i < n; i += flag)
            MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        break;
    case 3:
        for (int i = 0; i < n; i++)
            MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
        break;
    }
}

/* C14: starts the operations of this round, in an order of this process's own. */
static void start(int round, struct dice *mine)
{
    int order[AT_ONCE];

    shuffle(mine, order, under_way);
    for (int k = 0; k < under_way; k++) {
        struct task *t = &tasks[order[k]];
        if (t->c.form == PERSISTENT && round < t->c.rounds)
            MPI_Start(&t->request);
    }
}

static bool in_round(const struct task *t, int round)
{
    return t->c.rounds > round && (round > 0 || t->c.form != BLOCKING);
}

static void run_round(int round, struct dice *mine)
{
    MPI_Request requests[AT_ONCE];
    int n = 0;

    for (int i = 0; i < under_way && round > 0; i++)
        if (in_round(&tasks[i], round))
            expect_fill(&tasks[i], round);
    start(round, mine);
    for (int i = 0; i < under_way; i++)
        if (in_round(&tasks[i], round))
            requests[n++] = tasks[i].request;
    complete(requests, n, mine);
    for (int i = 0; i < under_way; i++)
        if (tasks[i].c.rounds > round)
            expect_check(&tasks[i]);
}

static void run(int batch, int operation, struct dice *all, struct dice *mine)
{
    static struct message message;
    const struct timespec pause = { .tv_nsec = 200000 };

    if (roll(mine, 16) == 0)
        nanosleep(&pause, NULL);
    message_start(&message, batch, all);
    for (int i = 0, n = under_way; i < n; i++) {
        struct task *t = &tasks[i];
        *t = (struct task) { .c = draw(hash(all->state, 3), batch + i, operation) };
        under_way = i + 1;
        if (t->c.place->comm == MPI_COMM_NULL) {
            t->c.rounds = 0;
            continue;
        }
        parts_make(t);
        expect_fill(t, 0);
        call(t);
    }
    for (int round = 0; round < 3; round++)
        run_round(round, mine);
    for (int i = 0; i < under_way; i++) {
        if (tasks[i].c.rounds == 0)
            continue;
        if (tasks[i].c.form == PERSISTENT)
            MPI_Request_free(&tasks[i].request);
        parts_free(&tasks[i]);
    }
    message_end(&message, batch);
}

static int operation_number(const char *name)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (strcmp(name, operation_names[i]) == 0)
            return i;
    CHECK(strcmp(name, "any") == 0);
    return -1;
}

int main(int argc, char **argv)
{
    int rank, operation = -1;

    MPI_Init(&argc, &argv);
    CHECK(argc >= 3);
    signal(SIGALRM, hang);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int cases = (int) strtol(argv[1], NULL, 10);
    seed_text = argv[2];
    u64 seed = strtoull(seed_text, NULL, 10);
    if (argc > 3)
        operation = operation_number(operation_text = argv[3]);
    int from = argc > 4 ? (int) strtol(argv[4], NULL, 10) : 0;
    items_make();
    reductions_make();
    places_make(seed);
    for (int i = from; i < from + cases; i += under_way) {
        struct dice all = { hash(seed, (u64) i) }, mine = { hash(all.state, (u64) rank + 1) };
        alarm(PATIENCE);
        first_case = i;
        under_way = roll(&all, 2) ? 1 : 1 + roll(&all, AT_ONCE);
        run(i, operation, &all, &mine);
    }
    places_free();
    reductions_free();
    items_free();
    MPI_Finalize();
    return 0;
}
