/* neighbor_mixed.c — T09: many neighborhood operations under way at once, completed in another
 * order, with collective operations and messages between them; persistent ones started in any
 * order, again and again. */
#include "hood.h"
#include "../env/starling.h"

enum { FLIGHT = HOOD_OPS * 4, TAG = 5 };

static int rank, size;

/* A ring with multiple edges each way: all messages go between few processes. MPICH 4.0 mixes up
 * multiple edges. */
static struct hood ring(int times)
{
    static struct edges e;

    e.n = 0;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < times; k++) {
            edges_add(&e, i, (i + 1) % size, 0);
            if (size > 2 || times > 1)
                edges_add(&e, i, (i + size - 1) % size, 0);
        }
    return hood_of_edges(MPI_COMM_WORLD, &e);
}

static void in_flight(const struct hood *h, int count)
{
    struct exchange *e[FLIGHT];
    int sum = -1, one = 1, got = -1, token = rank, to = (rank + 1) % size, sums[FLIGHT];
    MPI_Request any, dense[FLIGHT];

    if (size == 1 && !starling()) /* MPICH 4.0 alone waits for ever while this is pending */
        return;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, h->comm, &any);
    for (int i = 0; i < FLIGHT; i++) {
        e[i] = exchange_new(h, i % HOOD_OPS, i % 3 == 2 ? PERSISTENT : NONBLOCKING, count + i);
        exchange_begin(e[i]);
        MPI_Iallreduce(&one, &sums[i], 1, MPI_INT, MPI_SUM, h->comm, &dense[i]);
        if (i % 4 == 1)
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, h->comm);
    }
    CHECK_INT(sum, size);
    MPI_Send(&token, 1, MPI_INT, to, TAG, h->comm);
    for (int i = 0; i < FLIGHT; i++) {
        int k = (i * 7 + rank) % FLIGHT;

        MPI_Wait(&dense[k], MPI_STATUS_IGNORE);
        CHECK_INT(sums[k], size);
        exchange_end(e[k]);
    }
    MPI_Wait(&any, MPI_STATUS_IGNORE);
    CHECK_INT(got, (rank + size - 1) % size);
    for (int i = 0; i < FLIGHT; i++)
        exchange_free(e[i]);
}

/* §5.13: the order of starts is free, and may differ between processes. */
static void restarted(const struct hood *h)
{
    struct exchange *e[HOOD_OPS];

    for (int i = 0; i < HOOD_OPS; i++) {
        e[i] = exchange_new(h, i, PERSISTENT, 10 + i);
        CHECK_INT(exchange_init(e[i]), MPI_SUCCESS);
    }
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < HOOD_OPS; i++) {
            struct exchange *x = e[(i + rank) % HOOD_OPS];

            x->round = round;
            exchange_fill(x);
            MPI_Start(&x->request);
        }
        MPI_Barrier(h->comm);
        for (int i = 0; i < HOOD_OPS; i++)
            exchange_end(e[(i * 3 + round) % HOOD_OPS]);
    }
    for (int i = 0; i < HOOD_OPS; i++)
        exchange_free(e[i]);
}

/* Two communicators with the same processes do not disturb each other. */
static void two(const struct hood *h)
{
    struct hood copy = *h;
    struct exchange *a, *b;

    MPI_Comm_dup(h->comm, &copy.comm);
    a = exchange_new(h, ALLTOALL, NONBLOCKING, 3);
    b = exchange_new(&copy, ALLTOALL, NONBLOCKING, 3);
    b->round = 5;
    exchange_fill(b);
    exchange_begin(rank % 2 ? a : b);
    exchange_begin(rank % 2 ? b : a);
    exchange_end(a);
    exchange_end(b);
    exchange_free(b);
    exchange_free(a);
    MPI_Comm_free(&copy.comm);
}

/* Types and communicator may be freed while they are in use. */
static void freed(void)
{
    struct hood h = ring(1);
    int v[4], w[4];
    MPI_Datatype pair;
    MPI_Request r;

    for (int i = 0; i < 4; i++)
        v[i] = 10 * rank + i;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Ineighbor_alltoall(v, 1, pair, w, 2, MPI_INT, h.comm, &r);
    MPI_Type_free(&pair);
    MPI_Comm_free(&h.comm);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int k = 0; k < h.in; k++)
        CHECK_INT(w[2 * k + 1], 10 * h.from[k] + 2 * h.slot[k] + 1);
}

int main(int argc, char **argv)
{
    struct hood h;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int times = 1; times <= (starling() ? 2 : 1); times++) {
        h = ring(times);
        in_flight(&h, 1);
        in_flight(&h, 20000);
        restarted(&h);
        two(&h);
        MPI_Comm_free(&h.comm);
    }
    freed();
    MPI_Finalize();
    return 0;
}
