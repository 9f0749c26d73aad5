/* io_memory.c — how much the resident memory of a process grows in calls on files, at its highest,
 * in the process where it grows most:
 *   growth_write_all   64 MiB of each process in blocks of 1 KiB, rank by rank
 *   growth_view        a view of 10^6 pieces, by which a process writes all of them
 *   growth_view_all    the same, written collectively */
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io_file.h"

enum { BLOCK = 1024, PIECE = 8, WARM = 65536 };

static struct {
    char *memory;
    size_t len;
    MPI_Datatype etype, filetype;
    MPI_Offset disp;
    bool all;
} now;

static void by_view(void)
{
    int err;

    io_view(now.disp, now.etype, now.filetype);
    if (now.all)
        err = MPI_File_write_at_all(io.file, 0, now.memory, (int) now.len, MPI_BYTE,
                                    MPI_STATUS_IGNORE);
    else
        err = MPI_File_write_at(io.file, 0, now.memory, (int) now.len, MPI_BYTE, MPI_STATUS_IGNORE);
    io_check(err, "writing by a view");
}

static double highest_kib(void)
{
    char line[256];
    double kib = 0;
    FILE *f = fopen("/proc/self/status", "re");

    if (!f)
        perf_fail("cannot read /proc/self/status");
    while (fgets(line, sizeof line, f))
        if (!strncmp(line, "VmHWM:", 6))
            kib = strtod(line + 6, NULL);
    (void) fclose(f);
    return kib;
}

/* The highest is what is there now, from now on. What malloc() keeps would hide what grows. */
static void reset_highest(void)
{
    (void) malloc_trim(0);
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, "5", 1) != 1)
        perf_fail("cannot write /proc/self/clear_refs");
    (void) close(fd);
}

static void report(const char *name, void (*work)(void))
{
    char whole[IO_NAME];

    perf_gate();
    reset_highest();
    double before = highest_kib();
    perf_gate();
    work();
    double grown = perf_max(highest_kib() - before);
    perf_print(io_name(whole, name, "", ""), 0, grown, "KiB");
}

/* Messages and collective calls have taken what memory they keep. */
static void warm_up(void)
{
    size_t len = WARM * (size_t) perf.size;
    char *out = perf_buffer(len), *in = perf_buffer(len);

    for (int i = 0; i < 3; i++)
        MPI_Alltoall(out, WARM, MPI_BYTE, in, WARM, MPI_BYTE, MPI_COMM_WORLD);
    free(out);
    free(in);
    now.len = 2 * BLOCK;
    now.all = true;
    by_view();
}

static MPI_Datatype blocks(void)
{
    MPI_Datatype block, type;

    MPI_Type_contiguous(BLOCK, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, BLOCK * perf.size, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&block);
    return type;
}

static void measure_blocks(void)
{
    now.len = (size_t) (io.quick ? 4 : 64) * IO_MIB;
    now.memory = perf_buffer(now.len);
    now.etype = MPI_BYTE;
    now.filetype = blocks();
    now.disp = BLOCK * perf.rank;
    warm_up();
    now.len = (size_t) (io.quick ? 4 : 64) * IO_MIB;
    report("growth_write_all", by_view);
    MPI_Type_free(&now.filetype);
    free(now.memory);
}

MPI_Datatype io_pieces(int n, int ranks)
{
    MPI_Aint *at = perf_buffer((size_t) n * sizeof *at);
    MPI_Datatype type;

    for (int i = 0; i < n; i++)
        at[i] = ((MPI_Aint) i * ranks * 2 + i * 7 % 5 % 2) * PIECE;
    MPI_Type_create_hindexed_block(n, PIECE, at, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    free(at);
    return type;
}

static void measure_pieces(bool all)
{
    int n = io.quick ? 10000 : 1000000;

    now.all = all;
    now.len = (size_t) n * PIECE;
    now.memory = perf_buffer(now.len);
    now.etype = MPI_BYTE;
    now.filetype = io_pieces(n, perf.size);
    now.disp = (MPI_Offset) perf.rank * 2 * PIECE;
    report(all ? "growth_view_all" : "growth_view", by_view);
    MPI_Type_free(&now.filetype);
    free(now.memory);
}

void io_measure_memory(void)
{
    io_empty(0);
    if (io_wanted("growth_write_all"))
        measure_blocks();
    io_empty(0);
    if (io_wanted("growth_view"))
        measure_pieces(false);
    if (io_wanted("growth_view_all"))
        measure_pieces(true);
    io_view(0, MPI_BYTE, MPI_BYTE);
}
