/* full.c — F03: when a file system is full, the status of a write counts what is in the file, in
 * the blocking and nonblocking forms, alone and in two phases; each process can read so much back.
 *
 * Argument: a file on a file system of at most 2 MiB. */
#include <stdlib.h>
#include "mpitest.h"

enum { LEN = 4 << 20, BLOCK = 4096 };

enum form { WRITE, IWRITE, WRITE_ALL, IWRITE_ALL, FORMS };

static int rank, size;
static char *data, *back;
static const char *path;

static int error_class(int err)
{
    int class;

    MPI_Error_class(err, &class);
    return class;
}

static int write_by(enum form form, MPI_File f, MPI_Status *s)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int err;

    switch (form) {
    case WRITE:
        return MPI_File_write_at(f, 0, data, LEN, MPI_BYTE, s);
    case WRITE_ALL:
        return MPI_File_write_at_all(f, 0, data, LEN, MPI_BYTE, s);
    case IWRITE:
        err = MPI_File_iwrite_at(f, 0, data, LEN, MPI_BYTE, &r);
        break;
    default:
        err = MPI_File_iwrite_at_all(f, 0, data, LEN, MPI_BYTE, &r);
    }
    return err ? err : MPI_Wait(&r, s);
}

/* The blocks of the processes take turns. */
static void fill_up(enum form form, const char *together)
{
    int count = -1;
    MPI_Datatype block, blocks;
    MPI_File f;
    MPI_Info info;
    MPI_Status s;

    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", together);
    CHECK_INT(MPI_File_open(MPI_COMM_WORLD, path,
                            MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &f),
              MPI_SUCCESS);
    MPI_Type_contiguous(BLOCK, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, (MPI_Aint) BLOCK * size, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(f, (MPI_Offset) BLOCK * rank, MPI_BYTE, blocks, "native", info);
    CHECK_INT(error_class(write_by(form, f, &s)), MPI_ERR_NO_SPACE);
    MPI_Get_count(&s, MPI_BYTE, &count);
    CHECK(count >= 0 && count <= 2 << 20);
    int sum = 0;
    MPI_Allreduce(&count, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum <= 2 << 20 && sum > 0);
    memset(back, 0, LEN);
    CHECK_INT(MPI_File_read_at(f, 0, back, count, MPI_BYTE, &s), MPI_SUCCESS);
    CHECK(!memcmp(back, data, (size_t) count));
    MPI_Type_free(&block);
    MPI_Type_free(&blocks);
    MPI_Info_free(&info);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    path = argv[1];
    data = mpitest_memory(LEN);
    back = mpitest_memory(LEN);
    for (int i = 0; i < LEN; i++)
        data[i] = (char) (i % 251 + rank + 1);
    for (enum form form = 0; form < FORMS; form++) {
        fill_up(form, "enable");
        fill_up(form, "disable");
    }
    free(data);
    free(back);
    MPI_Finalize();
    return 0;
}
