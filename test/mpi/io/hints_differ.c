/* hints_differ.c — F13, E01: hints that must be the same in all processes and are not:
 * MPI_ERR_NOT_SAME in all processes, which names the hint and both values, and nothing is changed.
 *
 * known: MPICH 4.0 compares a few of them, and then ends with another error. */
#include "hints.h"

static const char *const keys[][3] = {
    { "collective_buffering", "true", "false" },
    { "romio_cb_read", "enable", "disable" },
    { "romio_cb_write", "automatic", "disable" },
    { "cb_block_size", "4096", "8192" },
    { "cb_buffer_size", "65536", "131072" },
    { "cb_nodes", "1", "2" },
    { "cb_config_list", "*:1", "*:2" },
    { "romio_no_indep_rw", "false", "true" },
    { "file_perm", "0644", "0600" },
    { "striping_factor", "2", "4" },
    { "striping_unit", "65536", "131072" },
    { "romio_lustre_start_iodevice", "0", "1" },
    { "num_io_nodes", "2", "4" },
    { "nb_proc", "2", "4" },
    { "io_node_list", "a,b", "a,c" },
    { "chunked", "1,2", "1,3" },
    { "chunked_item", "4", "8" },
    { "chunked_size", "1,2", "2,1" },
};
enum { KEYS = sizeof keys / sizeof *keys };

/* The call has failed in all ranks for this hint, in which rank 0 differs from rank `other`. */
static void refused(int code, const char *key, const char *first, const char *second, int other)
{
    char text[MPI_MAX_ERROR_STRING + 1], want[MPI_MAX_ERROR_STRING + 1];
    int len;

    EXPECT(MPI_ERR_NOT_SAME, code);
    MPI_Error_string(code, text, &len);
    if (!strcmp(key, "collective_buffering")) /* the text is of what it sets */
        snprintf(want, sizeof want,
                 "hint romio_cb_read differs: 'enable' on rank 0, 'disable' on "
                 "rank %d",
                 other);
    else
        snprintf(want, sizeof want, "hint %s differs: '%s' on rank 0, '%s' on rank %d", key, first,
                 second, other);
    if (!strstr(text, want))
        mpitest_fail(want, 0, text);
}

static void all_calls(int i, int other)
{
    MPI_Info info = info_of(keys[i][0], keys[i][1 + (rank == other)]), used[2];
    MPI_File f;
    int n[2];

    MPI_Info_set(info, "romio_ds_read", rank ? "enable" : "disable"); /* it may differ */
    io_fresh();
    refused(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f),
            keys[i][0], keys[i][1], keys[i][2], other);
    CHECK(f == MPI_FILE_NULL && plain_size() == -1);
    f = io_open(10);
    OK(MPI_File_get_info(f, &used[0]));
    refused(MPI_File_set_info(f, info), keys[i][0], keys[i][1], keys[i][2], other);
    refused(MPI_File_set_view(f, 4, MPI_BYTE, MPI_BYTE, "native", info), keys[i][0], keys[i][1],
            keys[i][2], other);
    OK(MPI_File_get_info(f, &used[1]));
    for (int k = 0; k < 2; k++)
        MPI_Info_get_nkeys(used[k], &n[k]);
    CHECK_INT(n[0], n[1]);
    for (int k = 0; k < n[0]; k++) {
        char key[MPI_MAX_INFO_KEY + 1], a[1000], b[1000];
        int flag;
        MPI_Info_get_nthkey(used[0], k, key);
        MPI_Info_get(used[0], key, 999, a, &flag);
        MPI_Info_get(used[1], key, 999, b, &flag);
        CHECK(flag && !strcmp(a, b));
    }
    MPI_Offset disp = -1;
    MPI_File_get_byte_offset(f, 0, &disp);
    CHECK_INT(disp, 0);
    for (int k = 0; k < 2; k++)
        MPI_Info_free(&used[k]);
    MPI_Info_free(&info);
    io_close(&f);
}

/* A rank without the hint has the default. */
static void one_without(void)
{
    MPI_Info info = info_of("cb_buffer_size", rank ? "4096" : "none");
    MPI_File f = io_open(10);

    refused(MPI_File_set_info(f, info), "cb_buffer_size", "4194304", "4096", 1);
    MPI_Info_set(info, "cb_buffer_size", rank ? "4194304" : "none");
    OK(MPI_File_set_info(f, info));
    MPI_Info_free(&info);
    io_close(&f);
}

/* Another error of one rank is one of all, also where hints differ. */
static void one_wrong(void)
{
    MPI_Info info = info_of("cb_nodes", rank ? "1" : "2");
    MPI_File f = io_open(10);

    EXPECT(MPI_ERR_INFO, MPI_File_set_info(f, rank == 1 ? (MPI_Info) 0x12345 : info));
    EXPECT(MPI_ERR_INFO, MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native",
                                           rank == 1 ? (MPI_Info) 0x12345 : info));
    MPI_Info_free(&info);
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    for (int i = 0; i < KEYS; i++)
        for (int other = 1; other < size; other++)
            all_calls(i, other);
    one_without();
    one_wrong();
    io_end();
    return 0;
}
