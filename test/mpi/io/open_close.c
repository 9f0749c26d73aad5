/* open_close.c — F01, F02: access modes, exclusive creation, deletion, pointers at the end; groups,
 * communicators of one process and of parts of them; what cannot be opened or deleted. */
#include "io.h"

enum { LEN = 1000 };

/* The mode and the group are those of the open, also when its communicator is gone. */
static void mode_and_group(void)
{
    const int mode[] = { MPI_MODE_RDONLY,
                         MPI_MODE_WRONLY,
                         MPI_MODE_RDWR,
                         MPI_MODE_RDWR | MPI_MODE_CREATE,
                         MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_APPEND,
                         MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN,
                         MPI_MODE_RDONLY + MPI_MODE_UNIQUE_OPEN + MPI_MODE_APPEND,
                         MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL,
                         MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL };

    io_fresh();
    if (rank == 0)
        plain_pattern(LEN);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof mode / sizeof *mode; i++) {
        MPI_Group group, all;
        MPI_Offset len;
        MPI_Comm comm;
        MPI_File f;
        int got = -1, same;

        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm); /* in the other order */
        MPI_Comm_group(comm, &all);
        OK(MPI_File_open(comm, io_path, mode[i], MPI_INFO_NULL, &f));
        MPI_Comm_free(&comm);
        OK(MPI_File_get_amode(f, &got));
        CHECK_INT(got, mode[i]);
        OK(MPI_File_get_group(f, &group));
        MPI_Group_compare(group, all, &same);
        CHECK_INT(same, MPI_IDENT);
        OK(MPI_File_get_size(f, &len));
        CHECK_INT(len, LEN);
        MPI_Group_free(&group);
        MPI_Group_free(&all);
        OK(MPI_File_close(&f));
        CHECK(f == MPI_FILE_NULL);
    }
    io_remove();
}

static void append(void)
{
    MPI_Offset at = -1;
    MPI_Status s;
    MPI_File f;
    char c = 'x';

    io_fresh();
    if (rank == 0)
        plain_pattern(LEN);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL, &f));
    CHECK_INT(position(f), LEN);
    OK(MPI_File_get_position_shared(f, &at));
    CHECK_INT(at, LEN);
    OK(MPI_File_read(f, &c, 1, MPI_CHAR, &s));
    CHECK_INT(count_of(&s, MPI_CHAR), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        OK(MPI_File_write(f, &c, 1, MPI_CHAR, &s));
    OK(MPI_File_sync(f));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), LEN + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Only the first position is the end: other writes go where they say. */
    if (rank == 0)
        OK(MPI_File_write_at(f, 3, "y", 1, MPI_CHAR, &s));
    OK(MPI_File_sync(f));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), LEN + 1);
    CHECK(plain_read(&c, 1, 3) == 1 && c == 'y');
    io_close(&f);
}

static void create_once(MPI_Comm comm, bool all_succeed)
{
    const int mode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR;
    MPI_File f = MPI_FILE_NULL;
    int ok, sum, err;

    io_fresh();
    MPI_Barrier(MPI_COMM_WORLD);
    err = MPI_File_open(comm, io_path, mode, MPI_INFO_NULL, &f);
    ok = err == MPI_SUCCESS;
    MPI_Allreduce(&ok, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, all_succeed ? size : 1);
    if (ok)
        OK(MPI_File_close(&f));
    else
        CHECK_INT(error_class(err), MPI_ERR_FILE_EXISTS);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), 0);
    EXPECT(MPI_ERR_FILE_EXISTS, MPI_File_open(comm, io_path, mode, MPI_INFO_NULL, &f));
    io_remove();
}

