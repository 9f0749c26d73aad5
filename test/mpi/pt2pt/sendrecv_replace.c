/* sendrecv_replace.c — P25: one buffer for the sent and the received message: rings of all lengths,
 * derived types, plain partners, and MPI_PROC_NULL on one side or both (P11). */
#include "comms.h"
#include "pattern.h"

enum { LONGEST = 4 << 20 };

static unsigned char *buf, *other;
static int rank, size, next, previous;

static void set_ranks(MPI_Comm comm)
{
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
}

static void ring(int len, MPI_Comm comm)
{
    for (int distance = 0; distance < size; distance++) {
        int from = (rank + size - distance) % size, count;
        MPI_Status status;

        pattern_fill(buf, (size_t) len, (unsigned) (rank + distance));
        CHECK_INT(MPI_Sendrecv_replace(buf, len, MPI_BYTE, (rank + distance) % size, distance,
                                       distance % 2 ? from : MPI_ANY_SOURCE, distance, comm,
                                       &status),
                  MPI_SUCCESS);
        CHECK_INT(status.MPI_SOURCE, from);
        CHECK_INT(status.MPI_TAG, distance);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, len);
        CHECK_PATTERN(buf, (size_t) len, (unsigned) (from + distance));
    }
}

static void rings(MPI_Comm comm)
{
    set_ranks(comm);
    for (int i = 0; i < PATTERN_WAYS - 1; i++)
        ring(pattern_ways[i], comm);
}

