/* ready_late.c — P12: a ready send without its receive arrives like any other; the receiver prints
 * one line about the first. Only for Starling: the standard leaves open what happens. */
#include <stdlib.h>
#include "../env/starling.h"
#include "listen.h"
#include "pattern.h"

static int rank, size;
static char *out, *in;

/* Rank 0 sends, to itself when it is alone; the last rank receives when the message is there. */
static void send_late(int len, int tag)
{
    int last = size - 1;
    MPI_Request request = MPI_REQUEST_NULL;

    if (rank == 0) {
        pattern_fill(out, (size_t) len, (unsigned) tag);
        if (tag % 2 || last == 0)
            MPI_Irsend(out, len, MPI_BYTE, last, tag, MPI_COMM_WORLD, &request);
        else
            MPI_Rsend(out, len, MPI_BYTE, last, tag, MPI_COMM_WORLD);
    }
    if (rank == last) {
        MPI_Probe(0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(in, len, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, (size_t) len, (unsigned) tag);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void act(void)
{
    for (int i = 0; i < 2 * PATTERN_WAYS; i++)
        send_late(pattern_ways[i / 2], i);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char text[LISTEN_MAX];

    unsetenv("STARLING_CHECK");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    listen(act, text);
    if (rank == size - 1) {
        char *end = strchr(text, '\n');

        if (!end || end[1] || strncmp(text, "starling: ", 10) || !strstr(text, "ready")) {
            fprintf(stderr, "not one line about a ready send: '%s'\n", text);
            CHECK(!"one line reports the ready send");
        }
    } else {
        CHECK_INT(strlen(text), 0);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
