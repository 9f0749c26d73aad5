/* exchange.c — quiesces at random moments of a running exchange lose, double and reorder
 * nothing.
 *
 * Only for Starling: it links the layers, because MPI has no call for this. Every process sends
 * every other one, and itself, messages of all sizes and modes, and receives half of them from
 * MPI_ANY_SOURCE. At moments of its own each quiesces, goes on sending while sends are held
 * back, and continues or opens the devices anew, as all others do after the same quiesce.
 *
 * Usage: exchange [SEED [QUIESCES]] */
#include "adi3/adi3.h"
#include "adi3/adi3_checkpoint.h"
#include "mpitest.h"

enum { EACH = 60, MOST_OPEN = 24, ANY = 0, NAMED = 1, CLASSES = 2 };

struct message { /* begins with this, goes on with a pattern */
    int from, class, number, len;
};

struct receive {
    MPI_Request request;
    int class, source;
    int number; /* of those with this class and source */
    int posted; /* counted from 1, in its class */
    struct message *at;
};

static int rank, size, sent[CLASSES], receives[CLASSES], open_sends, open_recvs;
static int quiesces, wanted;
static uint64_t state, common;

static MPI_Request sends[MOST_OPEN];
static struct message *out[MOST_OPEN];
static struct receive in[MOST_OPEN];

static unsigned number(uint64_t *s, unsigned below)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned) (*s >> 33) % below;
}

static unsigned chance(unsigned below) { return number(&state, below); }

static int length(const struct message *m) /* follows from the message: any receiver knows it */
{
    static const int most[] = { 1, 100, 3000, 20000, 200000 };
    uint64_t s = (uint64_t) (m->from * 1000003 + m->class * 7919 + m->number);

    (void) number(&s, 2);
    return (int) number(&s, (unsigned) most[number(&s, 5)]) + (int) sizeof *m;
}

static void pattern(struct message *m, bool check)
{
    unsigned char *p = (unsigned char *) (m + 1);

    for (int i = 0; i < m->len - (int) sizeof *m; i++) {
        unsigned char want =
            (unsigned char) (i * 31 + i / 256 + m->number + m->from * 5 + m->class);
        if (check)
            CHECK(p[i] == want);
        else
            p[i] = want;
    }
}

/* ---- the exchange ---------------------------------------------------------------------------- */

/* Message n of a class goes to process n modulo their number. */
static void send_one(void)
{
    int class = (int) chance(CLASSES), i = 0;

    if (sent[class] == EACH * size || open_sends == MOST_OPEN)
        return;
    while (out[i])
        i++;
    struct message m = { rank, class, sent[class] / size, 0 };
    m.len = length(&m);
    out[i] = mpitest_memory((size_t) m.len);
    *out[i] = m;
    pattern(out[i], false);
    int to = sent[class]++ % size;
    if (chance(4))
        MPI_Isend(out[i], m.len, MPI_BYTE, to, class, MPI_COMM_WORLD, &sends[i]);
    else
        MPI_Issend(out[i], m.len, MPI_BYTE, to, class, MPI_COMM_WORLD, &sends[i]);
    open_sends++;
}

static void receive_one(void)
{
    int class = (int) chance(CLASSES), i = 0;

    if (receives[class] == EACH * size || open_recvs == MOST_OPEN)
        return;
    while (in[i].at)
        i++;
    struct receive *r = &in[i];
    r->class = class;
    r->source = class == ANY ? MPI_ANY_SOURCE : receives[class] % size;
    r->number = receives[class]++ / size;
    r->posted = receives[class];
    r->at = mpitest_memory(200100);
    MPI_Irecv(r->at, 200100, MPI_BYTE, r->source, class, MPI_COMM_WORLD, &r->request);
    open_recvs++;
}

/* The receive, counted from 1 in the order of posting, that got each message of the class ANY. */
static int taken_by[64][EACH];

static void received(struct receive *r, const MPI_Status *status)
{
    struct message *m = r->at;
    int len;

    MPI_Get_count(status, MPI_BYTE, &len);
    CHECK_INT(m->from, status->MPI_SOURCE);
    CHECK_INT(m->class, r->class);
    CHECK_INT(len, length(m));
    CHECK_INT(len, m->len);
    pattern(m, true);
    if (r->class == NAMED) {
        CHECK_INT(m->number, r->number);
    } else {
        CHECK(!taken_by[m->from][m->number]);
        taken_by[m->from][m->number] = r->posted;
    }
    free(m);
    r->at = NULL;
    open_recvs--;
}

static void test_all(void)
{
    MPI_Status status;
    int done;

    for (int i = 0; i < MOST_OPEN; i++) {
        if (out[i]) {
            MPI_Test(&sends[i], &done, MPI_STATUS_IGNORE);
            if (done) {
                free(out[i]);
                out[i] = NULL;
                open_sends--;
            }
        }
        if (in[i].at) {
            MPI_Test(&in[i].request, &done, &status);
            if (done)
                received(&in[i], &status);
        }
    }
}

/* ---- quiesces -------------------------------------------------------------------------------- */

/* Called before the same quiesces in all processes, so all make these calls in the same order. */
static void collectives(void)
{
    int sum = 0, one = rank + quiesces, root = quiesces % size;

    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, size * (size - 1) / 2 + size * quiesces);
    MPI_Bcast(&sum, 1, MPI_INT, root, MPI_COMM_WORLD);
    CHECK_INT(sum, size * (size - 1) / 2 + size * quiesces);
}

static void well(int err)
{
    if (err)
        mpitest_fail(__FILE__, __LINE__, adi3_error_text(err));
}

static void quiesce(void)
{
    unsigned way = number(&common, 12);

    if (way % 4 == 0)
        collectives();
    well(adi3_quiesce());
    for (unsigned n = chance(6); n; n--) {
        send_one();
        receive_one();
        if (n % 2)
            test_all();
    }
    if (way % 2)
        adi3_continue();
    else
        well(adi3_reopen());
    quiesces++;
    if (way % 3 == 0)
        collectives();
}

static bool over(void)
{
    bool all = quiesces == wanted && !open_sends && !open_recvs;

    for (int class = 0; class < CLASSES; class ++)
        all &= sent[class] == EACH * size && receives[class] == EACH * size;
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    common = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    wanted = argc > 2 ? (int) strtol(argv[2], NULL, 10) : 100;
    state = common * 1000 + (uint64_t) rank;
    for (unsigned every = (unsigned) (EACH * size * 4 / wanted) + 2; !over();) {
        switch (chance(3)) {
        case 0:
            send_one();
            break;
        case 1:
            receive_one();
            break;
        default:
            test_all();
        }
        if (quiesces < wanted && chance(every) == 0)
            quiesce();
    }
    for (int i = 0; i < size; i++)
        for (int n = 0; n < EACH; n++)
            CHECK(taken_by[i][n] > (n ? taken_by[i][n - 1] : 0)); /* not overtaken */
    MPI_Finalize();
    return 0;
}
