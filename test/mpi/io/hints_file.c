/* hints_file.c — F13: a file with hints that ROMIO_HINTS names: one on each line. Those of the
 * program are above it. Without the file all goes on, with a warning.
 *
 * known: MPICH 4.0 has other spellings of values. */
#include "hints.h"

static const char lines[] = "# hints\n"
                            "cb_buffer_size 65536\n"
                            "\n"
                            "  romio_cb_write\t enable \r\n"
                            "romio_cb_read enable\n"
                            "romio_cb_read disable\n"
                            "cb_nodes many\n"
                            "nb_proc\n"
                            "no_such_hint 42\n"
                            "access_style read_once, random\n"
                            "ind_rd_buffer_size 1000"; /* without an end */

static void opens(MPI_Info info, const char *const want[][2], int n)
{
    MPI_File f = opened(info);

    for (int i = 0; i < n; i++)
        same(f, want[i][0], want[i][1]);
    io_close(&f);
}

/* Without the file the first open of a process says so, and later ones do not. */
static void without_file(void)
{
    const char *const want[][2] = { { "cb_buffer_size", "4194304" },
                                    { "romio_cb_write", "automatic" } };
    char name[320], text[1000] = "";

    snprintf(name, sizeof name, "%s/stderr%d", io_folder, rank);
    for (int i = 0; i < 2; i++) {
        int old = dup(2), out = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        CHECK(old >= 0 && out >= 0 && dup2(out, 2) == 2);
        opens(MPI_INFO_NULL, want, 2);
        CHECK(dup2(old, 2) == 2);
        ssize_t n = pread(out, text, sizeof text - 1, 0);
        CHECK(n >= 0);
        text[n] = 0;
        if ((strstr(text, "ROMIO_HINTS=") && strstr(text, strerror(ENOENT))) != (i == 0))
            mpitest_fail(text, 0, i ? "is said again" : "does not name the file and why");
        close(old);
        close(out);
    }
    CHECK(unlink(name) == 0);
}

int main(int argc, char **argv)
{
    const char *path = getenv("ROMIO_HINTS");
    const char *const of_file[][2] = {
        { "cb_buffer_size", "65536" },   { "romio_cb_write", "enable" },
        { "romio_cb_read", "enable" },   { "nb_proc", "" },
        { "no_such_hint", "" },          { "access_style", "read_once,random" },
        { "ind_rd_buffer_size", "1000" }
    };
    const char *const of_both[][2] = { { "cb_buffer_size", "8192" },
                                       { "romio_cb_write", "enable" },
                                       { "romio_cb_read", "disable" } };
    MPI_Info info;

    io_init(&argc, &argv);
    CHECK(path);
    if (rank == 0)
        (void) unlink(path); /* of a run that was ended */
    MPI_Barrier(MPI_COMM_WORLD);
    without_file();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *f = fopen(path, "w");
        CHECK(f && fputs(lines, f) >= 0);
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    opens(MPI_INFO_NULL, of_file, 7);
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "8192");
    MPI_Info_set(info, "romio_cb_read", "disable");
    opens(info, of_both, 3);
    MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK(unlink(path) == 0);
    io_end();
    return 0;
}
