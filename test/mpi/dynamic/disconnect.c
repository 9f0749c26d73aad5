/* disconnect.c — Y07: MPI_Comm_disconnect waits for what is pending, calls delete functions, and
 * takes all communicators but MPI_COMM_WORLD and MPI_COMM_SELF.
 *
 * MPICH 4.0 takes MPI_COMM_WORLD, too, and does not come to the end; Open MPI 4.1 frees the
 * communicator although a delete function fails. */
#include "../env/starling.h"

enum { LEN = 1 << 18, TAG = 3 };

static int rank, size, deleted, refuses;

static int delete_fn(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) comm, (void) keyval, (void) value, (void) extra;
    if (refuses)
        return MPI_ERR_OTHER;
    deleted++;
    return MPI_SUCCESS;
}

static void wrong_comms(void)
{
    MPI_Comm c = MPI_COMM_WORLD;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Comm_disconnect(&c)), MPI_ERR_COMM);
    CHECK(c == MPI_COMM_WORLD);
    c = MPI_COMM_SELF;
    CHECK_INT(error_class(MPI_Comm_disconnect(&c)), MPI_ERR_COMM);
    c = MPI_COMM_NULL;
    CHECK_INT(error_class(MPI_Comm_disconnect(&c)), MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

/* The receiver is late, and the message of a length that is not sent eagerly. */
static void pending(MPI_Comm c)
{
    int *out = mpitest_memory(LEN * sizeof *out), *in = mpitest_memory(LEN * sizeof *in);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request request[3];

    for (int i = 0; i < LEN; i++)
        out[i] = rank + i;
    MPI_Isend(out, LEN, MPI_INT, to, TAG, c, &request[0]);
    MPI_Irecv(in, LEN, MPI_INT, from, TAG, c, &request[1]);
    MPI_Ibarrier(c, &request[2]);
    MPI_Comm_disconnect(&c);
    CHECK(c == MPI_COMM_NULL);
    for (int i = 0; i < LEN; i++)
        CHECK_INT(in[i], from + i);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    free(in);
    free(out);
}

static void attributes(void)
{
    MPI_Comm c;
    int keyval, is_there;
    void *value;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_fn, &keyval, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(c, keyval, &deleted);
    refuses = 1;
    CHECK(MPI_Comm_disconnect(&c) != MPI_SUCCESS);
    CHECK(c != MPI_COMM_NULL);
    MPI_Comm_get_attr(c, keyval, &value, &is_there);
    CHECK(is_there && value == &deleted);
    MPI_Barrier(c);
    refuses = 0;
    CHECK_INT(MPI_Comm_disconnect(&c), MPI_SUCCESS);
    CHECK(c == MPI_COMM_NULL && deleted == 1);
    MPI_Comm_free_keyval(&keyval);
}

/* A persistent request, which is inactive, is not pending. */
static void inactive(void)
{
    MPI_Request request;
    MPI_Comm c;
    int value = 0;

    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, c, &request);
    MPI_Comm_disconnect(&c);
    CHECK(c == MPI_COMM_NULL);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    MPI_Comm c, half, inter;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wrong_comms();
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    pending(c);
    attributes();
    inactive();
    MPI_Comm_dup(MPI_COMM_SELF, &c);
    MPI_Comm_disconnect(&c);
    if (size > 1) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !(rank % 2), TAG, &inter);
        MPI_Comm_disconnect(&half);
        MPI_Barrier(inter);
        MPI_Comm_disconnect(&inter);
        CHECK(half == MPI_COMM_NULL && inter == MPI_COMM_NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
