/* io_collective.c — collective writing and reading of the shapes of io_shapes.h, by itself and in
 * turns with a plain pass and an exchange (io_plain.h): write_all_array3, read_all_array3, and the
 * ratios write_all_array3_over_plain and read_all_array3_over_plain. What is written is checked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io_file.h"
#include "io_plain.h"
#include "turns.h"

static const size_t interleaved[] = { 1024, 47008, 65536, 1048576 };

static struct { /* what is measured at the moment */
    enum io_kind kind;
    struct io_shape *shape;
    char *memory;
    MPI_Aint *at; /* of the blocks in the file, for calls of a block each */
} now;

static MPI_Offset offset_of(int call) { return now.shape->calls > 1 ? now.at[call] : 0; }
static char *memory_of(int call) { return now.memory + (size_t) call * now.shape->block; }
static int count_of_call(void)
{
    return now.shape->calls > 1 ? (int) now.shape->block : now.shape->count;
}

static void write_all(int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < now.shape->calls; c++)
            io_check(MPI_File_write_at_all(io.file, offset_of(c), memory_of(c), count_of_call(),
                                           now.shape->memory, MPI_STATUS_IGNORE),
                     "MPI_File_write_at_all");
}

static void read_all(int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < now.shape->calls; c++)
            io_check(MPI_File_read_at_all(io.file, offset_of(c), memory_of(c), count_of_call(),
                                          now.shape->memory, MPI_STATUS_IGNORE),
                     "MPI_File_read_at_all");
}

static void writes(size_t size, int iters)
{
    (void) size;
    write_all(iters);
}

static void reads(size_t size, int iters)
{
    (void) size;
    read_all(iters);
}

static void write_turns(size_t size, int iters)
{
    (void) size;
    turns_take((void (*const[])(int)) { write_all, io_plain_write }, iters);
}

static void read_turns(size_t size, int iters)
{
    (void) size;
    turns_take((void (*const[])(int)) { read_all, io_plain_read }, iters);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static int byte_of(int rank, int block) { return (rank * 37 + block * 11 + 1) & 0xff; }

static void fill_memory(void)
{
    MPI_Aint *at = io_shape_in_memory(now.shape);

    for (int k = 0; k < now.shape->blocks; k++)
        memset(now.memory + at[k], byte_of(perf.rank, k), now.shape->block);
    free(at);
}

static void check_block(const char *got, int rank, int block, const char *where)
{
    char expected = (char) byte_of(rank, block), text[128];

    for (size_t i = 0; i < now.shape->block; i++)
        if (got[i] != expected) {
            (void) snprintf(text, sizeof text, "%s: block %d of rank %d is wrong in %s",
                            io_shape_names[now.kind], block, rank, where);
            perf_fail(text);
        }
}

/* Each looks at what another process has written. */
static void check_file(void)
{
    int other = (perf.rank + 1) % perf.size;
    MPI_Aint *at = io_shape_in_file(now.kind, now.shape, other);
    char *got = perf_buffer(now.shape->block);

    perf_gate();
    for (int k = 0; k < now.shape->blocks; k++) {
        if (pread(io.fd, got, now.shape->block, at[k]) != (ssize_t) now.shape->block)
            perf_fail("pread");
        check_block(got, other, k, "the file");
    }
    free(at);
    free(got);
    perf_gate();
}

static void check_memory(void)
{
    MPI_Aint *at = io_shape_in_memory(now.shape);

    for (int k = 0; k < now.shape->blocks; k++)
        check_block(now.memory + at[k], perf.rank, k, "memory");
    free(at);
}

/* ---- all shapes ------------------------------------------------------------------------------ */

static const struct {
    const char *op, *last;
    struct perf_case as; /* without a name */
} ways[] = {
    { "write_all_", "", { NULL, "us", writes, perf_us_each } },
    { "read_all_", "", { NULL, "us", reads, perf_us_each } },
    { "write_all_", "_over_plain", { NULL, "ratio", write_turns, turns_ratio } },
    { "read_all_", "_over_plain", { NULL, "ratio", read_turns, turns_ratio } },
};
enum { WAYS = sizeof ways / sizeof *ways };

static void begin(enum io_kind kind, size_t size)
{
    now.kind = kind;
    now.shape = io_shape_new(kind, size);
    if (!now.shape)
        return;
    now.at = io_shape_in_file(kind, now.shape, perf.rank);
    now.memory = perf_buffer(now.shape->span);
    io_empty(now.shape->file);
    io_view(now.shape->disp, now.shape->etype, now.shape->filetype);
    fill_memory();
    write_all(1);
    check_file();
    memset(now.memory, 0, now.shape->span);
    read_all(1);
    check_memory();
}

static void end(void)
{
    io_view(0, MPI_BYTE, MPI_BYTE);
    io_shape_free(now.shape);
    free(now.memory);
    free(now.at);
}

static void measure(enum io_kind kind, size_t size)
{
    char name[WAYS][IO_NAME];
    bool wanted = false;

    for (int i = 0; i < WAYS; i++)
        wanted |= perf_wanted(io_name(name[i], ways[i].op, io_shape_names[kind], ways[i].last));
    if (wanted)
        begin(kind, size);
    if (!wanted || !now.shape)
        return;
    io_plain_begin(kind, now.shape, now.memory, io.fd);
    for (int i = 0; i < WAYS; i++) {
        struct perf_case c = ways[i].as;
        c.name = name[i];
        io_run(&c, size);
    }
    io_plain_end();
    end();
}

void io_measure_shapes(void)
{
    for (size_t i = 0; i < sizeof interleaved / sizeof *interleaved; i++)
        if (io_size_wanted(interleaved[i]))
            measure(IO_INTERLEAVED, interleaved[i]);
    for (int kind = IO_INTERLEAVED + 1; kind < IO_SHAPES; kind++)
        measure((enum io_kind) kind, 0);
}
