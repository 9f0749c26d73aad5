/* errors.c — arguments that a collective call must refuse, and messages of the wrong length.
 *
 * Only for Starling: to other libraries such calls may do anything, and some crash. */
#include "coll_test.h"

#define CHECK_CLASS(class, call) check_class(__FILE__, __LINE__, #call, (class), (call))

static void check_class(const char *file, int line, const char *what, int class, int err)
{
    int got = err;

    if (err != MPI_SUCCESS)
        MPI_Error_class(err, &got);
    mpitest_equal(file, line, what, got, class);
}

/* All processes pass the same bad argument, so no process waits for another. */
static void test_roots(struct me m)
{
    int v[4] = { 0 }, w[4], big = m.size;

    CHECK_CLASS(MPI_ERR_ROOT, MPI_Bcast(v, 1, MPI_INT, big, m.comm));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Bcast(v, 1, MPI_INT, -1, m.comm));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Reduce(v, w, 1, MPI_INT, MPI_SUM, big, m.comm));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Gather(v, 1, MPI_INT, w, 1, MPI_INT, big, m.comm));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Scatter(v, 1, MPI_INT, w, 1, MPI_INT, -5, m.comm));
    CHECK_CLASS(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
}

static void test_counts_and_types(struct me m)
{
    int v[4] = { 0 }, w[4], *counts_ = ints(m.size), *displs = ints(m.size);

    for (int i = 0; i < m.size; i++) {
        counts_[i] = i == m.size - 1 ? -1 : 0;
        displs[i] = 0;
    }
    CHECK_CLASS(MPI_ERR_COUNT, MPI_Bcast(v, -1, MPI_INT, 0, m.comm));
    CHECK_CLASS(MPI_ERR_COUNT, MPI_Allreduce(v, w, -1, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_COUNT, MPI_Allgatherv(v, 0, MPI_INT, w, counts_, displs, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_COUNT, MPI_Reduce_scatter(v, w, counts_, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_COUNT,
                MPI_Alltoallv(v, counts_, displs, MPI_INT, w, counts_, displs, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_TYPE, MPI_Bcast(v, 1, MPI_DATATYPE_NULL, 0, m.comm));
    CHECK_CLASS(MPI_ERR_TYPE, MPI_Allgather(v, 1, MPI_DATATYPE_NULL, w, 1, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allreduce(NULL, w, 1, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allreduce(v, NULL, 1, MPI_INT, MPI_SUM, m.comm));
    free(displs);
    free(counts_);
}

/* C05 */
static void test_operations(struct me m)
{
    char c = 0, d;
    wchar_t v = 0, w;
    double x = 0, y;
    MPI_Op op = MPI_SUM;
    char text[MPI_MAX_ERROR_STRING];
    int len;

    CHECK_CLASS(MPI_ERR_OP, MPI_Allreduce(&v, &w, 1, MPI_WCHAR, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_OP, MPI_Allreduce(&c, &d, 1, MPI_BYTE, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_OP, MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, m.comm));
    CHECK_CLASS(MPI_ERR_OP, MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_MAXLOC, m.comm));
    CHECK_CLASS(MPI_ERR_OP, MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_OP_NULL, m.comm));
    CHECK_CLASS(MPI_ERR_OP, MPI_Reduce(&x, &y, 1, MPI_DOUBLE, MPI_REPLACE, 0, m.comm));
    CHECK_CLASS(MPI_ERR_OP, MPI_Scan(&x, &y, 1, MPI_DOUBLE, MPI_BAND, m.comm));
    CHECK_CLASS(MPI_ERR_OP, MPI_Reduce_local(&x, &y, 1, MPI_DOUBLE, MPI_NO_OP));
    MPI_Error_string(MPI_Reduce_local(&x, &y, 1, MPI_DOUBLE, MPI_BAND), text, &len);
    CHECK(strstr(text, "MPI_BAND does not take datatype MPI_DOUBLE"));
    CHECK_CLASS(MPI_ERR_OP, MPI_Op_free(&op));
    CHECK(op == MPI_SUM);
}

/* C01: MPI_IN_PLACE where it is not allowed; the same memory twice where MPI_IN_PLACE is
 * required. */
static void test_places(struct me m)
{
    int *v = ints(m.size), *w = ints(m.size);

    for (int i = 0; i < m.size; i++)
        v[i] = 0;
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allreduce(v, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allgather(v, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Alltoall(v, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allreduce(v, v, 1, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Alltoall(v, 1, MPI_INT, v, 1, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allgather(v, 1, MPI_INT, v, 1, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allgather(v + m.rank, 1, MPI_INT, v, 1, MPI_INT, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Scan(v, v, 1, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Scan(v, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce_scatter_block(v, v, 1, MPI_INT, MPI_SUM, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce_local(v, v, 1, MPI_INT, MPI_SUM));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce_local(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM));
    CHECK_CLASS(MPI_SUCCESS, MPI_Allreduce(v, v, 0, MPI_INT, MPI_SUM, m.comm));
    free(w);
    free(v);
}

/* C01: MPI_IN_PLACE that only the root may use, in the other processes. */
static void test_places_elsewhere(struct me m)
{
    int v[4] = { 0 }, w[4], next = (m.rank + 1) % m.size;

    if (m.size == 1)
        return;
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, next, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, v, 1, MPI_INT, next, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Scatter(v, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, next, m.comm));
    CHECK_CLASS(MPI_ERR_BUFFER,
                MPI_Gatherv(MPI_IN_PLACE, 1, MPI_INT, w, NULL, NULL, MPI_INT, next, m.comm));
}

/* On one process, so that no message is under way when the root refuses. */
static void test_alone(void)
{
    int v[4] = { 0 }, one = 1, zero = 0;
    MPI_Datatype type = MPI_INT, none = MPI_DATATYPE_NULL;

    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Gather(v, 1, MPI_INT, v, 1, MPI_INT, 0, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Scatter(v, 1, MPI_INT, v, 1, MPI_INT, 0, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce(v, v, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_BUFFER,
                MPI_Gatherv(v, 1, MPI_INT, v, &one, &zero, MPI_INT, 0, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_BUFFER,
                MPI_Alltoallv(v, &one, &zero, MPI_INT, v, &one, &zero, MPI_INT, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_BUFFER,
                MPI_Alltoallw(v, &one, &zero, &type, v, &one, &zero, &type, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_TYPE,
                MPI_Alltoallw(v, &one, &zero, &none, v + 1, &one, &zero, &type, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_ARG,
                MPI_Alltoallw(v, &one, &zero, &type, v + 1, &one, &zero, NULL, MPI_COMM_SELF));
    CHECK_CLASS(MPI_SUCCESS, MPI_Exscan(v, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF)); /* rank 0 */
    CHECK_CLASS(MPI_ERR_ARG,
                MPI_Gatherv(v, 1, MPI_INT, v + 1, NULL, &zero, MPI_INT, 0, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_ARG,
                MPI_Scatterv(v, &one, NULL, MPI_INT, v + 1, 1, MPI_INT, 0, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_TRUNCATE, MPI_Gather(v, 2, MPI_INT, v + 2, 1, MPI_INT, 0, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_TRUNCATE, MPI_Allgather(v, 2, MPI_INT, v + 2, 1, MPI_INT, MPI_COMM_SELF));
    CHECK_CLASS(MPI_SUCCESS,
                MPI_Gatherv(v, 1, MPI_INT, v + 1, &one, &zero, MPI_INT, 0, MPI_COMM_SELF));
}

/* Requests of collective operations cannot be cancelled, and can be freed only while they are
 * inactive (§5.12, §5.13). */
static void test_requests(struct me m)
{
    MPI_Request begun, lasting;

    MPI_Ibarrier(m.comm, &begun);
    CHECK_CLASS(MPI_ERR_REQUEST, MPI_Cancel(&begun));
    CHECK_CLASS(MPI_ERR_REQUEST, MPI_Start(&begun));
    MPI_Request same = begun;
    CHECK_CLASS(MPI_ERR_REQUEST, MPI_Request_free(&begun));
    CHECK(begun == same);
    CHECK_CLASS(MPI_SUCCESS, MPI_Wait(&begun, MPI_STATUS_IGNORE));
    MPI_Barrier_init(m.comm, MPI_INFO_NULL, &lasting);
    same = lasting;
    for (int i = 0; i < 2; i++) {
        CHECK_CLASS(MPI_SUCCESS, MPI_Start(&lasting));
        CHECK_CLASS(MPI_ERR_REQUEST, MPI_Start(&lasting));
        CHECK_CLASS(MPI_ERR_REQUEST, MPI_Cancel(&lasting));
        CHECK_CLASS(MPI_ERR_REQUEST, MPI_Request_free(&lasting));
        CHECK_CLASS(MPI_SUCCESS, MPI_Wait(&lasting, MPI_STATUS_IGNORE));
        CHECK(lasting == same);
    }
    CHECK_CLASS(MPI_SUCCESS, MPI_Request_free(&lasting));
    CHECK(lasting == MPI_REQUEST_NULL);
}

/* A receiver with too little room gets MPI_ERR_TRUNCATE, its other memory is not changed, and no
 * process hangs. Other processes may get the error as well, soon, and the communicator may fail
 * from then on. */
static void test_truncation(struct me m)
{
    int v[8], sum, err = MPI_SUCCESS, last = m.size - 1;

    memset(v, 0xa5, sizeof v);
    if (m.rank == last && last > 0) {
        CHECK_CLASS(MPI_ERR_TRUNCATE, MPI_Bcast(v, 2, MPI_INT, 0, m.comm));
        check_untouched(v + 2, 6);
    } else {
        err = MPI_Bcast(v, 4, MPI_INT, 0, m.comm);
    }
    if (err)
        CHECK_CLASS(MPI_ERR_TRUNCATE, err);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++) {
        if ((err = MPI_Allreduce(&m.rank, &sum, 1, MPI_INT, MPI_SUM, m.comm)))
            CHECK_CLASS(MPI_ERR_TRUNCATE, err);
        else
            CHECK_INT(sum, m.size * last / 2);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* for errors without a
                                                                 * communicator */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
    struct me m = whoami(dup);
    test_roots(m);
    test_counts_and_types(m);
    test_operations(m);
    test_places(m);
    test_places_elsewhere(m);
    test_alone();
    test_requests(m);
    test_truncation(m);
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
