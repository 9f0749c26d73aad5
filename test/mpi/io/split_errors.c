/* split_errors.c — F07: two split collective calls at once on a handle, an end without its begin
 * and an end of another call are errors; what is open then goes on. */
#include "io.h"

/* While a pair is open no other collective access is made on the handle, no call that needs it
 * without requests, and the end has the same buffer. */
static void in_between(MPI_File f)
{
    unsigned char a[4], b[4];
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status s;

    OK(MPI_File_read_at_all_begin(f, 10, a, 4, MPI_BYTE));
    EXPECT(MPI_ERR_REQUEST, MPI_File_read_all(f, b, 4, MPI_BYTE, &s));
    EXPECT(MPI_ERR_REQUEST, MPI_File_write_at_all(f, 0, b, 4, MPI_BYTE, &s));
    EXPECT(MPI_ERR_REQUEST, MPI_File_read_ordered(f, b, 4, MPI_BYTE, &s));
    EXPECT(MPI_ERR_REQUEST, MPI_File_iwrite_all(f, b, 4, MPI_BYTE, &r));
    EXPECT(MPI_ERR_REQUEST, MPI_File_iread_at_all(f, 0, b, 4, MPI_BYTE, &r));
    EXPECT(MPI_ERR_REQUEST, MPI_File_sync(f));
    EXPECT(MPI_ERR_REQUEST, MPI_File_set_size(f, 50));
    EXPECT(MPI_ERR_REQUEST, MPI_File_preallocate(f, 500));
    EXPECT(MPI_ERR_REQUEST, MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    EXPECT(MPI_ERR_REQUEST, MPI_File_set_atomicity(f, 1));
    EXPECT(MPI_ERR_REQUEST, MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    EXPECT(MPI_ERR_REQUEST, MPI_File_close(&f));
    EXPECT(MPI_ERR_BUFFER, MPI_File_read_at_all_end(f, b, &s));
    OK(MPI_File_read_at_all_end(f, a, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), 4);
    for (int i = 0; i < 4; i++)
        CHECK_INT(a[i], pattern(10 + i));
    CHECK_INT(position(f), 0);
    CHECK_INT(plain_size(), 100);
}

int main(int argc, char **argv)
{
    unsigned char a[4], b[4];
    MPI_Status s;
    MPI_File f;

    io_init(&argc, &argv);
    f = io_open(100);
    CHECK(MPI_File_read_all_end(f, a, &s) != MPI_SUCCESS);
    CHECK(MPI_File_write_at_all_end(f, a, &s) != MPI_SUCCESS);
    CHECK(MPI_File_read_ordered_end(f, a, &s) != MPI_SUCCESS);
    OK(MPI_File_read_at_all_begin(f, 10, a, 4, MPI_BYTE));
    CHECK(MPI_File_read_at_all_begin(f, 20, b, 4, MPI_BYTE) != MPI_SUCCESS);
    CHECK(MPI_File_read_all_begin(f, b, 4, MPI_BYTE) != MPI_SUCCESS);
    CHECK(MPI_File_read_ordered_begin(f, b, 4, MPI_BYTE) != MPI_SUCCESS);
    CHECK(MPI_File_write_all_begin(f, b, 4, MPI_BYTE) != MPI_SUCCESS);
    CHECK(MPI_File_write_at_all_begin(f, 50, b, 4, MPI_BYTE) != MPI_SUCCESS);
    CHECK(MPI_File_write_ordered_begin(f, b, 4, MPI_BYTE) != MPI_SUCCESS);
    OK(MPI_File_read_at_all_end(f, a, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), 4);
    for (int i = 0; i < 4; i++)
        CHECK_INT(a[i], pattern(10 + i));
    CHECK(MPI_File_read_at_all_end(f, a, &s) != MPI_SUCCESS);
    CHECK_INT(position(f), 0);
    if (starling()) /* MPICH 4.0 looks in the split calls alone */
        in_between(f);
    OK(MPI_File_write_all_begin(f, a, rank == 0, MPI_BYTE));
    OK(MPI_File_write_all_end(f, a, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), rank == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), 100);
    io_close(&f);
    io_end();
    return 0;
}
