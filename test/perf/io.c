/* io.c — reading and writing files: what is contiguous beside pread and pwrite, strided accesses,
 * small calls, requests under computation; here are the parts that are not collective. All use
 * one file in the folder of -d (without: that of TMPDIR). Each name of a result ends with _disk
 * when that is not in memory. -q: less data, to see that it works. At most 512 MiB. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "io_file.h"
#include "probe.h"
#include "turns.h"

enum { REGION = 16 * IO_MIB, SHARED = 64, TMPFS = 0x01021994 };

struct io_file io;
static const char *folder;
static size_t wanted_sizes[64];
static int nwanted;

/* ---- the file -------------------------------------------------------------------------------- */

void io_check(int err, const char *what)
{
    char text[MPI_MAX_ERROR_STRING + 128], reason[MPI_MAX_ERROR_STRING];
    int len;

    if (err == MPI_SUCCESS)
        return;
    MPI_Error_string(err, reason, &len);
    (void) snprintf(text, sizeof text, "%s: %s", what, reason);
    perf_fail(text);
}

void io_empty(MPI_Offset size)
{
    perf_gate();
    io_check(MPI_File_set_size(io.file, 0), "MPI_File_set_size");
    io_check(MPI_File_set_size(io.file, size), "MPI_File_set_size");
    perf_gate();
}

void io_view(MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype)
{
    io_check(MPI_File_set_view(io.file, disp, etype, filetype, "native", MPI_INFO_NULL),
             "MPI_File_set_view");
}

static void open_file(MPI_File *f)
{
    io_check(
        MPI_File_open(MPI_COMM_WORLD, io.path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, f),
        "MPI_File_open");
}

static void begin(void)
{
    struct statfs s;

    if (!folder)
        folder = getenv("TMPDIR");
    if (!folder)
        folder = "/tmp";
    (void) snprintf(io.path, sizeof io.path, "%s/perf_io.%ld", folder, (long) getpid());
    MPI_Bcast(io.path, sizeof io.path, MPI_CHAR, 0, MPI_COMM_WORLD);
    open_file(&io.file);
    io.fd = open(io.path, O_RDWR | O_CLOEXEC);
    if (io.fd < 0 || fstatfs(io.fd, &s))
        perf_fail(io.path);
    io.suffix = s.f_type == TMPFS ? "" : "_disk";
}

static void end(void)
{
    (void) close(io.fd);
    io_check(MPI_File_close(&io.file), "MPI_File_close");
    if (perf.rank == 0)
        io_check(MPI_File_delete(io.path, MPI_INFO_NULL), "MPI_File_delete");
}

/* ---- names and sizes ------------------------------------------------------------------------- */

const char *io_name(char name[IO_NAME], const char *op, const char *what, const char *last)
{
    (void) snprintf(name, IO_NAME, "%s%s%s%s", op, what, last, io.suffix);
    return name;
}

bool io_wanted(const char *name)
{
    char whole[IO_NAME];

    return perf_wanted(io_name(whole, name, "", ""));
}

bool io_size_wanted(size_t size)
{
    for (int i = 0; i < nwanted; i++)
        if (wanted_sizes[i] == size)
            return true;
    return false;
}

void io_run(const struct perf_case *c, size_t size)
{
    perf.nsizes = 1;
    perf.sizes[0] = size;
    perf_run(c);
}

/* Cases of this file have names without a suffix. */
static void run_as(const struct perf_case *c, const size_t *sizes, int n)
{
    struct perf_case named = *c;
    char name[IO_NAME];

    named.name = io_name(name, c->name, "", "");
    for (int i = 0; i < n; i++)
        if (!sizes[i] || io_size_wanted(sizes[i]))
            io_run(&named, sizes[i]);
}

/* ---- contiguous ------------------------------------------------------------------------------ */

static char *mine;
static size_t bytes; /* of an access, at the moment */

