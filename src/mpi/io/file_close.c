#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"
#include "mpi/io/io.h"

/* The file is deleted when no process has it open any more. */
static int close_all(struct adi3_file *f)
{
    int err = mpir_shared_pointer_free(f), closed = adi3_file_close(f);

    closed = mpir_io_consensus(f->comm, closed, "close the file");
    if (!err)
        err = closed;
    if (f->amode & MPI_MODE_DELETE_ON_CLOSE) {
        int deleted = f->comm->rank == 0 ? adi3_file_delete(f->path) : MPI_SUCCESS;
        deleted = mpir_io_consensus(f->comm, deleted, "delete the file");
        if (!err)
            err = deleted;
    }
    return err;
}

/* Closes a file and sets the handle to MPI_FILE_NULL (§13.2.2). All requests and split collective
 * operations on it must be complete; it waits for accesses whose requests were freed. With
 * MPI_MODE_DELETE_ON_CLOSE the file is deleted. Collective; the handle is closed also when there is
 * an error, unless the file was still in use. The error is of the file's handler, which gets
 * MPI_FILE_NULL when the file is closed.
 * Errors: MPI_ERR_ARG, MPI_ERR_FILE, MPI_ERR_REQUEST, and those of the file. */
int PMPI_File_close(MPI_File *fh)
{
    ENTER("MPI_File_close", fh);
    struct adi3_file *f;

    call.comm = &mpir_no_file;
    TRY(mpir_out_arg(fh, "fh"));
    TRY(mpir_open_file_arg(&call, *fh, &f));
    TRY(mpir_idle_file_arg(f));
    struct adi3_comm *c = f->comm;
    int err = close_all(f);
    mpir_file_views_free(f);
    mpir_file_hints_free(f);
    c->refs++;
    adi3_file_free(f);
    int left = mpir_let_go(c);
    if (!err)
        err = left;
    *fh = MPI_FILE_NULL;
    TRY(err);
    return mpir_leave(&call);
}
MPIR_WEAK(File_close);
