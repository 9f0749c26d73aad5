/* hints.c — the info hints of files (§13.2.8): those that are known are kept and given back. */
#include <string.h>
#include "info/info.h"
#include "io.h"

static const char *const known[] = {
    "access_style",       "collective_buffering",
    "cb_block_size",      "cb_buffer_size",
    "cb_nodes",           "chunked",
    "chunked_item",       "chunked_size",
    "filename",           "file_perm",
    "io_node_list",       "nb_proc",
    "num_io_nodes",       "striping_factor",
    "striping_unit",      "romio_cb_read",
    "romio_cb_write",     "romio_ds_read",
    "romio_ds_write",     "romio_no_indep_rw",
    "cb_config_list",     "ind_rd_buffer_size",
    "ind_wr_buffer_size",
};

static bool is_known(const char *key)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i], key))
            return true;
    return false;
}

int mpir_file_hints_set(struct adi3_file *f, const struct mpir_info *info)
{
    if (!f->info) {
        TRY_ARG(mpir_info_new(&f->info));
        TRY_ARG(mpir_info_set(f->info, "filename", f->path));
    }
    for (const struct mpir_entry *e = info ? info->first : NULL; e; e = e->next)
        if (is_known(e->key) && strcmp(e->key, "filename") != 0)
            TRY_ARG(mpir_info_set(f->info, e->key, e->value));
    return MPI_SUCCESS;
}

void mpir_file_hints_free(struct adi3_file *f)
{
    if (f->info)
        mpir_info_free(f->info);
    f->info = NULL;
}
