/* views_strict.c — F04: filetypes with negative displacements, with displacements that go back, and
 * not made of the etype are refused, and the old view stays.
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

int main(int argc, char **argv)
{
    MPI_File f;

    io_init(&argc, &argv);
    f = io_open(400);
    refused(f);
    io_close(&f);
    io_end();
    return 0;
}
