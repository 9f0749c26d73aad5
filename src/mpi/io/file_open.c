#include "adi3/adi3_proc.h"
#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"
#include "mpi/info/info.h"
#include "mpi/io/io.h"
#include "platform/os.h"

enum {
    ONE_OF = MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR,
    KNOWN = ONE_OF | MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE
            | MPI_MODE_UNIQUE_OPEN | MPI_MODE_APPEND | MPI_MODE_SEQUENTIAL
};

static int amode_arg(int amode)
{
    int one = amode & ONE_OF;

    if (amode & ~KNOWN)
        return mpir_error(MPI_ERR_AMODE, "amode has unknown bits: 0x%x", (unsigned) amode);
    if (one == 0 || one & (one - 1))
        return mpir_error(MPI_ERR_AMODE,
                          "amode 0x%x has %s of MPI_MODE_RDONLY, MPI_MODE_WRONLY and "
                          "MPI_MODE_RDWR",
                          (unsigned) amode, one ? "several" : "none");
    if (one == MPI_MODE_RDONLY && amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))
        return mpir_error(MPI_ERR_AMODE,
                          "amode 0x%x has MPI_MODE_CREATE or MPI_MODE_EXCL with "
                          "MPI_MODE_RDONLY",
                          (unsigned) amode);
    if (one == MPI_MODE_RDWR && amode & MPI_MODE_SEQUENTIAL)
        return mpir_error(MPI_ERR_AMODE, "amode 0x%x has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR",
                          (unsigned) amode);
    return MPI_SUCCESS;
}

struct opened { /* what the others have to know of the first process's open */
    int64_t errclass;
    uint64_t block, cores;
};

static int open_first(struct adi3_file *f, struct opened *o)
{
    int err = f->comm->rank == 0 ? adi3_file_open(f, true) : MPI_SUCCESS;

    *o =
        (struct opened) { err & ADI3_CLASS_MASK, adi3_file_block(f), (uint64_t) adi3_node_cores() };
    int lost = mpir_broadcast_id(f->comm, 0, o, sizeof *o);
    if (!err)
        err = lost;
    if (!err)
        err = mpir_io_error_of(0, (int) o->errclass, "open the file");
    return err;
}

/* The path is another file on the host of process `other` than on that of the first one. A program
 * may read copies, and may even write one part on each host: so it is told, and goes on. */
static void warn_of_hosts(const struct adi3_file *f, int other)
{
    static bool warned;
    char host[256];

    if (f->comm->rank != other || f->amode & MPI_MODE_RDONLY || warned || !adi3_warn)
        return;
    warned = true;
    os_hostname(host, sizeof host);
    adi3_warn(adi3_error_text(mpir_error(
        MPI_ERR_NOT_SAME,
        "MPI_File_open: '%s' is on a file system of one host, so rank %d on %s has opened another "
        "file than rank 0 of the communicator",
        f->path, other, host)));
}

/* The first process creates the file; the others open it then. */
static int open_in_turn(struct adi3_file *f)
{
    struct opened o;
    int other, err = open_first(f, &o);

    if (err)
        return err;
    if (f->comm->rank != 0)
        err = adi3_file_open(f, false);
    err = mpir_io_consensus_to_open(f->comm, err, err ? 0 : adi3_file_host(f), "open the file",
                                    &other);
    if (other)
        warn_of_hosts(f, other);
    adi3_file_set_block(f, o.block);
    f->cores = o.cores;
    if (err && f->comm->rank == 0 && f->amode & MPI_MODE_EXCL)
        (void) adi3_file_delete(f->path);
    return err;
}

/* Both pointers begin at the end with MPI_MODE_APPEND. */
static int first_view(struct adi3_file *f)
{
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);
    int err = adi3_view_set(f, 0, byte, byte, false, adi3_datarep_get("native"));

    if (!err && f->amode & MPI_MODE_APPEND) {
        err = mpir_io_end_of(f, &f->position);
        if (!err && f->comm->rank == 0)
            err = mpir_shared_pointer_set(f, f->position);
    }
    return err;
}

static int open_file(struct adi3_file *f)
{
    int err = open_in_turn(f);

    if (!err)
        err = mpir_shared_pointer_make(f);
    if (!err)
        err = mpir_io_consensus(f->comm, first_view(f), "open the file");
    return err;
}

