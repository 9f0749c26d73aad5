/* hints.c — F13: the values of hints: defaults, those of open, of a view and set later, wrong ones
 * that change nothing.
 *
 * MPICH 4.0 has other defaults and ends at wrong values, so most of it is for Starling alone. */
#include "hints.h"

static void set_by_view(MPI_File f, const char *key, const char *value)
{
    MPI_Info info = info_of(key, value);

    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", info));
    MPI_Info_free(&info);
}

static void defaults(void)
{
    const char *const want[][2] = {
        { "cb_buffer_size", "4194304" },
        { "romio_cb_read", "automatic" },
        { "romio_cb_write", "automatic" },
        { "collective_buffering", "true" },
        { "cb_config_list", "*:*" },
        { "romio_no_indep_rw", "false" },
        { "romio_ds_read", "automatic" },
        { "romio_ds_write", "disable" },
        { "direct_read", "false" },
        { "direct_write", "false" },
        { "file_perm", "0666" },
        { "ind_rd_buffer_size", "524288" },
        { "access_style", "" },
        { "romio_lustre_start_iodevice", "" },
        { "chunked", "" },
        { "no_such_hint", "" },
    };
    MPI_File f = opened(MPI_INFO_NULL);

    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        same(f, want[i][0], want[i][1]);
    CHECK(atoi(in_force(f, "cb_nodes")) >= 1 && atoi(in_force(f, "cb_nodes")) <= size);
    CHECK(atoi(in_force(f, "cb_block_size")) >= 4096); /* a page, at least */
    same(f, "filename", io_path);
    io_close(&f);
}

/* Calls that do not give a hint leave it as it is; a later one may change it. */
static void in_turn(void)
{
    MPI_Info info = info_of("cb_buffer_size", "65536");
    MPI_File f = opened(info);

    MPI_Info_free(&info);
    same(f, "cb_buffer_size", "65536");
    set_by_view(f, "romio_cb_write", "enable");
    same(f, "romio_cb_write", "enable");
    same(f, "cb_buffer_size", "65536");
    set(f, "romio_cb_read", "disable");
    set(f, "cb_buffer_size", "1048576");
    same(f, "romio_cb_write", "enable");
    same(f, "romio_cb_read", "disable");
    same(f, "cb_buffer_size", "1048576");
    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    same(f, "cb_buffer_size", "1048576");
    io_close(&f);
}

/* Every hint that the library has one value for is given back as it was set, or as that is
 * written. */
static void right_values(void)
{
    const char *const list[][3] = {
        { "romio_cb_read", "ENABLE", "enable" },
        { "romio_ds_read", "disable", "disable" },
        { "romio_no_indep_rw", "TRUE", "true" },
        { "cb_block_size", "8192", "8192" },
        { "cb_nodes", "1", "1" },
        { "cb_config_list", "*:3", "*:3" },
        { "cb_config_list", "*:*", "*:*" },
        { "ind_rd_buffer_size", "4096", "4096" },
        { "ind_wr_buffer_size", "99999999999999999999999", "2147483647" },
        { "access_style", "random, write_once", "write_once,random" },
        { "num_io_nodes", "7", "7" },
        { "nb_proc", "12", "12" },
        { "io_node_list", "a,b", "a,b" },
        { "chunked", "100,200", "100,200" },
        { "chunked_size", "10,20", "10,20" },
        { "chunked_item", "8", "8" },
    };
    MPI_File f = opened(MPI_INFO_NULL);

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        set(f, list[i][0], list[i][1]);
        same(f, list[i][0], list[i][2]);
    }
    for (size_t i = sizeof list / sizeof *list - 5; i < sizeof list / sizeof *list; i++)
        same(f, list[i][0], list[i][2]); /* they stay when others are set */
    set(f, "cb_nodes", "1000");
    CHECK_INT(atoi(in_force(f, "cb_nodes")), size);
    io_close(&f);
}

static void wrong_values(void)
{
    const char *const list[][2] = {
        { "cb_buffer_size", "0" },
        { "cb_buffer_size", "-7" },
        { "cb_buffer_size", "4k" },
        { "cb_buffer_size", "" },
        { "cb_nodes", "many" },
        { "cb_nodes", "0" },
        { "romio_cb_write", "perhaps" },
        { "collective_buffering", "enable" },
        { "romio_no_indep_rw", "1" },
        { "cb_config_list", "node1:2,node2:*" },
        { "cb_config_list", "*:0" },
        { "cb_config_list", "*:x" },
        { "romio_ds_write", "enable" },
        { "direct_read", "true" }, /* at open alone */
        { "access_style", "random,quickly" },
        { "access_style", "random," },
        { "chunked", "a,b" },
        { "file_perm", "0600" }, /* for new files alone */
        { "striping_factor", "3" },
        { "filename", "other" },
        { "no_such_hint", "42" },
    };
    MPI_File f = opened(MPI_INFO_NULL);

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char before[MPI_MAX_INFO_VAL + 1];
        strcpy(before, in_force(f, list[i][0]));
        set(f, list[i][0], list[i][1]);
        same(f, list[i][0], before);
        set_by_view(f, list[i][0], list[i][1]);
        same(f, list[i][0], before);
    }
    set(f, "cb_config_list", "*:3");
    set(f, "cb_config_list", "*:0");
    same(f, "cb_config_list", "*:3");
    io_close(&f);
}

/* It sets both directions; a direction in the same object is more precise. */
static void buffering(void)
{
    MPI_File f = opened(MPI_INFO_NULL);
    MPI_Info info = info_of("romio_cb_write", "automatic");

    set(f, "collective_buffering", "false");
    same(f, "romio_cb_read", "disable");
    same(f, "romio_cb_write", "disable");
    same(f, "collective_buffering", "false");
    MPI_Info_set(info, "collective_buffering", "true");
    OK(MPI_File_set_info(f, info));
    MPI_Info_free(&info);
    same(f, "romio_cb_read", "enable");
    same(f, "romio_cb_write", "automatic");
    same(f, "collective_buffering", "true");
    io_close(&f);
}

/* Hints that are not the same in all processes need not be. */
static void own_values(void)
{
    MPI_File f = opened(MPI_INFO_NULL);
    char text[20];

    snprintf(text, sizeof text, "%d", 1000 + rank);
    set(f, "ind_rd_buffer_size", text);
    same(f, "ind_rd_buffer_size", text);
    set(f, "romio_ds_read", rank % 2 ? "enable" : "disable");
    same(f, "romio_ds_read", rank % 2 ? "enable" : "disable");
    io_close(&f);
}

/* No hints at all: MPI_INFO_NULL. */
static void no_info(void)
{
    MPI_File f = opened(MPI_INFO_NULL);

    set(f, "cb_buffer_size", "8192");
    OK(MPI_File_set_info(f, MPI_INFO_NULL));
    same(f, "cb_buffer_size", "8192");
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    in_turn();
    no_info();
    if (starling()) {
        defaults();
        right_values();
        wrong_values();
        buffering();
        own_values();
    }
    io_end();
    return 0;
}