/* Each process has a region, in which accesses follow each other. */
static MPI_Offset place(int i)
{
    return (MPI_Offset) perf.rank * REGION + (MPI_Offset) ((size_t) i * bytes % REGION);
}

static void mpi_write(int n)
{
    for (int i = 0; i < n; i++)
        io_check(
            MPI_File_write_at(io.file, place(i), mine, (int) bytes, MPI_BYTE, MPI_STATUS_IGNORE),
            "MPI_File_write_at");
}

static void mpi_read(int n)
{
    for (int i = 0; i < n; i++)
        io_check(
            MPI_File_read_at(io.file, place(i), mine, (int) bytes, MPI_BYTE, MPI_STATUS_IGNORE),
            "MPI_File_read_at");
}

static void plain_write(int n)
{
    for (int i = 0; i < n; i++)
        if (pwrite(io.fd, mine, bytes, place(i)) != (ssize_t) bytes)
            perf_fail("pwrite");
}

static void plain_read(int n)
{
    for (int i = 0; i < n; i++)
        if (pread(io.fd, mine, bytes, place(i)) != (ssize_t) bytes)
            perf_fail("pread");
}

static void write_over_pwrite(size_t size, int iters)
{
    bytes = size;
    turns_take((void (*const[])(int)) { mpi_write, plain_write }, iters);
}

static void read_over_pread(size_t size, int iters)
{
    bytes = size;
    turns_take((void (*const[])(int)) { mpi_read, plain_read }, iters);
}

static void measure_contiguous(void)
{
    static const size_t sizes[] = { 65536, 1048576, REGION };
    static const struct perf_case write_case = { "write_over_pwrite", "ratio", write_over_pwrite,
                                                 turns_ratio };
    static const struct perf_case read_case = { "read_over_pread", "ratio", read_over_pread,
                                                turns_ratio };

    if (!io_wanted(write_case.name) && !io_wanted(read_case.name))
        return;
    io_empty(0);
    mine = perf_buffer(REGION);
    bytes = REGION;
    plain_write(1);
    run_as(&write_case, sizes, 3);
    run_as(&read_case, sizes, 3);
    free(mine);
}

/* ---- strided --------------------------------------------------------------------------------- */

/* A quarter of the file, in blocks: each process by itself. */
static void write_strided(size_t size, int iters)
{
    (void) size;
    for (int i = 0; i < iters; i++)
        io_check(MPI_File_write_at(io.file, 0, mine, (int) bytes, MPI_BYTE, MPI_STATUS_IGNORE),
                 "MPI_File_write_at");
}

static void read_strided(size_t size, int iters)
{
    (void) size;
    for (int i = 0; i < iters; i++)
        io_check(MPI_File_read_at(io.file, 0, mine, (int) bytes, MPI_BYTE, MPI_STATUS_IGNORE),
                 "MPI_File_read_at");
}

static void measure_strided(size_t size, size_t all)
{
    static const struct perf_case write_case = { "write_strided", "us", write_strided,
                                                 perf_us_each };
    static const struct perf_case read_case = { "read_strided", "us", read_strided, perf_us_each };
    MPI_Datatype block, type;

    if (!io_size_wanted(size) || (!io_wanted(write_case.name) && !io_wanted(read_case.name)))
        return;
    bytes = all;
    mine = perf_buffer(bytes);
    io_empty((MPI_Offset) perf.size * 4 * (MPI_Offset) all);
    MPI_Type_contiguous((int) size, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, 4 * (MPI_Aint) size, &type);
    MPI_Type_commit(&type);
    io_view((MPI_Offset) perf.rank * 4 * (MPI_Offset) all, MPI_BYTE, type);
    run_as(&write_case, &size, 1);
    run_as(&read_case, &size, 1);
    io_view(0, MPI_BYTE, MPI_BYTE);
    MPI_Type_free(&type);
    MPI_Type_free(&block);
    free(mine);
}

/* ---- small calls ----------------------------------------------------------------------------- */

static MPI_Datatype pieces;