static int file_make(struct adi3_comm *c, const char *path, int amode, struct adi3_file **made)
{
    const struct adi3_subgroup all = { .size = c->size, .me = c->rank };
    struct adi3_comm *own;
    int err = mpir_comm_make(c, &all, ADI3_TAG_COMM, &own);

    if (err)
        return err;
    own->closed = ADI3_FREED;
    mpir_errhandler_attach(&own->errhandler, mpir_no_file.errhandler);
    return adi3_file_new(own, path, amode, made);
}

/* All arguments and hints are compared before a file is made. */
static int open_arguments(struct adi3_comm *c, const char *path, int amode, MPI_Info info,
                          MPI_File *fh, struct mpir_file_hints *hints)
{
    struct mpir_info *i = NULL;
    int err = mpir_path_arg(path);

    if (!err)
        err = amode_arg(amode);
    if (!err)
        err = mpir_info_or_null_arg(info, &i);
    if (!err)
        err = mpir_out_arg(fh, "fh");
    if (!err)
        err = mpir_file_hints_begin(hints, NULL, i);
    return mpir_io_compare_hints(c, err, amode, "amode", hints);
}

static int open_new(struct adi3_comm *c, const char *path, int amode, struct mpir_file_hints *hints,
                    MPI_File *fh)
{
    struct adi3_file *f = NULL;
    int err = mpir_io_consensus(c, file_make(c, path, amode, &f), "open the file");

    if (err)
        return err;
    mpir_file_hints_commit(hints, f);
    err = open_file(f);
    if (err) {
        if (f->shared)
            (void) mpir_shared_pointer_free(f);
        mpir_file_views_free(f);
        mpir_file_hints_free(f);
        adi3_file_free(f);
        return err;
    }
    *fh = f->handle;
    return MPI_SUCCESS;
}

static int open_all(struct adi3_comm *c, const char *path, int amode, MPI_Info info, MPI_File *fh)
{
    struct mpir_file_hints hints = { .texts = NULL };
    int err = open_arguments(c, path, amode, info, fh, &hints);

    if (!err)
        err = open_new(c, path, amode, &hints, fh);
    mpir_file_hints_drop(&hints);
    return err;
}

/* Opens a file in all processes of comm, which is an intracommunicator (§13.2.1). Every process
 * gives the same amode, and a name of the same file. amode is one of MPI_MODE_RDONLY,
 * MPI_MODE_WRONLY and MPI_MODE_RDWR, with any of MPI_MODE_CREATE, MPI_MODE_EXCL (the file must not
 * exist), MPI_MODE_DELETE_ON_CLOSE, MPI_MODE_UNIQUE_OPEN (no other program opens the file),
 * MPI_MODE_SEQUENTIAL (only the shared file pointer is used) and MPI_MODE_APPEND (file pointers
 * begin at the end). A name may begin with the name of a file system, "ufs:", "nfs:" or "lustre:".
 * Hints are those of info, else those of the file that ROMIO_HINTS names in the environment, with a
 * key and its value on each line, else the defaults; MPI_File_set_info lists them. Collective.
 * Errors: of the handler of MPI_FILE_NULL: MPI_ERR_COMM, MPI_ERR_AMODE, MPI_ERR_NOT_SAME,
 * MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_BAD_FILE, MPI_ERR_NO_SUCH_FILE, MPI_ERR_FILE_EXISTS,
 * MPI_ERR_ACCESS, MPI_ERR_READ_ONLY, MPI_ERR_NO_SPACE, MPI_ERR_QUOTA, MPI_ERR_FILE_IN_USE,
 * MPI_ERR_IO, MPI_ERR_NO_MEM; what fails in one process fails in all. */
int PMPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh)
{
    ENTER("MPI_File_open", comm, filename, amode, info, fh);
    struct adi3_comm *c;
    int err = mpir_intra_arg(&call, comm, &c);

    call.comm = &mpir_no_file;
    TRY(err);
    TRY(open_all(c, filename, amode, info, fh));
    return mpir_leave(&call);
}
MPIR_WEAK(File_open);
