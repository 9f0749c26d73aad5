#include "mpi/info/info.h"
#include "mpi/io/io.h"

static int set_info(struct adi3_file *f, MPI_Info info)
{
    struct mpir_file_hints hints = { .texts = NULL };
    struct mpir_info *i;
    int err = mpir_info_or_null_arg(info, &i);

    if (!err)
        err = mpir_file_hints_begin(&hints, f, i);
    err = mpir_io_compare_hints(f->comm, err, 0, "", &hints);
    if (!err)
        mpir_file_hints_commit(&hints, f);
    mpir_file_hints_drop(&hints);
    return err;
}

/* Sets hints of a file (§13.2.8); MPI_INFO_NULL sets none. Other hints stay as they are. Unknown
 * ones, and values that make no sense, are ignored; MPI_File_get_info returns what is in force.
 * These must be the same in all processes:
 *   collective_buffering, romio_cb_read, romio_cb_write: whether processes access for each other
 *   cb_buffer_size, cb_block_size: bytes of memory, and of the file in a piece
 *   cb_nodes: how many processes access for others; cb_config_list: how many of a node ("*:2")
 *   romio_no_indep_rw: no process reads or writes alone
 *   io_node_list, num_io_nodes, nb_proc, chunked, chunked_item, chunked_size: change nothing
 * and these have an effect in MPI_File_open alone:
 *   file_perm: permissions of a new file, octal
 *   striping_factor, striping_unit, romio_lustre_start_iodevice: how a new file is striped
 * These are for each process:
 *   romio_ds_read: whether near pieces are read together
 *   ind_rd_buffer_size, ind_wr_buffer_size: bytes of memory for that and for representations
 *   access_style: changes nothing
 *   direct_read, direct_write: whole blocks do not go through the cache of the system, where the
 *   file system can do that; of MPI_File_open alone
 * romio_ds_write is always "disable". Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_INFO, MPI_ERR_NOT_SAME, MPI_ERR_NO_MEM; what fails in one process
 * fails in all. */
int PMPI_File_set_info(MPI_File fh, MPI_Info info)
{
    ENTER("MPI_File_set_info", fh, info);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(set_info(f, info));
    return mpir_leave(&call);
}
MPIR_WEAK(File_set_info);
