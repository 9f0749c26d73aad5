/* large.c — F05, F15: a sparse file beyond 4 GiB; offsets, displacements, extents and sizes beyond
 * 2^31 and 2^32, in etypes and in bytes.
 *
 * Usage: large [data]: with data, also one access of 2.1 GiB by a derived type. */
#include "forms.h"

static const MPI_Offset G = 1024L * 1024 * 1024;

static void offsets(enum form form)
{
    const MPI_Offset places[] = { 2 * G - 6, 2 * G + 1, 4 * G - 6, 4 * G + 3, 9 * G + 5 };
    MPI_File f = io_open(0);
    MPI_Offset at = -1;
    MPI_Status s;
    int out[3] = { rank + 1, 200, 300 }, in[3];

    for (int i = 0; i < 5; i++) {
        MPI_Offset mine = places[i] + 12 * rank;
        OK(MPI_File_seek(f, mine, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { true, form, mine, out, 3, MPI_INT }, &s);
        CHECK_INT(count_of(&s, MPI_INT), 3);
        CHECK_INT(position(f), mine + (uses_pointer(form) ? 12 : 0));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_INT(plain_size(), places[i] + 12 * size);
        memset(in, -1, sizeof in);
        CHECK(plain_read(in, 12, mine) == 12 && memcmp(in, out, 12) == 0);
        memset(in, -1, sizeof in);
        OK(MPI_File_seek(f, mine, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { false, form, mine, in, 3, MPI_INT }, &s);
        CHECK(memcmp(in, out, 12) == 0);
        OK(MPI_File_get_size(f, &at));
        CHECK_INT(at, places[i] + 12 * size);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    OK(MPI_File_seek(f, -12 * (size - rank), MPI_SEEK_END));
    CHECK_INT(position(f), places[4] + 12 * rank);
    OK(MPI_File_seek(f, -7 * G, MPI_SEEK_CUR));
    CHECK_INT(position(f), places[4] + 12 * rank - 7 * G);
    OK(MPI_File_set_size(f, 5 * G + 1));
    CHECK_INT(plain_size(), 5 * G + 1);
    io_close(&f);
}

/* Displacement, extent of the filetype and offset each take it beyond. */
static void views(enum form form)
{
    MPI_Datatype type;
    MPI_File f = io_open(0);
    MPI_Offset at = -1;
    MPI_Status s;
    int out[5] = { 1 + rank, 2, 3, 4, 5 }, in[5] = { 0 };

    MPI_Type_create_resized(MPI_INT, 0, 3 * G / 2, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, 2 * G + 4 * rank, MPI_INT, type, "native", MPI_INFO_NULL));
    OK(MPI_File_get_byte_offset(f, 4, &at));
    CHECK_INT(at, 8 * G + 4 * rank);
    access_file(f, &(struct request_of) { true, form, 0, out, 5, MPI_INT }, &s);
    CHECK_INT(count_of(&s, MPI_INT), 5);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), 8 * G + 4 * size);
    for (int i = 0; i < 5; i++) {
        int got = -1;
        plain_read(&got, 4, 2 * G + 4 * rank + i * (3 * G / 2));
        CHECK_INT(got, out[i]);
    }
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { false, form, 0, in, 5, MPI_INT }, &s);
    CHECK(memcmp(in, out, sizeof in) == 0);
    MPI_Type_free(&type);
    io_close(&f);
}

/* The shared pointer beyond 2^32, in etypes. */
static void shared(void)
{
    MPI_File f = io_open(0);
    MPI_Offset at = -1;
    MPI_Status s;
    int x = rank, got = -1;

    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek_shared(f, 5 * G, MPI_SEEK_SET));
    OK(MPI_File_write_ordered(f, &x, 1, MPI_INT, &s));
    OK(MPI_File_get_position_shared(f, &at));
    CHECK_INT(at, 5 * G + size);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), 20 * G + 4 * size);
    plain_read(&got, 4, 20 * G + 4 * rank);
    CHECK_INT(got, rank);
    io_close(&f);
}

/* One access of more than 2^31 bytes: a written end, and the rest is a hole. */
static void much(void)
{
    const MPI_Offset len = 2 * G + G / 10 / 4096 * 4096;
    MPI_File f = io_open(0);
    MPI_Datatype page;
    MPI_Count n = -1;
    MPI_Status s;
    char *buf;

    MPI_Type_contiguous(4096, MPI_BYTE, &page);
    page = committed(page);
    if (rank == 0) {
        plain_write("begin", 5, 0);
        plain_write("middle", 6, 2 * G - 3);
        plain_write("the end", 7, len - 7);
        buf = malloc((size_t) len);
        CHECK(buf);
        OK(MPI_File_read_at(f, 0, buf, (int) (len / 4096), page, &s));
        CHECK_INT(count_of(&s, page), len / 4096);
        MPI_Get_elements_x(&s, page, &n);
        CHECK_INT(n, len);
        CHECK(memcmp(buf, "begin", 5) == 0 && buf[5] == 0);
        CHECK(memcmp(buf + 2 * G - 3, "middle", 6) == 0 && buf[2 * G + 3] == 0);
        CHECK(memcmp(buf + len - 7, "the end", 7) == 0);
        memset(buf + 2 * G + 10, 'x', 100);
        OK(MPI_File_write_at(f, 1, buf, (int) (len / 4096), page, &s));
        CHECK_INT(count_of(&s, page), len / 4096);
        CHECK_INT(plain_size(), len + 1);
        plain_read(buf, 100, 2 * G + 11);
        CHECK(buf[0] == 'x' && buf[99] == 'x' && plain_read(buf, 7, len - 6) == 7);
        CHECK(memcmp(buf, "the end", 7) == 0);
        free(buf);
    }
    MPI_Type_free(&page);
    io_close(&f);
}

/* Whether the machine has this much memory free, or what is written to disk. */
static bool room(long long need)
{
    long long pages = sysconf(_SC_AVPHYS_PAGES);
    int ok = pages * sysconf(_SC_PAGESIZE) > need;

    MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return ok;
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    for (enum form form = 0; form < FORMS; form++) {
        offsets(form);
        views(form);
    }
    shared();
    if (argc > 1 && room(6 * G))
        much();
    io_end();
    return 0;
}
