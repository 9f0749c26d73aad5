/* sections_rma_io.c — L07: random sections as buffers of mpi_f08 in one-sided calls and calls on
 * files, against contiguous copies; and sections where MPI keeps the memory.
 *
 * Usage: sections_rma_io [sections [seed]] */
#include <unistd.h>
#include "section_type.h"

#define BUFFER const struct f_array *, const int *, const MPI_Datatype *
#define TARGET const int *, const MPI_Aint *, const int *, const MPI_Datatype *
void mpi_put_f08ts_(BUFFER, TARGET, const MPI_Win *, int *);
void mpi_get_f08ts_(BUFFER, TARGET, const MPI_Win *, int *);
void mpi_rget_f08ts_(BUFFER, TARGET, const MPI_Win *, MPI_Request *, int *);
void mpi_get_accumulate_f08ts_(BUFFER, BUFFER, TARGET, const MPI_Op *, const MPI_Win *, int *);
void mpi_fetch_and_op_f08ts_(const struct f_array *, const struct f_array *, const MPI_Datatype *,
                             const int *, const MPI_Aint *, const MPI_Op *, const MPI_Win *, int *);
void mpi_file_write_at_f08ts_(const MPI_Fint *, const MPI_Offset *, BUFFER, MPI_Fint *, int *);
void mpi_file_read_at_f08ts_(const MPI_Fint *, const MPI_Offset *, BUFFER, MPI_Fint *, int *);
void mpi_file_iread_at_f08ts_(const MPI_Fint *, const MPI_Offset *, BUFFER, MPI_Request *, int *);
void mpi_file_read_at_all_begin_f08ts_(const MPI_Fint *, const MPI_Offset *, BUFFER, int *);
void mpi_file_read_at_all_end_f08ts_(const MPI_Fint *, const struct f_array *, MPI_Fint *, int *);
void mpi_win_create_f08ts_(const struct f_array *, const MPI_Aint *, const int *, const MPI_Info *,
                           const MPI_Comm *, MPI_Win *, int *);
void mpi_buffer_attach_f08ts_(const struct f_array *, const int *, int *);
void mpi_get_address_f08ts_(const struct f_array *, MPI_Aint *, int *);

enum { ROOM = 1 << 17 };
static int rank, size, right;
static MPI_Win win;
static MPI_File file;
static MPI_Fint fortran_file;
static char *memory; /* of win */
static const MPI_Aint begin = 0;

struct access {
    struct element e;
    struct section s;
    int count;
};

#define A    &a->s.array, &a->count, &a->e.type
#define TWIN a->s.twin, a->count, a->e.type

/* Whether a call has failed because it cannot copy. */
static int failed(const struct access *a, int err)
{
    int class;

    CHECK(MPI_Error_class(err, &class) == MPI_SUCCESS);
    if (class == MPI_SUCCESS)
        return 0;
    CHECK_INT(class, MPI_ERR_BUFFER);
    CHECK(!a->e.plain);
    return 1;
}

