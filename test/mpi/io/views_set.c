/* views_set.c — F04, F14: a view is set anew; what MPI_File_get_view returns; pointers and offsets
 * after it. */
#include "view.h"

static void named(MPI_File f)
{
    char datarep[MPI_MAX_DATAREP_STRING] = "";
    MPI_Datatype etype, filetype;
    MPI_Offset disp = -1;

    OK(MPI_File_get_view(f, &disp, &etype, &filetype, datarep));
    CHECK_INT(disp, 0);
    CHECK(etype == MPI_BYTE && filetype == MPI_BYTE);
    CHECK(strcmp(datarep, "native") == 0);
}

/* The types that are returned are new ones, equal to those that are set, and are freed. */
static void derived(MPI_File f, int kind)
{
    struct view v = view_make(kind, rank);
    char datarep[MPI_MAX_DATAREP_STRING] = "";
    MPI_Datatype etype, filetype;
    MPI_Aint lb, extent, want;
    MPI_Offset disp = -1;
    int n, named_etype = v.etype == MPI_INT || v.etype == MPI_BYTE;

    view_set(f, &v);
    MPI_Type_get_extent(v.filetype, &lb, &want);
    view_free(&v);
    OK(MPI_File_get_view(f, &disp, &etype, &filetype, datarep));
    CHECK_INT(disp, v.disp);
    CHECK(strcmp(datarep, "native") == 0);
    MPI_Type_size(etype, &n);
    CHECK_INT(n, v.esize);
    MPI_Type_size(filetype, &n);
    CHECK_INT(n, v.bytes);
    MPI_Type_get_extent(filetype, &lb, &extent);
    CHECK_INT(extent, want);
    if (named_etype)
        CHECK(etype == MPI_INT || etype == MPI_BYTE);
    else
        MPI_Type_free(&etype);
    MPI_Type_free(&filetype);
}

/* Both pointers are 0 after a view is set, also the same one. */
static void resets(MPI_File f)
{
    MPI_Offset at = -1;

    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    for (int i = 0; i < 3; i++) {
        OK(MPI_File_seek(f, 9 + rank, MPI_SEEK_SET));
        OK(MPI_File_seek_shared(f, 5, MPI_SEEK_SET));
        if (i < 2)
            OK(MPI_File_set_view(f, 40 * i, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
        else
            OK(MPI_File_set_view(f, 8, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
        CHECK_INT(position(f), 0);
        OK(MPI_File_get_position_shared(f, &at));
        CHECK_INT(at, 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* The end is counted in etypes of the view, from its displacement on. */
static void seeks_to_end(MPI_File f)
{
    int got = 0, want = 0;
    MPI_Status s;

    OK(MPI_File_set_view(f, 8 + 4 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(f, 0, MPI_SEEK_END));
    CHECK_INT(position(f), (400 - 8 - 4 * rank) / 4);
    OK(MPI_File_seek(f, -2, MPI_SEEK_END));
    OK(MPI_File_read(f, &got, 1, MPI_INT, &s));
    plain_read(&want, 4, 392);
    CHECK_INT(got, want);
}

/* A filetype of the standard's form can be any number of etypes, also one that is not its type. */
static void etypes(MPI_File f)
{
    MPI_Datatype four, filetype;
    unsigned char got[16];
    MPI_Offset at;
    MPI_Status s;

    MPI_Type_contiguous(4, MPI_BYTE, &four);
    four = committed(four);
    MPI_Type_vector(2, 1, 3, four, &filetype);
    filetype = committed(filetype);
    OK(MPI_File_set_view(f, 5, four, filetype, "native", MPI_INFO_NULL));
    MPI_Type_free(&filetype);
    OK(MPI_File_get_byte_offset(f, 3, &at));
    CHECK_INT(at, 5 + 16 + 12);
    OK(MPI_File_read_at(f, 1, got, 2, four, &s));
    CHECK_INT(count_of(&s, four), 2);
    for (int i = 0; i < 8; i++)
        CHECK_INT(got[i], pattern(5 + (i < 4 ? 12 + i : 16 + i - 4)));
    MPI_Type_free(&four);
}

int main(int argc, char **argv)
{
    MPI_File f;

    io_init(&argc, &argv);
    f = io_open(400);
    named(f);
    for (int kind = 0; kind < KINDS; kind++)
        derived(f, kind);
    resets(f);
    seeks_to_end(f);
    etypes(f);
    io_close(&f);
    io_end();
    return 0;
}
