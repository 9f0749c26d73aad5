/* no_locks.c — F09: on a file system that grants no locks, atomic mode fails with an error that
 * says so, and changes nothing; all else works.
 *
 * Usage: no_locks [PREFIX]
 *
 * For chaos:posix with STARLING_CHAOS_FILE_NO_LOCKS=yes. With the prefix chaos:nfs, where processes
 * are as if on several nodes that keep what they have read, accesses of one process fail, too. */
#include "io.h"

enum { LEN = 4096 };

static void refused(int err)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int len;

    MPI_Error_string(err, text, &len);
    CHECK_INT(error_class(err), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK(strstr(text, "chaos:") && strstr(text, "grants no locks") && strstr(text, io_path));
}

static void all_forms(MPI_File f, bool nfs)
{
    char c = 'x', got = 0;
    MPI_Request r;
    MPI_Status s;

    refused(MPI_File_write_at(f, rank, &c, 1, MPI_BYTE, &s));
    refused(MPI_File_read_at(f, rank, &got, 1, MPI_BYTE, &s));
    refused(MPI_File_write_at_all(f, rank, &c, 1, MPI_BYTE, &s));
    OK(MPI_File_iwrite_at(f, rank, &c, 1, MPI_BYTE, &r));
    refused(MPI_Wait(&r, &s));
    refused(MPI_File_write_shared(f, &c, 1, MPI_BYTE, &s));
    CHECK_INT(got, 0);
    if (nfs)
        refused(MPI_File_sync(f));
    CHECK_INT(plain_size(), LEN);
}

int main(int argc, char **argv)
{
    unsigned char want[LEN], c = 'y', got = 0;
    const bool nfs = argc > 1;
    char path[400];
    MPI_Status s;
    MPI_File f;

    io_init(&argc, &argv);
    for (int i = 0; i < LEN; i++)
        want[i] = pattern(i);
    if (rank == 0)
        plain_pattern(LEN);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s:%s", nfs ? "chaos:nfs" : "chaos:posix", io_path);
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &f));
    OK(MPI_File_set_atomicity(f, !nfs));
    all_forms(f, nfs);
    io_same(want, LEN);
    OK(MPI_File_set_atomicity(f, false));
    if (!nfs) {
        OK(MPI_File_write_at_all(f, rank, &c, 1, MPI_BYTE, &s));
        OK(MPI_File_read_at(f, rank, &got, 1, MPI_BYTE, &s));
        CHECK_INT(got, 'y');
        memset(want, 'y', (size_t) size);
    }
    io_same(want, LEN);
    io_close(&f);
    io_end();
    return 0;
}