/* Both directions of a pair at the same time; the partner uses plain calls. */
static void with_plain(MPI_Comm comm)
{
    set_ranks(comm);
    int partner = rank ^ 1;

    for (int i = 0; i < PATTERN_WAYS && partner < size; i++) {
        int len = pattern_ways[i];
        MPI_Status status;

        pattern_fill(buf, (size_t) len, (unsigned) rank);
        if (rank < partner) {
            MPI_Sendrecv_replace(buf, len, MPI_BYTE, partner, 1, partner, 2, comm, &status);
            CHECK_PATTERN(buf, (size_t) len, (unsigned) partner);
        } else {
            MPI_Request request;

            MPI_Isend(buf, len, MPI_BYTE, partner, 2, comm, &request);
            MPI_Probe(partner, MPI_ANY_TAG, comm, &status);
            CHECK_INT(status.MPI_TAG, 1);
            MPI_Recv(other, len, MPI_BYTE, partner, 1, comm, MPI_STATUS_IGNORE);
            CHECK_PATTERN(other, (size_t) len, (unsigned) partner);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

/* The received message is shorter than the sent one: the rest of the buffer stays. */
static void shorter(MPI_Comm comm)
{
    set_ranks(comm);
    for (int i = 1; i < PATTERN_WAYS; i++) {
        int len = pattern_ways[i], count;
        MPI_Request r[2];
        MPI_Status status;

        pattern_fill(buf, (size_t) len, (unsigned) rank);
        pattern_fill(other + len, (size_t) len, (unsigned) rank + 3);
        MPI_Irecv(other, len, MPI_BYTE, previous, 5, comm, &r[0]);
        MPI_Isend(other + len, len / 3, MPI_BYTE, next, 4, comm, &r[1]);
        MPI_Sendrecv_replace(buf, len, MPI_BYTE, next, 5, previous, 4, comm, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, len / 3);
        CHECK_PATTERN(buf, (size_t) count, (unsigned) previous + 3);
        for (int k = count; k < len; k++)
            CHECK_INT(buf[k], pattern_byte((unsigned) rank, (size_t) k));
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        CHECK_PATTERN(other, (size_t) len, (unsigned) previous);
    }
}

/* Columns of a matrix; the other columns stay as they are. */
static void columns(int rows, MPI_Comm comm)
{
    enum { WIDTH = 5 };
    MPI_Datatype column;
    double *m = mpitest_memory((size_t) rows * WIDTH * sizeof *m);

    MPI_Type_vector(rows, 2, WIDTH, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < rows * WIDTH; i++)
        m[i] = rank * 1e6 + i;
    MPI_Sendrecv_replace(m + 1, 1, column, next, 6, previous, 6, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < rows * WIDTH; i++) {
        int moved = i % WIDTH == 1 || i % WIDTH == 2;

        CHECK(m[i] == (moved ? previous : rank) * 1e6 + i);
    }
    MPI_Type_free(&column);
    free(m);
}

/* Interleaved elements: a type of ints 0 and 2 whose extent is one int. */
static void interleaved(MPI_Comm comm)
{
    struct {
        int a;
        char hole[12];
        double b;
    } s[7];
    MPI_Datatype type, resized;
    MPI_Aint at[2] = { 0, 16 };

    MPI_Type_create_struct(2, (int[]) { 1, 1 }, at, (MPI_Datatype[]) { MPI_INT, MPI_DOUBLE },
                           &type);
    MPI_Type_create_resized(type, 0, sizeof s[0], &resized);
    MPI_Type_commit(&resized);
    for (int i = 0; i < 7; i++) {
        s[i].a = rank + i;
        memset(s[i].hole, 'h', sizeof s[i].hole);
        s[i].b = rank * 2 + i;
    }
    MPI_Sendrecv_replace(s, 7, resized, next, 7, previous, 7, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 7; i++) {
        CHECK(s[i].a == previous + i && s[i].b == previous * 2 + i);
        CHECK(!memcmp(s[i].hole, "hhhhhhhhhhhh", 12));
    }
    MPI_Type_free(&resized);
    MPI_Type_free(&type);

    int x[8];
    MPI_Type_vector(2, 1, 4, MPI_INT, &type); /* ints 0 and 4, then 1 and 5, and so on */
    MPI_Type_create_resized(type, 0, sizeof(int), &resized);
    MPI_Type_commit(&resized);
    for (int i = 0; i < 8; i++)
        x[i] = rank * 8 + i;
    MPI_Sendrecv_replace(x, 4, resized, next, 8, previous, 8, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; i++)
        CHECK_INT(x[i], previous * 8 + i);
    MPI_Type_free(&resized);
    MPI_Type_free(&type);
}

static void derived(MPI_Comm comm)
{
    static const int rows[] = { 1, 10, 1000, 30000 };

    set_ranks(comm);
    for (int i = 0; i < 4; i++)
        columns(rows[i], comm);
    interleaved(comm);
}

/* P11: the call only sends, only receives, or does nothing. */
static void of_proc_null(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Status status;
    int x = 1, y = 0;

    set_ranks(comm);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, comm, &status);
    CHECK(x == 1);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Irecv(&y, 1, MPI_INT, previous, 1, comm, &request);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, next, 1, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
    CHECK(x == 1);
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_INT(y, 1);
    y = 2;
    MPI_Isend(&y, 1, MPI_INT, next, 2, comm, &request);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, MPI_PROC_NULL, 1, previous, 2, comm, &status);
    CHECK_INT(x, 2);
    CHECK_INT(status.MPI_SOURCE, previous);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(NULL, 0, MPI_INT, next, 3, previous, 3, comm, &status); /* P09 */
    CHECK_INT(status.MPI_TAG, 3);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    buf = mpitest_memory(LONGEST);
    other = mpitest_memory(LONGEST);
    set_ranks(MPI_COMM_WORLD);
    for (int i = 0; i < PATTERN_SIZES - 1; i++)
        ring(pattern_sizes[i], MPI_COMM_WORLD);
    ring(LONGEST, MPI_COMM_WORLD);
    comms_each(rings);
    comms_each(with_plain);
    comms_each(shorter);
    comms_each(derived);
    comms_each(of_proc_null);
    free(buf);
    free(other);
    MPI_Finalize();
    return 0;
}
