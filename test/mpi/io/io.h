/* io.h — what the tests of files share: a folder of the job, fresh paths in it, and plain access to
 * the bytes of a file without MPI. All functions but the plain ones are collective over
 * MPI_COMM_WORLD. */
#ifndef IO_H
#define IO_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../env/starling.h"

static int rank, size;
static char io_folder[256]; /* of this job alone */
static char io_path[300];   /* the file that io_fresh names */

/* A call that must succeed, or fail with a class. Files return errors by default. */
#define OK(call)            io_expect(__FILE__, __LINE__, #call, MPI_SUCCESS, (call))
#define EXPECT(class, call) io_expect(__FILE__, __LINE__, #call, (class), (call))

static inline void io_expect(const char *file, int line, const char *call, int class, int code)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "", what[MPI_MAX_ERROR_STRING + 300];
    int len, got = error_class(code);

    if (got == class)
        return;
    MPI_Error_string(code, text, &len);
    snprintf(what, sizeof what, "%.200s: class %d, not %d: %s", call, got, class, text);
    mpitest_fail(file, line, what);
}

/* The path of a file that does not exist. Every path of a job is another one. */
static inline void io_fresh(void)
{
    static int number;

    snprintf(io_path, sizeof io_path, "%s/file%d", io_folder, number++);
}

/* After MPI_Init. */
static inline void io_begin(void)
{
    const char *tmp = getenv("TMPDIR");

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(io_folder, sizeof io_folder, "%s/mpi-io-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (rank == 0)
        CHECK(mkdtemp(io_folder));
    MPI_Bcast(io_folder, sizeof io_folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    io_fresh();
}

static inline void io_init(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    io_begin();
}

/* ---- without MPI: the bytes as they are on disk, by one process ---- */

static inline void plain_write(const void *buf, size_t len, off_t at)
{
    int fd = open(io_path, O_WRONLY | O_CREAT, 0666);

    CHECK(fd >= 0 && pwrite(fd, buf, len, at) == (ssize_t) len);
    CHECK(close(fd) == 0);
}

static inline size_t plain_read(void *buf, size_t len, off_t at)
{
    int fd = open(io_path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : pread(fd, buf, len, at);

    CHECK(n >= 0 && close(fd) == 0);
    return (size_t) n;
}

/* -1: there is no file. */
static inline long long plain_size(void)
{
    struct stat s;

    return stat(io_path, &s) == 0 ? (long long) s.st_size : -1;
}

/* The bytes that plain_pattern writes at a place. */
static inline unsigned char pattern(long long at)
{
    return (unsigned char) ((uint64_t) (at + 1) * 0x9e3779b97f4a7c15u >> 56);
}

static inline void plain_pattern(size_t len)
{
    unsigned char *p = mpitest_memory(len);

    for (size_t i = 0; i < len; i++)
        p[i] = pattern((long long) i);
    plain_write(p, len, 0);
    free(p);
}

/* ---- files of all ranks ---- */

/* A fresh file of len bytes of the pattern, open for reading and writing. */
static inline MPI_File io_open(size_t len)
{
    MPI_File f;

    io_fresh();
    if (rank == 0)
        plain_pattern(len);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &f));
    return f;
}

/* Every rank finds these bytes in the file, and no more. */
static inline void io_same(const void *want, size_t len)
{
    unsigned char *got = mpitest_memory(len + 1);

    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), (long long) len);
    CHECK_INT((long long) plain_read(got, len + 1, 0), (long long) len);
    for (size_t i = 0; i < len; i++)
        if (got[i] != ((const unsigned char *) want)[i]) {
            fprintf(stderr, "byte %zu\n", i);
            CHECK_INT(got[i], ((const unsigned char *) want)[i]);
        }
    free(got);
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline void io_remove(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK(unlink(io_path) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline void io_close(MPI_File *f)
{
    OK(MPI_File_close(f));
    CHECK(*f == MPI_FILE_NULL);
    io_remove();
}

/* Nothing is left in the folder: no lock, no shared pointer, no part of a file. */
static inline void io_end(void)
{
    struct dirent *e;
    DIR *d;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        d = opendir(io_folder);
        CHECK(d);
        while ((e = readdir(d)))
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
                mpitest_fail(e->d_name, 0, "is left in the folder");
        closedir(d);
        CHECK(rmdir(io_folder) == 0);
    }
    MPI_Finalize();
}

static inline MPI_Offset position(MPI_File f)
{
    MPI_Offset at = -1;

    OK(MPI_File_get_position(f, &at));
    return at;
}

static inline int count_of(const MPI_Status *s, MPI_Datatype type)
{
    int n = -1;

    MPI_Get_count(s, type, &n);
    return n;
}

/* A committed type. */
static inline MPI_Datatype committed(MPI_Datatype type)
{
    MPI_Type_commit(&type);
    return type;
}

#endif /* IO_H */
