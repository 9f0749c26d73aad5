/* bandwidth.c — bytes per second from the first half of the ranks to the second. */
#include "perf.h"
#include "stream.h"

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "1024,16384,65536,262144,1048576,4194304", NULL, NULL };
    const struct perf_case bandwidth = { "bandwidth", "MB/s", stream_one_way, stream_mb_one_way };

    perf_begin(argc, argv, &start);
    stream_open();
    perf_run(&bandwidth);
    return perf_end();
}
