/* bibandwidth.c — bytes per second between two halves of the ranks, both ways at once and added. */
#include "perf.h"
#include "stream.h"

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "1024,16384,65536,262144,1048576,4194304", NULL, NULL };
    const struct perf_case both = { "bibandwidth", "MB/s", stream_both_ways, stream_mb_both_ways };

    perf_begin(argc, argv, &start);
    stream_open();
    perf_run(&both);
    return perf_end();
}
