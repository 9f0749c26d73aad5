#include "mpi/comm/comm.h"
#include "mpi/info/info.h"
#include "mpi/io/io.h"

static int datarep_arg(const char *name, const struct adi3_datarep **rep)
{
    if (!name)
        return mpir_null("datarep");
    *rep = adi3_datarep_get(name);
    return *rep ? MPI_SUCCESS
                : mpir_error(MPI_ERR_UNSUPPORTED_DATAREP, "datarep is '%.128s'", name);
}

/* Names of representations are compared by a hash: FNV-1a. */
static int64_t datarep_hash(const char *name)
{
    const uint64_t basis = 0xcbf29ce484222325, prime = 0x100000001b3;
    uint64_t h = basis;

    for (; *name; name++)
        h = (h ^ (unsigned char) *name) * prime;
    return (int64_t) (h >> 1);
}

struct view { /* the arguments */
    MPI_Offset disp;
    MPI_Datatype etype, filetype;
    const char *datarep;
    MPI_Info info;
    struct mpir_info *hints;
    struct adi3_type *e, *f;
    const struct adi3_datarep *rep;
    bool once; /* tiles of filetype lie on each other */
};

static int disp_arg(const struct adi3_file *f, const struct view *v)
{
    bool sequential = f->amode & MPI_MODE_SEQUENTIAL, current = v->disp == MPI_DISPLACEMENT_CURRENT;

    if (sequential != current)
        return mpir_error(MPI_ERR_ARG,
                          "disp %s MPI_DISPLACEMENT_CURRENT, and '%s' is %sopen with "
                          "MPI_MODE_SEQUENTIAL",
                          current ? "is" : "is not", f->path, sequential ? "" : "not ");
    if (v->disp < 0 && !current)
        return mpir_error(MPI_ERR_ARG, "disp is %lld", (long long) v->disp);
    return MPI_SUCCESS;
}

/* A filetype is made of etypes, which it has at displacements that do not fall (§13.3). */
static int types_arg(const struct adi3_file *f, struct view *v)
{
    int err = mpir_type_arg(v->etype, &v->e);

    if (!err)
        err = mpir_type_arg(v->filetype, &v->f);
    if (err)
        return err;
    if (!v->e->committed || !v->f->committed)
        return mpir_error(MPI_ERR_TYPE, "%s is not committed",
                          v->e->committed ? "filetype" : "etype");
    if (v->e->size == 0 || v->f->size % v->e->size)
        return mpir_error(MPI_ERR_ARG,
                          "the filetype has %zu bytes, which is no multiple of the etype's %zu",
                          v->f->size, v->e->size);
    enum adi3_tiling tiling = adi3_filetype_tiling(v->f, !(f->amode & MPI_MODE_RDONLY));
    v->once = tiling == ADI3_ONE_TILE;
    if (tiling == ADI3_NO_TILE)
        return mpir_error(MPI_ERR_ARG, "the filetype has displacements that are negative, fall, or "
                                       "overlap in a file that is open for writing");
    return MPI_SUCCESS;
}

static int set_view_arguments(const struct adi3_file *f, struct view *v)
{
    int err = mpir_idle_file_arg(f);

    if (!err)
        err = disp_arg(f, v);
    if (!err)
        err = types_arg(f, v);
    if (!err)
        err = datarep_arg(v->datarep, &v->rep);
    if (!err)
        err = mpir_info_or_null_arg(v->info, &v->hints);
    return err;
}

/* Where the shared file pointer is in the file, once no process moves it any more. The first one
 * looks: it will set it to 0. */
static int shared_pointer_disp(const struct adi3_file *f, MPI_Offset *disp)
{
    struct {
        MPI_Offset disp;
        int64_t errclass;
    } first = { 0, MPI_SUCCESS };
    MPI_Offset at = 0;
    int err = f->comm->rank == 0 ? mpir_shared_pointer_add(f, 0, &at) : MPI_SUCCESS;

    first.disp = (MPI_Offset) adi3_view_offset(&f->view, (uint64_t) at * f->view.unit);
    first.errclass = err & ADI3_CLASS_MASK;
    int lost = mpir_broadcast_id(f->comm, 0, &first, sizeof first);
    *disp = first.disp;
    if (!err)
        err = lost;
    if (!err)
        err = mpir_io_error_of(0, (int) first.errclass, "read the shared file pointer");
    return err;
}

static int put_in_force(struct adi3_file *f, const struct view *v, struct mpir_file_hints *hints)
{
    int err = adi3_view_set(f, (uint64_t) v->disp, v->e, v->f, v->once, v->rep);

    if (!err && f->comm->rank == 0)
        err = mpir_shared_pointer_set(f, 0);
    f->position = 0;
    mpir_file_hints_commit(hints, f);
    return mpir_file_views_exchange(f, err);
}

static int set_view(struct adi3_file *f, struct view *v)
{
    struct mpir_file_hints hints = { .texts = NULL };
    int err = set_view_arguments(f, v);

    if (!err)
        err = mpir_file_hints_begin(&hints, f, v->hints);
    err = mpir_io_compare_hints(f->comm, err, err ? 0 : datarep_hash(v->datarep),
                                "the hash of datarep", &hints);
    if (!err && v->disp == MPI_DISPLACEMENT_CURRENT)
        err = shared_pointer_disp(f, &v->disp);
    if (!err)
        err = put_in_force(f, v, &hints);
    mpir_file_hints_drop(&hints);
    return err;
}

/* Sets what this process sees of a file (§13.3): the bytes of filetype, which is repeated from disp
 * on without end. Offsets are in units of etype, which filetype consists of. datarep is "native",
 * "internal", "external32" or a name that MPI_Register_datarep has been given. With
 * MPI_MODE_SEQUENTIAL disp is MPI_DISPLACEMENT_CURRENT. Both file pointers are 0 then. datarep and
 * the extent of etype in the file are the same in all processes; only datarep is compared. Hints
 * are set as by MPI_File_set_info. Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_REQUEST, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_UNSUPPORTED_DATAREP,
 * MPI_ERR_CONVERSION, MPI_ERR_NOT_SAME, MPI_ERR_INFO, MPI_ERR_NO_MEM. */
int PMPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                       const char *datarep, MPI_Info info)
{
    ENTER("MPI_File_set_view", fh, disp, etype, filetype, datarep, info);
    struct view v = {
        .disp = disp, .etype = etype, .filetype = filetype, .datarep = datarep, .info = info
    };
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(set_view(f, &v));
    return mpir_leave(&call);
}
MPIR_WEAK(File_set_view);
