/* file.c — files: opening and closing them in this process, and their sizes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/base/base.h"
#include "adi3/datatype/datatype.h"
#include "adi3/io/io_impl.h"

const struct adi3_hints adi3_hints_default = {
    .cb_buffer_size = 4 << 20,
    .ds_write = ADI3_DISABLE,
    .ind_rd_buffer_size = 512 << 10,
    .ind_wr_buffer_size = 512 << 10,
    .start_iodevice = ADI3_ANY_DEVICE,
    .file_perm = 0666,
};

struct adi3_pool adi3_files = ADI3_POOL(ADI3_FILE, struct adi3_file);

struct adi3_file *adi3_file_get(MPI_File handle)
{
    uintptr_t number = (uintptr_t) handle;

    return number <= UINT32_MAX ? adi3_get(&adi3_files, (int) (uint32_t) number) : NULL;
}

/* ---- life ------------------------------------------------------------------------------------ */

int adi3_file_new(struct adi3_comm *c, const char *path, int amode, struct adi3_file **made)
{
    const struct adi3_file_system *system;
    char *copy = strdup(io_cut_prefix(path, &system));
    int handle;
    struct adi3_file *f = copy ? adi3_new(&adi3_files, &handle) : NULL;

    assert(adi3_lock_held());
    if (!f) {
        free(copy);
        adi3_comm_release(c);
        return adi3_no_memory("for the file '%s'", path);
    }
    *f = (struct adi3_file) { .handle = (MPI_File) (uintptr_t) (unsigned) handle,
                              .comm = c,
                              .path = copy,
                              .fd = -1,
                              .direct = -1,
                              .amode = amode,
                              .system = system,
                              .hints = adi3_hints_default,
                              .split = MPI_REQUEST_NULL };
    c->owner = &f->handle;
    *made = f;
    return MPI_SUCCESS;
}

static int flags_of(int amode)
{
    return amode & MPI_MODE_RDWR ? O_RDWR : amode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;
}

/* The first process sets the stripes, before the file has bytes. */
static int create_striped(const struct adi3_file *f, int *flags)
{
    const struct adi3_hints *h = &f->hints;
    const struct adi3_file_system *s = f->system;

    if (!h->striping_unit && !h->striping_factor && h->start_iodevice == ADI3_ANY_DEVICE)
        return 0;
    s = s ? s : io_system_of(os_folder_system(f->path));
    int err = s->create ? s->create(f, *flags) : 0;
    if (s->create)
        *flags &= ~(O_CREAT | O_EXCL);
    return err;
}

/* Where the file system has no such way the hints are not in force. */
static void open_directly(struct adi3_file *f)
{
    struct adi3_hints *h = &f->hints;

    if (h->direct_read || h->direct_write)
        f->direct = os_file_open(f->path, flags_of(f->amode) | O_NONBLOCK | O_DIRECT, 0);
    if (f->direct < 0)
        h->direct_read = h->direct_write = false;
}

int adi3_file_open(struct adi3_file *f, bool create)
{
    int flags = flags_of(f->amode) | O_NONBLOCK; /* a FIFO must not block */
    int fd = 0;

    if (create && f->amode & MPI_MODE_CREATE) {
        flags |= O_CREAT | (f->amode & MPI_MODE_EXCL ? O_EXCL : 0);
        fd = create_striped(f, &flags);
    }
    fd = fd < 0 ? fd : os_file_open(f->path, flags, f->hints.file_perm);
    if (fd < 0)
        return io_error(f, fd, "opening", UINT64_MAX);
    if (os_file_is_folder(fd)) {
        (void) os_file_close(fd);
        return io_error(f, -EISDIR, "opening", UINT64_MAX);
    }
    f->fd = fd;
    open_directly(f);
    if (!f->system)
        f->system = io_system_of(os_file_system(fd));
    f->block = f->system->block;
    if (f->system->disturbs)
        io_chaos_begin();
    if (f->system->stripes)
        f->system->stripes(f);
    return MPI_SUCCESS;
}

uint64_t adi3_file_block(const struct adi3_file *f) { return f->block; }

void adi3_file_set_block(struct adi3_file *f, uint64_t block) { f->block = block; }

int adi3_file_close(struct adi3_file *f)
{
    int err = f->fd < 0 ? 0 : os_file_close(f->fd);
    int failed = f->direct < 0 ? 0 : os_file_close(f->direct);

    f->fd = f->direct = -1;
    if (!err)
        err = failed;
    return err ? io_error(f, err, "closing", UINT64_MAX) : MPI_SUCCESS;
}

void adi3_file_free(struct adi3_file *f)
{
    (void) adi3_file_close(f);
    io_view_end(f);
    free(f->buffer);
    free(f->path);
    f->comm->owner = NULL;
    adi3_comm_release(f->comm);
    adi3_free(&adi3_files, f);
}

int adi3_file_delete(const char *path)
{
    const struct adi3_file_system *system;

    path = io_cut_prefix(path, &system);
    return io_path_error(os_file_delete(path), "deleting", path);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

int adi3_file_size(const struct adi3_file *f, uint64_t *size)
{
    int err = io_refresh(f);

    if (!err)
        err = f->system->calls->size(f->fd, size);
    return err ? io_error(f, err, "asking for the size of", UINT64_MAX) : MPI_SUCCESS;
}

int adi3_file_resize(const struct adi3_file *f, uint64_t size)
{
    int err = f->system->calls->resize(f->fd, size);

    return err ? io_error(f, err, "setting the size of", size) : MPI_SUCCESS;
}

int adi3_file_allocate(const struct adi3_file *f, uint64_t size)
{
    int err = io_allocate(f, size);

    return err ? io_error(f, err, "reserving the bytes of", size) : MPI_SUCCESS;
}

/* A new file is found after a crash only when its folder has been written. */
int adi3_file_sync(const struct adi3_file *f)
{
    int err = f->system->calls->sync(f->fd);

    if (!err && f->amode & MPI_MODE_CREATE)
        err = os_file_sync_folder(f->path);
    if (!err)
        err = io_refresh(f);
    return err ? io_error(f, err, "writing to the disk", UINT64_MAX) : MPI_SUCCESS;
}

/* ---- the room -------------------------------------------------------------------------------- */

static void files_finalize(void)
{
    io_worker_end();
    io_datareps_end();
}

int io_init(void)
{
    static const struct base_hooks hooks = { .name = "files", .finalize = files_finalize };
    int err = io_check_settings();

    if (!err)
        err = io_worker_init();
    if (!err)
        err = base_hooks_add(&hooks);
    return err;
}