/* A ring: what this rank writes is what the left one has in its window. */
static void put(struct access *a)
{
    int err = -1;
    char *want = mpitest_memory(ROOM);

    memset(memory, 1, ROOM);
    memset(want, 1, ROOM);
    MPI_Win_fence(0, win);
    mpi_put_f08ts_(A, &right, &begin, &a->count, &a->e.type, &win, &err);
    MPI_Win_fence(0, win);
    if (!failed(a, err)) {
        MPI_Sendrecv(TWIN, right, 0, want, a->count, a->e.type, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(!memcmp(want, memory, ROOM));
    }
    MPI_Win_fence(0, win);
    free(want);
}

static void fill(void)
{
    for (int i = 0; i < ROOM; i++)
        memory[i] = (char) ((i * 7 + rank) % 11);
    MPI_Win_fence(0, win);
}

static void get_twin(struct access *a)
{
    CHECK(MPI_Get(TWIN, right, 0, a->count, a->e.type, win) == MPI_SUCCESS);
    MPI_Win_fence(0, win);
}

static void get(struct access *a)
{
    int err = -1;

    fill();
    mpi_get_f08ts_(A, &right, &begin, &a->count, &a->e.type, &win, &err);
    MPI_Win_fence(0, win);
    if (!failed(a, err))
        get_twin(a);
    MPI_Win_fence(0, win);
}

static void rget(struct access *a)
{
    int err = -1;
    MPI_Request r;

    fill();
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    mpi_rget_f08ts_(A, &right, &begin, &a->count, &a->e.type, &win, &r, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Wait(&r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_Win_unlock(right, win);
    MPI_Win_fence(0, win);
    get_twin(a);
}

static void get_accumulate(struct access *a)
{
    int err = -1;
    MPI_Op op = MPI_NO_OP;

    if (!a->e.plain) /* the type must be of one predefined type */
        return;
    fill();
    mpi_get_accumulate_f08ts_(A, A, &right, &begin, &a->count, &a->e.type, &op, &win, &err);
    MPI_Win_fence(0, win);
    if (!failed(a, err))
        get_twin(a);
    MPI_Win_fence(0, win);
}

static void fetch_and_op(struct access *a)
{
    int err = -1, one = 1;
    MPI_Op op = MPI_SUM;
    MPI_Datatype integer = MPI_INTEGER;
    struct f_array scalar = { .base = (char *) &one, .elem_len = sizeof one };

    fill();
    if (a->e.size == 4 && a->s.elements > 0) {
        memcpy(a->s.twin, memory, 4);
        MPI_Sendrecv_replace(a->s.twin, 4, MPI_BYTE, (rank + size - 1) % size, 0, right, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mpi_fetch_and_op_f08ts_(&scalar, &a->s.array, &integer, &right, &begin, &op, &win, &err);
        CHECK_INT(err, MPI_SUCCESS);
    }
    MPI_Win_fence(0, win);
}

/* ---- files ----------------------------------------------------------------------------------- */

static MPI_Offset own(void) { return (MPI_Offset) rank * ROOM; }

static void write_at(struct access *a)
{
    MPI_Offset at = own();
    MPI_Fint status[5];
    int err = -1;
    char *got = mpitest_memory(ROOM), *want = mpitest_memory(ROOM);

    mpi_file_write_at_f08ts_(&fortran_file, &at, A, status, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_File_read_at(file, at, got, a->count, a->e.type, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_Sendrecv(TWIN, 0, 0, want, a->count, a->e.type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(!memcmp(want, got, ROOM));
    free(got);
    free(want);
}

static void fill_file(void)
{
    fill();
    CHECK(MPI_File_write_at(file, own(), memory, ROOM, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

static void read_twin(struct access *a)
{
    CHECK(MPI_File_read_at(file, own(), TWIN, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

static void read_at(struct access *a)
{
    MPI_Offset at = own();
    MPI_Fint status[5];
    int err = -1;

    fill_file();
    mpi_file_read_at_f08ts_(&fortran_file, &at, A, status, &err);
    CHECK_INT(err, MPI_SUCCESS);
    read_twin(a);
}

static void iread_at(struct access *a)
{
    MPI_Offset at = own();
    MPI_Request r;
    int err = -1;

    fill_file();
    mpi_file_iread_at_f08ts_(&fortran_file, &at, A, &r, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Wait(&r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    read_twin(a);
}

static void split(struct access *a)
{
    MPI_Offset at = own();
    MPI_Fint status[5];
    int err = -1;

    fill_file();
    mpi_file_read_at_all_begin_f08ts_(&fortran_file, &at, A, &err);
    if (failed(a, err))
        return;
    mpi_file_read_at_all_end_f08ts_(&fortran_file, &a->s.array, status, &err);
    CHECK_INT(err, MPI_SUCCESS);
    read_twin(a);
}

static void (*const forms[])(struct access *) = { put,          get,      rget,    get_accumulate,
                                                  fetch_and_op, write_at, read_at, iread_at,
                                                  split };
enum { FORMS = sizeof forms / sizeof *forms };

static int class_of(int err)
{
    int class = -1;

    MPI_Error_class(err, &class);
    return class;
}

/* MPI does not keep memory with gaps, and a gap of no bytes is none. */
static void kept_memory(void)
{
    static int numbers[10];
    struct f_array a = { .base = (char *) numbers, .elem_len = 4, .rank = 1, .span = 4 };
    const MPI_Aint bytes = 20;
    const int unit = 4, len = 20;
    const MPI_Info info = MPI_INFO_NULL;
    const MPI_Comm self = MPI_COMM_SELF;
    MPI_Win w = 0;
    MPI_Aint at;
    int err = -1;

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    a.dim[0].stride = 2;
    a.dim[0].upper = 4;
    mpi_win_create_f08ts_(&a, &bytes, &unit, &info, &self, &w, &err);
    CHECK_INT(class_of(err), MPI_ERR_BUFFER);
    mpi_buffer_attach_f08ts_(&a, &len, &err);
    CHECK_INT(class_of(err), MPI_ERR_BUFFER);
    a.base = (char *) &numbers[8];
    a.dim[0].stride = -2;
    mpi_get_address_f08ts_(&a, &at, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(at == (MPI_Aint) (intptr_t) &numbers[8]);
    a.base = (char *) numbers;
    a.dim[0].stride = 1;
    mpi_win_create_f08ts_(&a, &bytes, &unit, &info, &self, &w, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Win_free(&w) == MPI_SUCCESS);
}

static void begin_all(void)
{
    const char *tmp = getenv("TMPDIR");
    char path[300];

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    CHECK(MPI_Win_allocate(ROOM, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win) == MPI_SUCCESS);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    snprintf(path, sizeof path, "%s/sections-%d", tmp && *tmp ? tmp : "/tmp", (int) getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(MPI_File_open(MPI_COMM_WORLD, path,
                        MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                        &file)
          == MPI_SUCCESS);
    fortran_file = MPI_File_c2f(file);
}

int main(int argc, char **argv)
{
    int sections = argc > 1 ? atoi(argv[1]) : 700;

    MPI_Init(&argc, &argv);
    begin_all();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    section_state = argc > 2 ? (uint64_t) atoll(argv[2]) : 1;
    for (int i = 0; i < sections; i++) {
        struct access a = { .e = element_of(draw(ELEMENTS)) };
        a.s = section_of(a.e.size, MOST_ELEMENTS, rank);
        a.count = (int) draw((unsigned) element_most(&a.e, &a.s) + 1);
        forms[draw(FORMS)](&a);
        CHECK(section_is_right(&a.s));
        section_free(&a.s);
        element_free(&a.e);
    }
    kept_memory();
    CHECK(MPI_File_close(&file) == MPI_SUCCESS);
    CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
