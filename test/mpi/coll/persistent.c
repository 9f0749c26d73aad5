/* persistent.c — C14, T09: every collective operation initialized once and started many times.
 *
 * MPICH 4.0 fails: it wants all processes to start them in one order, and it confuses the
 * neighbors in rings of one or two processes. */
#include "every.h"

enum { ROUNDS = 5 };

struct started {
    struct every e[EVERY];
    MPI_Request r[EVERY];
};

static void init(struct started *s, struct me m, MPI_Comm ring, int n, MPI_Info info)
{
    for (int op = 0; op < EVERY; op++) {
        s->e[op] = every_make(m, ring, n);
        s->e[op].info = info;
        CHECK(every_call(&s->e[op], op, PERSISTENT, &s->r[op]) == MPI_SUCCESS);
    }
}

static void end(struct started *s)
{
    for (int op = 0; op < EVERY; op++) {
        CHECK(MPI_Request_free(&s->r[op]) == MPI_SUCCESS);
        CHECK(s->r[op] == MPI_REQUEST_NULL);
        every_free(&s->e[op]);
    }
}

/* Every process starts the operations in an order of its own, which changes from round to round,
 * with new data in the buffers. */
static void test_any_order(struct started *s, struct me m)
{
    static const int steps[] = { 1, 3, 5, 7, 9, 13, 15, 17, 19, 21 }; /* no common factor with
                                                                       * EVERY */

    for (int round = 0; round < ROUNDS; round++) {
        int step = steps[(m.rank + round) % 10];
        for (int op = 0; op < EVERY; op++)
            every_fill(&s->e[op], op, round);
        for (int k = 0; k < EVERY; k++)
            CHECK(MPI_Start(&s->r[(k * step + m.rank) % EVERY]) == MPI_SUCCESS);
        CHECK(MPI_Waitall(EVERY, s->r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        for (int op = 0; op < EVERY; op++)
            every_check(&s->e[op], op, round);
    }
}

/* All started at the same time and completed one by one from the end, with other operations in
 * between. */
static void test_startall(struct started *s, struct me m)
{
    int sum;

    for (int op = 0; op < EVERY; op++)
        every_fill(&s->e[op], op, 9);
    CHECK(MPI_Startall(EVERY, s->r) == MPI_SUCCESS);
    MPI_Allreduce(&m.rank, &sum, 1, MPI_INT, MPI_SUM, m.comm);
    CHECK_INT(sum, m.size * (m.size - 1) / 2);
    for (int op = EVERY - 1; op >= 0; op--) {
        MPI_Status status;
        CHECK(MPI_Wait(&s->r[op], &status) == MPI_SUCCESS);
        every_check(&s->e[op], op, 9);
    }
}

/* The same operation in three forms at the same time: they are not mixed up. */
static void test_forms(struct started *s, struct me m, MPI_Comm ring)
{
    for (int op = 0; op < EVERY; op++) {
        struct every now = every_make(m, ring, 2), later = every_make(m, ring, 3);
        MPI_Request r;
        every_fill(&now, op, 21);
        every_fill(&later, op, 22);
        every_fill(&s->e[op], op, 23);
        if (m.rank % 2) /* the order of the persistent operation was fixed by its init */
            MPI_Start(&s->r[op]);
        every_call(&later, op, NONBLOCKING, &r);
        every_call(&now, op, BLOCKING, NULL);
        every_check(&now, op, 21);
        if (m.rank % 2 == 0)
            MPI_Start(&s->r[op]);
        MPI_Wait(&s->r[op], MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        every_check(&later, op, 22);
        every_check(&s->e[op], op, 23);
        every_free(&now);
        every_free(&later);
    }
}

/* Inactive requests are complete, with an empty status. */
static void test_inactive(struct started *s)
{
    MPI_Status status;
    int flag = 0, n, index;

    for (int op = 0; op < EVERY; op++) {
        CHECK(MPI_Wait(&s->r[op], &status) == MPI_SUCCESS);
        CHECK_INT(status.MPI_SOURCE, MPI_ANY_SOURCE);
        CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
        MPI_Get_count(&status, MPI_INT, &n);
        CHECK_INT(n, 0);
        MPI_Test_cancelled(&status, &flag);
        CHECK(!flag);
    }
    CHECK(MPI_Testall(EVERY, s->r, &flag, MPI_STATUSES_IGNORE) == MPI_SUCCESS && flag);
    CHECK(MPI_Waitany(EVERY, s->r, &index, &status) == MPI_SUCCESS);
    CHECK_INT(index, MPI_UNDEFINED);
}

/* The request keeps datatype and operation. */
static void test_freed_handles(struct me m)
{
    int *v = ints(20), *sum = ints(20);
    MPI_Datatype type = every_other(5);
    MPI_Request r;

    for (int i = 0; i < 20; i++)
        v[i] = value(0, i, 4);
    CHECK(MPI_Bcast_init(m.rank ? sum : v, 2, type, 0, m.comm, MPI_INFO_NULL, &r) == MPI_SUCCESS);
    MPI_Type_free(&type);
    for (int round = 0; round < 3; round++) {
        v[0] = round;
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (m.rank > 0) {
            CHECK_INT(sum[0], round);
            CHECK_INT(sum[8], v[8]);
            CHECK_INT(sum[9], v[9]); /* the second vector begins where the first one ends */
            check_untouched(sum + 1, 1);
        }
    }
    MPI_Request_free(&r);
    free(v);
    free(sum);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);
    MPI_Comm ring = every_ring(m);
    static struct started s;
    static const int lens[] = { 1, 30, 4000 };
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "unknown", "hint");
    for (int i = 0; i < 3; i++) {
        init(&s, m, ring, lens[i], i == 1 ? info : MPI_INFO_NULL);
        test_inactive(&s);
        test_any_order(&s, m);
        test_startall(&s, m);
        test_forms(&s, m, ring);
        test_inactive(&s);
        end(&s);
    }
    MPI_Info_free(&info);
    init(&s, m, ring, 7, MPI_INFO_NULL); /* never started */
    end(&s);
    test_freed_handles(m);
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
