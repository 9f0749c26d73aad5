/* message_rate.c — messages per second from the first half of the ranks to the second. */
#include "perf.h"
#include "stream.h"

static double millions(size_t size, int iters, double seconds)
{
    return (double) stream_window(size) * stream_pairs() * iters / seconds * 1e-6;
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "8,64,1024", NULL, NULL };
    const struct perf_case rate = { "message_rate", "Mmsg/s", stream_one_way, millions };

    perf_begin(argc, argv, &start);
    stream_open();
    perf_run(&rate);
    return perf_end();
}
