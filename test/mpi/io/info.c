/* info.c — F13: hints at open, by set_info and with a view; unknown ones are ignored, and no hint
 * changes what is read or written. */
#include "forms.h"

static MPI_Info hints(const char *const *pairs)
{
    MPI_Info info;

    MPI_Info_create(&info);
    for (; *pairs; pairs += 2)
        MPI_Info_set(info, pairs[0], pairs[1]);
    return info;
}

/* The value of a key, or "". */
static const char *value(MPI_Info info, const char *key)
{
    static char text[MPI_MAX_INFO_VAL + 1];
    int flag = 0;

    text[0] = 0;
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, text, &flag);
    return flag ? text : "";
}

/* Each rank writes parts in turn through a view with holes, and all is read back. */
static void works(MPI_File f, MPI_Info info)
{
    enum { N = 200 };
    int out[N], in[N], got = -1;
    MPI_Datatype type;
    MPI_Status s;

    for (int i = 0; i < N; i++)
        out[i] = rank * 1000 + i;
    MPI_Type_create_resized(MPI_INT, 0, 4 * (size + 1), &type);
    type = committed(type);
    OK(MPI_File_set_view(f, 4 * rank, MPI_INT, type, "native", info));
    MPI_Type_free(&type);
    for (enum form form = 0; form < FORMS; form += 3) { /* 4 of them */
        memset(in, -1, sizeof in);
        OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { true, form, 0, out, N, MPI_INT }, &s);
        CHECK_INT(count_of(&s, MPI_INT), N);
        OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
        access_file(f, &(struct request_of) { false, form, 0, in, N, MPI_INT }, &s);
        CHECK(memcmp(in, out, sizeof in) == 0);
        for (int i = 0; i < N; i++)
            out[i]++;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < N; i++) {
            plain_read(&got, 4, 4 * r + 4L * i * (size + 1));
            CHECK_INT(got, r * 1000 + i + 3);
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What is given is in use for views, for opens, and later; the object is free at once. */
static void given(const char *const *pairs)
{
    for (int how = 0; how < 3; how++) {
        MPI_Info info = hints(pairs), used;
        MPI_File f;

        io_fresh();
        OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR,
                         how == 0 ? info : MPI_INFO_NULL, &f));
        if (how == 1)
            OK(MPI_File_set_info(f, info));
        works(f, how == 2 ? info : MPI_INFO_NULL);
        MPI_Info_free(&info);
        OK(MPI_File_get_info(f, &used));
        CHECK(used != MPI_INFO_NULL);
        CHECK(strcmp(value(used, "no_such_hint"), "42") != 0);
        MPI_Info_free(&used);
        works(f, MPI_INFO_NULL);
        io_close(&f);
    }
}

/* The result is a new object each time, and changing it changes nothing. */
static void fresh_objects(void)
{
    MPI_File f = io_open(10);
    MPI_Info a, b;

    OK(MPI_File_get_info(f, &a));
    OK(MPI_File_get_info(f, &b));
    CHECK(a != b);
    MPI_Info_set(a, "no_such_hint", "42");
    MPI_Info_free(&a);
    CHECK(strcmp(value(b, "no_such_hint"), "") == 0);
    OK(MPI_File_get_info(f, &a));
    CHECK(strcmp(value(a, "no_such_hint"), "") == 0);
    MPI_Info_free(&a);
    MPI_Info_free(&b);
    io_close(&f);
}

/* A hint that is reported has the value that is given, and another file does not have it. */
static void reported(void)
{
    const char *const pairs[] = { "cb_buffer_size", "65536", NULL };
    MPI_Info info = hints(pairs), used;
    MPI_File f, other = io_open(0);

    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, info, &f));
    MPI_Info_free(&info);
    OK(MPI_File_get_info(f, &used));
    if (*value(used, "cb_buffer_size"))
        CHECK_INT(strtol(value(used, "cb_buffer_size"), NULL, 10), 65536);
    MPI_Info_free(&used);
    OK(MPI_File_get_info(other, &used));
    CHECK(strcmp(value(used, "cb_buffer_size"), "65536") != 0);
    MPI_Info_free(&used);
    OK(MPI_File_close(&f));
    io_close(&other);
}

int main(int argc, char **argv)
{
    const char *const lists[][9] = {
        { NULL },
        { "no_such_hint", "42", NULL },
        { "collective_buffering", "true", "cb_buffer_size", "4096", "cb_nodes", "1", NULL },
        { "access_style", "write_once,random", "cb_block_size", "512", NULL },
        { "striping_factor", "4", "striping_unit", "4096", "num_io_nodes", "2", NULL },
        { "file_perm", "0644", "io_node_list", "x,y", "filename", "other", "chunked", "3" },
        { "cb_nodes", "many", "cb_buffer_size", "-7", "collective_buffering", "perhaps", NULL },
    };

    io_init(&argc, &argv);
    for (int i = 0; i < (starling() ? 7 : 6); i++) /* MPICH 4.0 ends at wrong values */
        given(lists[i]);
    fresh_objects();
    reported();
    io_end();
    return 0;
}