static void open_close(size_t size, int iters)
{
    MPI_File f;

    (void) size;
    for (int i = 0; i < iters; i++) {
        open_file(&f);
        io_check(MPI_File_close(&f), "MPI_File_close");
    }
}

static void write_shared(size_t size, int iters)
{
    char data[SHARED] = { 0 };

    for (int i = 0; i < iters; i++)
        io_check(MPI_File_write_shared(io.file, data, (int) size, MPI_BYTE, MPI_STATUS_IGNORE),
                 "MPI_File_write_shared");
}

static void set_view(size_t size, int iters)
{
    (void) size;
    for (int i = 0; i < iters; i++)
        io_view(0, MPI_BYTE, pieces);
}

static void measure_small(void)
{
    static const struct perf_case open_case = { "open_close", "us", open_close, perf_us_each };
    static const struct perf_case shared_case = { "write_shared", "us", write_shared,
                                                  perf_us_each };
    static const struct perf_case view_case = { "set_view_pieces", "us", set_view, perf_us_each };
    static const size_t none = 0, shared = SHARED;

    io_empty(0);
    run_as(&open_case, &none, 1);
    run_as(&shared_case, &shared, 1);
    if (!io_wanted(view_case.name))
        return;
    pieces = io_pieces(io.quick ? 10000 : 1000000, 1);
    run_as(&view_case, &none, 1);
    io_view(0, MPI_BYTE, MPI_BYTE);
    MPI_Type_free(&pieces);
}

/* ---- requests -------------------------------------------------------------------------------- */

static MPI_Offset own_part(void) { return (MPI_Offset) perf.rank * (MPI_Offset) bytes; }

static double seconds_of_write(void)
{
    double start = probe_now();

    io_check(MPI_File_write_at(io.file, own_part(), mine, (int) bytes, MPI_BYTE, MPI_STATUS_IGNORE),
             "MPI_File_write_at");
    return perf_max(probe_now() - start);
}

/* Computes for twice as long as the write takes by itself; what is left of it is done in Wait. */
static double seconds_of_wait(bool all, double alone)
{
    int (*start)(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Request *) =
        all ? MPI_File_iwrite_at_all : MPI_File_iwrite_at;
    MPI_Request r;

    perf_gate();
    io_check(start(io.file, own_part(), mine, (int) bytes, MPI_BYTE, &r), "MPI_File_iwrite_at");
    perf_burn(2e6 * alone);
    double from = probe_now();
    io_check(MPI_Wait(&r, MPI_STATUS_IGNORE), "MPI_Wait");
    return perf_max(probe_now() - from);
}

/* Rank 0 tells how much of the time of a write is left for MPI_Wait. */
static void measure_requests(const char *name, bool all)
{
    char whole[IO_NAME];

    if (!io_wanted(name))
        return;
    io_empty(0);
    bytes = (size_t) (io.quick ? 16 : 256) * IO_MIB / (size_t) perf.size;
    mine = perf_buffer(bytes);
    (void) seconds_of_write();
    for (int s = 0; s < perf.samples; s++) {
        perf_gate();
        double alone = seconds_of_write(), wait = seconds_of_wait(all, alone);
        perf_print(io_name(whole, name, "", ""), 0, wait / alone, "ratio");
    }
    free(mine);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void more(int letter, const char *value)
{
    if (letter == 'd')
        folder = value;
    io.quick |= letter == 'q';
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 1, "64,1024,4096,47008,65536,1048576,16777216", "d:q", more };

    perf_begin(argc, argv, &start);
    nwanted = perf.nsizes;
    memcpy(wanted_sizes, perf.sizes, sizeof wanted_sizes);
    begin();
    measure_contiguous();
    io_measure_shapes();
    measure_strided(64, IO_MIB);
    measure_strided(4096, 8 * IO_MIB);
    measure_small();
    measure_requests("iwrite_wait_over_write", false);
    measure_requests("iwrite_all_wait_over_write", true);
    io_measure_memory();
    end();
    return perf_end();
}
