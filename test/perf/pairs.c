/* pairs.c — ping-pong between random pairs: all ranks at once, with another partner each time. The
 * peer that a rank waits for is mostly not the next one to run on its core. */
#include <stdint.h>
#include "perf.h"

enum { TURNS = 509, MOST = 1024 };

static short partner[TURNS][MOST];
static char *out, *in;

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* The same on all ranks. With an odd number one rank has no partner. */
static void draw(void)
{
    uint64_t state = 20;
    short deck[MOST];

    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < perf.size; i++)
            deck[i] = (short) i;
        for (int i = perf.size - 1; i > 0; i--) {
            int k = (int) (next(&state) % (unsigned) (i + 1));
            short card = deck[i];
            deck[i] = deck[k];
            deck[k] = card;
        }
        for (int i = 0; i < perf.size; i++)
            partner[turn][deck[i]] = i + 1 < perf.size || i % 2 ? deck[i ^ 1] : deck[i];
    }
}

static void pairs(size_t size, int iters)
{
    int len = (int) size;

    for (int i = 0; i < iters; i++) {
        int other = partner[i % TURNS][perf.rank];
        if (perf.rank < other) {
            MPI_Send(out, len, MPI_BYTE, other, 1, MPI_COMM_WORLD);
            MPI_Recv(in, len, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (perf.rank > other) {
            MPI_Recv(in, len, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, len, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        }
    }
}

static double micros(size_t size, int iters, double seconds)
{
    (void) size;
    return seconds / iters * 1e6;
}

int main(int argc, char **argv)
{
    static const struct perf_start start = { .min_ranks = 2, .sizes = "8" };
    static const struct perf_case c = { "pairs", "us", pairs, micros };

    perf_begin(argc, argv, &start);
    if (perf.size > MOST)
        return 1;
    draw();
    out = perf_buffer(perf.max_size);
    in = perf_buffer(perf.max_size);
    perf_run(&c);
    return perf_end();
}