static void deleted_on_close(void)
{
    const int mode = MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE;
    MPI_Status s;
    MPI_File f;
    char c = 'a';

    io_fresh();
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, mode | MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
    OK(MPI_File_write_at_all(f, rank, &c, 1, MPI_CHAR, &s));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), size);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_close(&f));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), -1);
    if (rank == 0)
        EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(io_path, MPI_INFO_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) {
        OK(MPI_File_open(MPI_COMM_SELF, io_path, mode | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
        CHECK_INT(plain_size(), 0);
        OK(MPI_File_close(&f));
        CHECK_INT(plain_size(), -1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* CREATE keeps the bytes of a file that is there, and does not need one. */
static void created(void)
{
    MPI_File f;
    MPI_Offset len = -1;
    unsigned char want[LEN];

    for (int i = 0; i < LEN; i++)
        want[i] = pattern(i);
    f = io_open(LEN);
    OK(MPI_File_close(&f));
    io_same(want, LEN);
    io_remove();
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
    OK(MPI_File_get_size(f, &len));
    CHECK_INT(len, 0);
    CHECK_INT(plain_size(), 0);
    CHECK_INT(position(f), 0);
    io_close(&f);
}

static void missing(void)
{
    const int mode[] = { MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR };
    const MPI_Comm comm[] = { MPI_COMM_WORLD, MPI_COMM_SELF };
    char path[400];
    MPI_File f;

    io_fresh();
    for (int i = 0; i < 6; i++) {
        EXPECT(MPI_ERR_NO_SUCH_FILE,
               MPI_File_open(comm[i % 2], io_path, mode[i / 2], MPI_INFO_NULL, &f));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_INT(plain_size(), -1);
    }
    EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(io_path, MPI_INFO_NULL));
    snprintf(path, sizeof path, "%s/none/file", io_folder);
    EXPECT(MPI_ERR_NO_SUCH_FILE,
           MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
    EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(path, MPI_INFO_NULL));
}

/* A folder is no file; MPI_File_delete leaves it. */
static void folders(void)
{
    MPI_File f;

    CHECK(MPI_File_open(MPI_COMM_WORLD, io_folder, MPI_MODE_RDWR, MPI_INFO_NULL, &f)
          != MPI_SUCCESS);
    CHECK(MPI_File_open(MPI_COMM_SELF, io_folder, MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL,
                        &f)
          != MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK(MPI_File_delete(io_folder, MPI_INFO_NULL) != MPI_SUCCESS);
    CHECK(access(io_folder, F_OK) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void deleted(void)
{
    io_fresh();
    if (rank == 0) {
        plain_pattern(LEN);
        OK(MPI_File_delete(io_path, MPI_INFO_NULL));
        CHECK_INT(plain_size(), -1);
        EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(io_path, MPI_INFO_NULL));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A file that is open may be deleted, or not; its handle works on. */
static void deleted_while_open(void)
{
    MPI_File f = io_open(LEN);
    unsigned char c = 0;
    int class;

    if (rank == 0) {
        class = error_class(MPI_File_delete(io_path, MPI_INFO_NULL));
        CHECK(class == MPI_SUCCESS || class == MPI_ERR_FILE_IN_USE || class == MPI_ERR_ACCESS);
        CHECK_INT(plain_size(), class ? LEN : -1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_read_at_all(f, 5 + rank, &c, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_INT(c, pattern(5 + rank));
    OK(MPI_File_close(&f));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        (void) unlink(io_path);
}

/* Each part of the ranks has a file, and each rank one of its own and one of all, at once. */
static void parts(void)
{
    MPI_File all = io_open(0), part, self;
    char of_all[300], of_part[400], of_self[400];
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    int at, n, value = 100 + rank, got = -1;
    MPI_Status s;
    MPI_Comm comm;

    memcpy(of_all, io_path, sizeof of_all);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &n);
    snprintf(of_part, sizeof of_part, "%s/part%d", io_folder, rank % 2);
    snprintf(of_self, sizeof of_self, "%s/self%d", io_folder, rank);
    OK(MPI_File_open(comm, of_part, mode | MPI_MODE_EXCL, MPI_INFO_NULL, &part));
    OK(MPI_File_open(MPI_COMM_SELF, of_self, mode | MPI_MODE_EXCL, MPI_INFO_NULL, &self));
    OK(MPI_File_write_at_all(part, 4L * at, &value, 1, MPI_INT, &s));
    OK(MPI_File_write_all(self, &value, 1, MPI_INT, &s));
    OK(MPI_File_write_at_all(all, 4L * rank, &value, 1, MPI_INT, &s));
    OK(MPI_File_close(&part));
    OK(MPI_File_close(&self));
    MPI_Barrier(comm);
    snprintf(io_path, sizeof io_path, "%.299s", of_part);
    CHECK_INT(plain_size(), 4L * n);
    for (int i = 0; i < n; i++) {
        plain_read(&got, sizeof got, 4L * i);
        CHECK_INT(got, 100 + rank % 2 + 2 * i);
    }
    snprintf(io_path, sizeof io_path, "%.299s", of_self);
    CHECK_INT(plain_size(), 4);
    CHECK(plain_read(&got, sizeof got, 0) == 4 && got == value);
    MPI_Barrier(comm);
    CHECK(unlink(of_self) == 0 && (at > 0 || unlink(of_part) == 0));
    MPI_Comm_free(&comm);
    memcpy(io_path, of_all, sizeof of_all);
    io_close(&all);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    mode_and_group();
    append();
    create_once(MPI_COMM_WORLD, true);
    create_once(MPI_COMM_SELF, false);
    deleted_on_close();
    created();
    missing();
    folders();
    deleted();
    deleted_while_open();
    parts();
    io_end();
    return 0;
}
