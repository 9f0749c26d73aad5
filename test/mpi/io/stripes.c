/* stripes.c — F01, F13: the hints of stripes change nothing but where bytes are: files are created
 * once, with the permissions that are asked for, and what is there already stays. */
#include "io.h"

static MPI_Info stripes(void)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "striping_factor", "2");
    MPI_Info_set(info, "striping_unit", "65536");
    MPI_Info_set(info, "romio_lustre_start_iodevice", "1");
    return info;
}

static void created(MPI_Info info)
{
    const int mode = MPI_MODE_RDWR | MPI_MODE_CREATE;
    const mode_t mask = umask(0027);
    struct stat s;
    MPI_File f;

    io_fresh();
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, mode | MPI_MODE_EXCL, info, &f));
    CHECK(stat(io_path, &s) == 0);
    CHECK_INT(s.st_mode & 0777, 0640);
    CHECK_INT(s.st_size, 0);
    OK(MPI_File_close(&f));
    umask(mask);
    EXPECT(MPI_ERR_FILE_EXISTS,
           MPI_File_open(MPI_COMM_WORLD, io_path, mode | MPI_MODE_EXCL, info, &f));
    io_remove();
}

static void there_already(MPI_Info info)
{
    enum { LEN = 200000 };
    unsigned char *want = mpitest_memory(LEN), c = 'x';
    MPI_Status s;
    MPI_File f;

    for (int i = 0; i < LEN; i++)
        want[i] = i < size ? 'x' : pattern(i);
    io_fresh();
    if (rank == 0)
        plain_pattern(LEN);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR | MPI_MODE_CREATE, info, &f));
    OK(MPI_File_write_at_all(f, rank, &c, 1, MPI_BYTE, &s));
    io_same(want, LEN);
    io_close(&f);
    free(want);
}

/* What is in force is given back; on a file system that has stripes it is what was asked for. */
static void in_force(MPI_Info info)
{
    const char *system = getenv("STARLING_FILE_SYSTEM");
    char value[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info got;
    MPI_File f;
    int found;

    if (!system || strcmp(system, "chaos:lustre") != 0)
        return;
    for (int given = 0; given < 2; given++) {
        io_fresh();
        OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR | MPI_MODE_CREATE,
                         given ? info : MPI_INFO_NULL, &f));
        OK(MPI_File_get_info(f, &got));
        MPI_Info_get(got, "striping_unit", MPI_MAX_INFO_VAL, value, &found);
        CHECK(found);
        CHECK(!given || !strcmp(value, "65536"));
        MPI_Info_free(&got);
        io_close(&f);
    }
}

static void missing(MPI_Info info)
{
    char path[400];
    MPI_File f;

    snprintf(path, sizeof path, "%s/none/file", io_folder);
    EXPECT(MPI_ERR_NO_SUCH_FILE,
           MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, info, &f));
}

int main(int argc, char **argv)
{
    MPI_Info info;

    io_init(&argc, &argv);
    info = stripes();
    created(info);
    there_already(info);
    in_force(info);
    missing(info);
    MPI_Info_free(&info);
    io_end();
    return 0;
}
