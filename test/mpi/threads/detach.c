/* detach.c — P13: while a thread waits in MPI_Buffer_detach for messages to leave, a buffered
 * send of another thread is an error that says so; afterwards such sends work again. Only for
 * Starling. */
#include <unistd.h>
#include "../env/starling.h"
#include "threads.h"

enum { LARGE = 1 << 20, TAG = 3, DATA = 4 };

static char buffer[LARGE + 10000 * (MPI_BSEND_OVERHEAD + 4)], large[LARGE];

static void *detach(void *arg)
{
    void *was;
    int size;

    (void) arg;
    CHECK_INT(MPI_Buffer_detach(&was, &size), MPI_SUCCESS);
    CHECK(was == buffer);
    CHECK_INT(size, (int) sizeof buffer);
    return NULL;
}

/* Sends until a send is refused; returns the number of messages sent. */
static int sends(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int n = 0, code, len;

    while ((code = MPI_Bsend(&n, 1, MPI_INT, 1, DATA, MPI_COMM_WORLD)) == MPI_SUCCESS && n < 9999) {
        n++;
        usleep(1000); /* the other thread must have begun */
    }
    CHECK_INT(error_class(code), MPI_ERR_BUFFER);
    CHECK(MPI_Error_string(code, text, &len) == MPI_SUCCESS);
    CHECK(strstr(text, "MPI_Buffer_detach of another thread"));
    return n;
}

static void sender(void)
{
    pthread_t thread;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < 10; round++) {
        CHECK_INT(MPI_Buffer_attach(buffer, sizeof buffer), MPI_SUCCESS);
        CHECK_INT(MPI_Bsend(large, LARGE, MPI_BYTE, 1, DATA, MPI_COMM_WORLD), MPI_SUCCESS);
        CHECK(!pthread_create(&thread, NULL, detach, NULL));
        int n = sends();
        CHECK_INT(MPI_Send(&n, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD), MPI_SUCCESS);
        CHECK(!pthread_join(thread, NULL));
    }
}

static void receiver(void)
{
    for (int round = 0; round < 10; round++) {
        int n, in;
        MPI_Recv(&n, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(large, LARGE, MPI_BYTE, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++) {
            MPI_Recv(&in, 1, MPI_INT, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_INT(in, i);
        }
    }
}

int main(int argc, char **argv)
{
    int rank;

    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        sender();
    else if (rank == 1)
        receiver();
    MPI_Finalize();
    return 0;
}
