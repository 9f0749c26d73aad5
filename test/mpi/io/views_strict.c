/* views_strict.c — F04, F12: filetypes with negative displacements, with displacements that go
 * back, and not made of the etype are refused, and the old view stays; representations are the
 * same; whole etypes are moved.
 *
 * known: MPICH 4.0 takes negative displacements. */
#include "io.h"

/* Types that no view may have: the old view stays. */
static void refused(MPI_File f)
{
    MPI_Datatype negative, backwards, loose;
    MPI_Offset at = -1;

    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]) { -4, 0 }, MPI_INT, &negative);
    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]) { 8, 0 }, MPI_INT, &backwards);
    MPI_Type_contiguous(3, MPI_BYTE, &loose);
    negative = committed(negative), backwards = committed(backwards), loose = committed(loose);
    OK(MPI_File_set_view(f, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(f, 3, MPI_SEEK_SET));
    CHECK(MPI_File_set_view(f, 0, MPI_INT, negative, "native", MPI_INFO_NULL) != MPI_SUCCESS);
    CHECK(MPI_File_set_view(f, 0, MPI_INT, backwards, "native", MPI_INFO_NULL) != MPI_SUCCESS);
    CHECK(MPI_File_set_view(f, 0, MPI_INT, loose, "native", MPI_INFO_NULL) != MPI_SUCCESS);
    CHECK_INT(position(f), 3);
    OK(MPI_File_get_byte_offset(f, 3, &at));
    CHECK_INT(at, 16);
    MPI_Type_free(&negative);
    MPI_Type_free(&backwards);
    MPI_Type_free(&loose);
}

/* There is no second tile, in any form; the file pointer stays. */
static void beyond(MPI_File f)
{
    MPI_Request request;
    int two[2];

    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    EXPECT(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_read(f, two, 2, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_read_all(f, two, 2, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_iread(f, two, 2, MPI_INT, &request));
    EXPECT(MPI_ERR_UNSUPPORTED_OPERATION,
           MPI_File_read_at(f, 1, two, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(position(f), 0);
    OK(MPI_File_read_all(f, two, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(position(f), 1);
}

/* The end of the file, in tiles of one int each. */
static void ends(MPI_File f, MPI_Datatype filetype, int least, int most)
{
    OK(MPI_File_set_view(f, 0, MPI_INT, filetype, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(f, 0, MPI_SEEK_END));
    CHECK(position(f) >= least && position(f) <= most);
    if (most == 1)
        beyond(f);
}

/* Tiles that overlap in part are allowed in a file that is only read, and the end of the file is
 * found in them. Of tiles that all lie at one place, or overlap in a file that is written, there is
 * only the first. */
static void on_each_other(void)
{
    MPI_File f = io_open(100), g;
    MPI_Datatype still, half;

    MPI_Type_create_resized(MPI_INT, 0, 0, &still);
    MPI_Type_create_resized(MPI_INT, 0, 2, &half);
    still = committed(still), half = committed(half);
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &g));
    ends(f, still, 1, 1);
    ends(g, still, 1, 1);
    ends(f, half, 1, 1);
    ends(g, half, 49, 50);
    OK(MPI_File_close(&g));
    MPI_Type_free(&still);
    MPI_Type_free(&half);
    io_close(&f);
}

/* Ranks name the same representation; their etypes may be of different kinds. */
static void representations(void)
{
    const MPI_Datatype other = rank == size - 1 ? MPI_FLOAT : MPI_INT;
    const MPI_Datatype there = rank == size - 1 ? MPI_LONG : MPI_UNSIGNED;
    MPI_File f = io_open(100);

    OK(MPI_File_set_view(f, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(f, 3, MPI_SEEK_SET));
    if (size > 1)
        EXPECT(MPI_ERR_NOT_SAME,
               MPI_File_set_view(f, 0, MPI_INT, MPI_INT, rank == 0 ? "internal" : "native",
                                 MPI_INFO_NULL));
    CHECK_INT(position(f), 3);
    OK(MPI_File_set_view(f, 0, other, other, "native", MPI_INFO_NULL));
    OK(MPI_File_set_view(f, 0, there, there, "external32", MPI_INFO_NULL));
    io_close(&f);
}

/* What is moved is whole etypes; bytes are etypes of every kind (§13.6.6). */
static void whole_etypes(void)
{
    MPI_File f = io_open(100);
    char c[8] = { 0 };
    MPI_Status s;

    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    EXPECT(MPI_ERR_IO, MPI_File_write(f, c, 3, MPI_BYTE, &s));
    EXPECT(MPI_ERR_IO, MPI_File_read_at(f, 1, c, 1, MPI_SHORT, &s));
    CHECK_INT(position(f), 0);
    OK(MPI_File_read_at(f, 2, c, 8, MPI_BYTE, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), 8);
    for (int i = 0; i < 8; i++)
        CHECK_INT((unsigned char) c[i], pattern(8 + i));
    CHECK_INT(plain_size(), 100);
    io_close(&f);
}

int main(int argc, char **argv)
{
    MPI_File f;

    io_init(&argc, &argv);
    f = io_open(400);
    refused(f);
    io_close(&f);
    on_each_other();
    representations();
    whole_etypes();
    io_end();
    return 0;
}
