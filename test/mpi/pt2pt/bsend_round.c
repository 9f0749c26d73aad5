/* bsend_round.c — P13: messages of random lengths, the same lengths in all processes, fill the
 * buffer in a circle many times. No message takes more than a quarter of it, and messages that are
 * not yet received take no more than half: then the circular allocation of §3.6.1 finds a place.
 *
 * MPICH 4.0 fails: it takes the first gap that is large enough, so that short messages lie in the
 * way of long ones. */
#include "buffered.h"

enum { CAPACITY = 100000, STEPS = 600 };

static int need[STEPS], length[STEPS], rank, size;
static unsigned char *out, *in, *room;

static void receive(int step)
{
    int previous = (rank + size - 1) % size, token = -1;
    MPI_Status status;

    MPI_Recv(in, CAPACITY, MPI_BYTE, previous, step, MPI_COMM_WORLD, &status);
    CHECK_PATTERN(in, (size_t) length[step], (unsigned) (previous + step));
    MPI_Sendrecv(&step, 1, MPI_INT, previous, STEPS, &token, 1, MPI_INT, (rank + 1) % size, STEPS,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(token, step);
}

static void round_and_round(void)
{
    int oldest = 0, taken = 0;
    unsigned random = 12345;

    MPI_Buffer_attach(room + 3, CAPACITY);
    for (int step = 0; step < STEPS; step++) {
        random = random * 1103515245u + 12345u;
        length[step] = (int) (random >> 8) % (step % 3 ? 500 : CAPACITY / 4 - 200);
        need[step] = buffered_need(length[step], MPI_BYTE);
        for (; taken > CAPACITY / 2; oldest++) {
            receive(oldest);
            taken -= need[oldest];
        }
        pattern_fill(out, (size_t) length[step], (unsigned) (rank + step));
        CHECK_INT(buffered_send((enum buffered_way)(step % BUFFERED_WAYS), out, length[step],
                                MPI_BYTE, (rank + 1) % size, step, MPI_COMM_WORLD),
                  MPI_SUCCESS);
        taken += need[step];
    }
    for (int step = STEPS - 1; step >= oldest; step--) /* and out of order */
        receive(step);
    buffered_detach(room + 3, CAPACITY);
    CHECK_FRESH(room, 3);
    CHECK_FRESH(room + 3 + CAPACITY, 64);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = mpitest_memory(CAPACITY);
    in = mpitest_memory(CAPACITY);
    room = mpitest_memory(2 * CAPACITY);
    round_and_round();
    free(out);
    free(in);
    free(room);
    MPI_Finalize();
    return 0;
}
