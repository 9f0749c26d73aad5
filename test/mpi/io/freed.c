/* freed.c — F02, F05: requests that are freed while they are under way: the access goes on, and
 * calls that need a file without requests wait for it. Those whose handle is there are an error.
 *
 * MPICH 4.0 does not wait. */
#include "forms.h"

enum { MANY = 40, LEN = 1 << 18 };

/* Starts MANY accesses and drops the requests. */
static void start_freed(MPI_File f, enum form form, bool writes, unsigned char *bytes)
{
    const MPI_Offset base = (MPI_Offset) rank * MANY * LEN;
    MPI_Request r;

    OK(MPI_File_seek(f, base, MPI_SEEK_SET));
    for (int i = 0; i < MANY; i++) {
        start(f,
              &(struct request_of) { writes, form, base + i * LEN, bytes + (size_t) i * LEN, LEN,
                                     MPI_BYTE },
              &r);
        CHECK(r != MPI_REQUEST_NULL);
        OK(MPI_Request_free(&r));
        CHECK(r == MPI_REQUEST_NULL);
    }
}

enum until { SYNC, SET_VIEW, SET_SIZE, CLOSE, UNTILS };

static void wait_until(MPI_File *f, enum until u)
{
    if (u == SYNC)
        OK(MPI_File_sync(*f));
    else if (u == SET_VIEW)
        OK(MPI_File_set_view(*f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    else if (u == SET_SIZE)
        OK(MPI_File_set_size(*f, (MPI_Offset) MANY * LEN * size));
    else {
        OK(MPI_File_close(f));
        MPI_Barrier(MPI_COMM_WORLD);
        OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, f));
    }
}

/* The bytes are there after a call of each kind, in the file and in memory. */
static void until(enum until u, enum form form)
{
    unsigned char *out = mpitest_memory(MANY * LEN), *in = mpitest_memory(MANY * LEN);
    MPI_File f = io_open(0);

    for (int i = 0; i < MANY * LEN; i++)
        out[i] = pattern(i + 7 * rank);
    memset(in, 0, MANY * LEN);
    start_freed(f, form, true, out);
    wait_until(&f, u);
    CHECK(plain_read(in, MANY * LEN, (off_t) rank * MANY * LEN) == MANY * LEN);
    CHECK(memcmp(in, out, MANY * LEN) == 0);
    memset(in, 0, MANY * LEN);
    start_freed(f, form, false, in);
    wait_until(&f, u);
    CHECK(memcmp(in, out, MANY * LEN) == 0);
    free(out);
    free(in);
    io_close(&f);
}

/* The datatype may be freed as well. */
static void with_type(void)
{
    unsigned char bytes[20], want[10];
    MPI_File f = io_open(0);
    MPI_Datatype other;
    MPI_Request r;

    for (int i = 0; i < 20; i++)
        bytes[i] = (unsigned char) (10 * rank + i);
    for (int i = 0; i < 10; i++)
        want[i] = bytes[2 * i];
    MPI_Type_vector(10, 1, 2, MPI_BYTE, &other);
    other = committed(other);
    OK(MPI_File_iwrite_at(f, 10 * rank, bytes, 1, other, &r));
    OK(MPI_Request_free(&r));
    MPI_Type_free(&other);
    OK(MPI_File_close(&f));
    CHECK(plain_read(bytes, 10, 10 * rank) == 10 && memcmp(bytes, want, 10) == 0);
    io_remove();
}

/* One that was not freed is still an error, and can be waited for then. In atomic mode it does not
 * end while there is a lock on its byte. */
static void kept(void)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = rank, .l_len = 1 };
    MPI_File f = io_open(100);
    int fd = open(io_path, O_RDWR);
    MPI_Request r;
    MPI_Status s;

    CHECK(fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0);
    OK(MPI_File_set_atomicity(f, 1));
    OK(MPI_File_iwrite_at(f, rank, "x", 1, MPI_BYTE, &r));
    EXPECT(MPI_ERR_REQUEST, MPI_File_sync(f));
    EXPECT(MPI_ERR_REQUEST, MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    EXPECT(MPI_ERR_REQUEST, MPI_File_close(&f));
    CHECK(f != MPI_FILE_NULL);
    CHECK(close(fd) == 0);
    OK(MPI_Wait(&r, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), 1);
    OK(MPI_File_sync(f));
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    for (enum until u = 0; u < UNTILS; u++)
        for (int pointer = 0; pointer < 2; pointer++)
            until(u, pointer ? IPLAIN : IAT);
    with_type();
    if (starling())
        kept();
    io_end();
    return 0;
}
