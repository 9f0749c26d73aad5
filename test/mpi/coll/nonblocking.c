/* nonblocking.c — C13, C07, T09: many nonblocking operations outstanding, completed in any
 * order.
 *
 * MPICH 4.0 fails: it confuses the neighbors in rings of one or two processes. */
#include <sched.h>
#include "every.h"

enum { DEPTH = 3, ALL = DEPTH * EVERY };

struct started {
    struct every e[ALL];
    MPI_Request r[ALL];
};

static void start(struct started *s, struct me m, MPI_Comm ring, int n)
{
    for (int i = 0; i < ALL; i++) {
        s->e[i] = every_make(m, ring, n + i / EVERY);
        every_fill(&s->e[i], i % EVERY, i);
        CHECK(every_call(&s->e[i], i % EVERY, NONBLOCKING, &s->r[i]) == MPI_SUCCESS);
        CHECK(s->r[i] != MPI_REQUEST_NULL);
    }
}

static void check(struct started *s)
{
    for (int i = 0; i < ALL; i++) {
        CHECK(s->r[i] == MPI_REQUEST_NULL);
        every_check(&s->e[i], i % EVERY, i);
        every_free(&s->e[i]);
    }
}

static void complete_some(MPI_Request *r)
{
    int n, done = 0, indices[ALL];

    while (done < ALL) {
        CHECK(MPI_Waitsome(ALL, r, &n, indices, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        CHECK(n > 0);
        done += n;
    }
}

static void complete_by_tests(MPI_Request *r)
{
    int flag = 0, index;

    for (int i = 0; i < 5; i++) /* a look at the status changes nothing */
        CHECK(MPI_Request_get_status(r[i], &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    for (int done = 0; done < ALL / 2; done += flag) {
        CHECK(MPI_Testany(ALL, r, &index, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        if (!flag)
            sched_yield();
    }
    for (flag = 0; !flag; sched_yield())
        CHECK(MPI_Testall(ALL, r, &flag, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
}

/* Completes a request in a way that depends on the process. */
static void complete(MPI_Request *r, int how)
{
    int index;

    switch (how % 5) {
    case 0:
        CHECK(MPI_Waitall(ALL, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        break;
    case 1:
        for (int i = ALL - 1; i >= 0; i--)
            CHECK(MPI_Wait(&r[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        break;
    case 2:
        for (int i = 0; i < ALL; i++) {
            CHECK(MPI_Waitany(ALL, r, &index, MPI_STATUS_IGNORE) == MPI_SUCCESS);
            CHECK(index >= 0 && index < ALL);
        }
        break;
    case 3:
        complete_some(r);
        break;
    case 4:
        complete_by_tests(r);
        break;
    }
}

static void test_many(struct me m, MPI_Comm ring, int n)
{
    static struct started s;

    for (int round = 0; round < 5; round++) {
        int token = m.rank == 0 ? round : -1;
        start(&s, m, ring, n);
        MPI_Bcast(&token, 1, MPI_INT, 0, m.comm); /* a blocking operation in between */
        CHECK_INT(token, round);
        complete(s.r, m.rank + round);
        check(&s);
    }
}

static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *len; i++)
        ((int *) inout)[i] += ((int *) in)[i];
}

/* Asks for the extent of the type, as a function for many types has to. */
static void add_any(void *in, void *inout, int *len, MPI_Datatype *type)
{
    MPI_Datatype same;
    MPI_Aint lb, extent = 0;
    int size = 0;

    CHECK(MPI_Type_size(*type, &size) == MPI_SUCCESS && size == sizeof(int));
    CHECK(MPI_Type_get_extent(*type, &lb, &extent) == MPI_SUCCESS && extent == 2 * sizeof(int));
    CHECK(MPI_Type_dup(*type, &same) == MPI_SUCCESS && MPI_Type_free(&same) == MPI_SUCCESS);
    for (int i = 0; i < *len; i++)
        *(int *) ((char *) inout + i * extent) += *(int *) ((char *) in + i * extent);
}

/* C13, D06: the program has freed the type, but its function can still use the handle. */
static void test_freed_type_of_function(struct me m)
{
    int n = 700, *v = ints(2 * n), *sum = ints(2 * n);
    MPI_Datatype wide;
    MPI_Request r[2];
    MPI_Op op;

    for (int i = 0; i < n; i++)
        v[2 * i] = value(m.rank, i, 1);
    MPI_Op_create(add_any, 1, &op);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &wide);
    MPI_Type_commit(&wide);
    MPI_Iallreduce(v, sum, n, wide, op, m.comm, &r[0]);
    MPI_Allreduce_init(MPI_IN_PLACE, v, n, wide, op, m.comm, MPI_INFO_NULL, &r[1]);
    MPI_Type_free(&wide);
    MPI_Op_free(&op);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Start(&r[1]);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&r[1]);
    for (int i = 0; i < n; i++) {
        CHECK_INT(sum[2 * i], every_sum(0, m.size, i, 1));
        CHECK_INT(v[2 * i], sum[2 * i]);
    }
    free(v);
    free(sum);
}

/* Type, operation and communicator may be freed while an operation uses them. */
static void test_freed_handles(struct me m)
{
    MPI_Datatype pairs;
    MPI_Comm comm;
    MPI_Op op;
    MPI_Request r[2];
    int n = 3000, *v = values(m.rank, n, 1), *sum = ints(n), *w = values(0, n, 2);

    MPI_Comm_dup(m.comm, &comm);
    MPI_Op_create(add, 1, &op);
    MPI_Type_contiguous(2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    if (m.rank > 0)
        memset(w, 0, (size_t) n * sizeof *w);
    MPI_Iallreduce(v, sum, n, MPI_INT, op, comm, &r[0]);
    MPI_Ibcast(w, n / 2, pairs, 0, comm, &r[1]);
    MPI_Op_free(&op);
    MPI_Type_free(&pairs);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++)
        CHECK_INT(sum[i], every_sum(0, m.size, i, 1));
    check_values(w, 0, n, 2);
    free(v);
    free(sum);
    free(w);
}

/* One Waitall for messages, persistent requests and collective operations. */
static void test_mixed_requests(struct me m)
{
    int to = (m.rank + 1) % m.size, from = (m.rank + m.size - 1) % m.size;
    int in[3] = { -1, -1, -1 }, sum = -1;
    MPI_Request r[5];

    MPI_Recv_init(&in[0], 1, MPI_INT, from, 1, m.comm, &r[0]);
    MPI_Start(&r[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, m.comm, &r[1]);
    MPI_Iallreduce(&m.rank, &sum, 1, MPI_INT, MPI_SUM, m.comm, &r[2]);
    MPI_Isend(&m.rank, 1, MPI_INT, to, 1, m.comm, &r[3]);
    MPI_Issend(&to, 1, MPI_INT, to, 2, m.comm, &r[4]);
    CHECK(MPI_Waitall(5, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK_INT(in[0], from);
    CHECK_INT(in[1], m.rank);
    CHECK_INT(sum, m.size * (m.size - 1) / 2);
    MPI_Request_free(&r[0]);
    MPI_Barrier(m.comm); /* before others send messages that are not for these receives */
}

/* All processes learn that all messages have arrived, without knowing how many there are: each
 * enters MPI_Ibarrier when its own messages are received. */
static void test_consensus(struct me m)
{
    int sends = m.rank % 3, got = 0, all, sum, flag, done = 0, in, entered = 0;
    MPI_Request r[3], barrier = MPI_REQUEST_NULL;

    for (int i = 0; i < sends; i++)
        MPI_Issend(&m.rank, 1, MPI_INT, (m.rank * 7 + i) % m.size, 3, m.comm, &r[i]);
    while (!done) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 3, m.comm, &flag, &status);
        if (flag) {
            MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 3, m.comm, MPI_STATUS_IGNORE);
            got++;
        } else {
            sched_yield();
        }
        if (entered) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(sends, r, &entered, MPI_STATUSES_IGNORE);
            if (entered)
                MPI_Ibarrier(m.comm, &barrier);
        }
    }
    MPI_Allreduce(&got, &all, 1, MPI_INT, MPI_SUM, m.comm);
    MPI_Allreduce(&sends, &sum, 1, MPI_INT, MPI_SUM, m.comm);
    CHECK_INT(all, sum);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);
    MPI_Comm ring = every_ring(m);

    test_many(m, ring, 1);
    test_many(m, ring, 1500);
    test_freed_handles(m);
    test_freed_type_of_function(m);
    test_mixed_requests(m);
    test_consensus(m);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test(MPI_COMM_WORLD);
    test(MPI_COMM_SELF);
    comms_split(test, 0, -whoami(MPI_COMM_WORLD).rank);
    MPI_Finalize();
    return 0;
}
