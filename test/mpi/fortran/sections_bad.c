/* sections_bad.c — calls of mpi_f08 that would leave a section of an array: by their counts, by
 * displacements, or because no datatype can say where its elements are. Each is an error of the
 * call, which the error handler of the call's communicator, window or file gets, and no memory
 * outside of the section or of a copy of it is touched. */
#include <stdarg.h>
#include <unistd.h>
#include "mpi/fortran/descriptor.h"
#include "mpitest.h"

typedef const struct f_array *A;
typedef const int *I;
typedef const MPI_Datatype *T;
typedef const MPI_Datatype *O; /* an operation */
typedef const MPI_Aint *W;
typedef const MPI_Comm *C;
typedef MPI_Request *Q;
void mpi_send_f08ts_(A, I, T, I, I, C, int *);
void mpi_irecv_f08ts_(A, I, T, I, I, C, Q, int *);
void mpi_recv_init_f08ts_(A, I, T, I, I, C, Q, int *);
void mpi_bcast_f08ts_(A, I, T, I, C, int *);
void mpi_gather_f08ts_(A, I, T, A, I, T, I, C, int *);
void mpi_scatter_f08ts_(A, I, T, A, I, T, I, C, int *);
void mpi_allgather_f08ts_(A, I, T, A, I, T, C, int *);
void mpi_ialltoall_f08ts_(A, I, T, A, I, T, C, Q, int *);
void mpi_gatherv_f08ts_(A, I, T, A, I, I, T, I, C, int *);
void mpi_scatterv_f08ts_(A, I, I, T, A, I, T, I, C, int *);
void mpi_allgatherv_f08ts_(A, I, T, A, I, I, T, C, int *);
void mpi_iallgatherv_f08ts_(A, I, T, A, I, I, T, C, Q, int *);
void mpi_alltoallv_f08ts_(A, I, I, T, A, I, I, T, C, int *);
void mpi_ialltoallv_f08ts_(A, I, I, T, A, I, I, T, C, Q, int *);
void mpi_alltoallv_init_f08ts_(A, I, I, T, A, I, I, T, C, I, Q, int *);
void mpi_alltoallw_f08ts_(A, I, I, T, A, I, I, T, C, int *);
void mpi_ialltoallw_f08ts_(A, I, I, T, A, I, I, T, C, Q, int *);
void mpi_allreduce_f08ts_(A, A, I, T, O, C, int *);
void mpi_reduce_scatter_f08ts_(A, A, I, T, O, C, int *);
void mpi_ireduce_scatter_f08ts_(A, A, I, T, O, C, Q, int *);
void mpi_reduce_scatter_block_f08ts_(A, A, I, T, O, C, int *);
void mpi_neighbor_allgather_f08ts_(A, I, T, A, I, T, C, int *);
void mpi_neighbor_allgatherv_f08ts_(A, I, T, A, I, I, T, C, int *);
void mpi_neighbor_alltoallv_f08ts_(A, I, I, T, A, I, I, T, C, int *);
void mpi_ineighbor_alltoallw_f08ts_(A, I, W, T, A, I, W, T, C, Q, int *);
void mpi_pack_f08ts_(A, I, T, A, I, int *, C, int *);
void mpi_unpack_f08ts_(A, I, int *, A, I, T, C, int *);
void mpi_pack_external_f08ts_(const char *, A, I, T, A, W, MPI_Aint *, int *, size_t);
void mpi_put_f08ts_(A, I, T, I, W, I, T, const MPI_Win *, int *);
void mpi_file_iwrite_at_f08ts_(const MPI_Fint *, const MPI_Offset *, A, I, T, Q, int *);

enum { BLOCKS = 16 };
static int rank, size;
static const int root = 0, none = MPI_PROC_NULL, self, tag;
static const MPI_Info info = MPI_INFO_NULL;

/* A section of blocks of n elements, one behind the other, and memory without gaps. */
static struct args {
    struct f_array gaps, whole;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    int n, counts[BLOCKS], displs[BLOCKS], bytes[BLOCKS];
    MPI_Aint wide[BLOCKS];
    int fitting[BLOCKS], places[BLOCKS], place_bytes[BLOCKS]; /* for memory without gaps */
    MPI_Aint wide_places[BLOCKS];
    MPI_Datatype types[BLOCKS];
} a;

#define GAPS  &a.gaps, &a.n, &a.type
#define WHOLE &a.whole, a.fitting, &a.type
#define MANY  &a.gaps, a.counts, a.displs, &a.type
#define HOLD  &a.whole, a.fitting, a.places, &a.type
#define TYPED &a.gaps, a.counts, a.bytes, a.types
#define KEEP  &a.whole, a.fitting, a.place_bytes, a.types
#define OP    &a.type, &a.op, &a.comm

/* Calls are made where all ranks fail alike: those that are not root have gaps where it has not. */
#define AT_ROOT(x, y) rank == root ? (x) : (y)

static MPI_Request q;
static int finish(int err) /* of a nonblocking call */
{
    if (err)
        CHECK(q == MPI_REQUEST_NULL);
    CHECK(MPI_Wait(&q, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    return err;
}

#define CALL(name, ...)                                                                            \
    static int name(void)                                                                          \
    {                                                                                              \
        int err = -1;                                                                              \
        mpi_##name##_f08ts_(__VA_ARGS__, &err);                                                    \
        return err;                                                                                \
    }
#define START(name, ...)                                                                           \
    static int name(void)                                                                          \
    {                                                                                              \
        int err = -1;                                                                              \
        mpi_##name##_f08ts_(__VA_ARGS__, &q, &err);                                                \
        return finish(err);                                                                        \
    }
CALL(bcast, GAPS, &root, &a.comm)
CALL(gather, AT_ROOT(&a.whole, &a.gaps), AT_ROOT(a.fitting, &a.n), &a.type, GAPS, &root, &a.comm)
CALL(scatter, GAPS, AT_ROOT(&a.whole, &a.gaps), AT_ROOT(a.fitting, &a.n), &a.type, &root, &a.comm)
CALL(allgather, WHOLE, GAPS, &a.comm)
START(ialltoall, GAPS, WHOLE, &a.comm)
CALL(gatherv, AT_ROOT(&a.whole, &a.gaps), AT_ROOT(a.fitting, &a.n), &a.type, MANY, &root, &a.comm)
CALL(scatterv, MANY, AT_ROOT(&a.whole, &a.gaps), AT_ROOT(a.fitting, &a.n), &a.type, &root, &a.comm)
CALL(allgatherv, WHOLE, MANY, &a.comm)
START(iallgatherv, WHOLE, MANY, &a.comm)
CALL(alltoallv, MANY, HOLD, &a.comm)
START(ialltoallv, HOLD, MANY, &a.comm)
CALL(alltoallw, TYPED, KEEP, &a.comm)
START(ialltoallw, KEEP, TYPED, &a.comm)
CALL(allreduce, &a.whole, &a.gaps, &a.n, OP)
CALL(reduce_scatter, &a.gaps, &a.whole, a.counts, OP)
START(ireduce_scatter, &a.gaps, &a.whole, a.counts, OP)
CALL(reduce_scatter_block, &a.gaps, &a.whole, &a.n, OP)
CALL(neighbor_allgather, WHOLE, GAPS, &a.comm)
CALL(neighbor_allgatherv, WHOLE, MANY, &a.comm)
CALL(neighbor_alltoallv, MANY, HOLD, &a.comm)
START(ineighbor_alltoallw, &a.whole, a.fitting, a.wide_places, a.types, &a.gaps, a.counts, a.wide,
      a.types, &a.comm)

static int alltoallv_init(void)
{
    int err = -1;

    mpi_alltoallv_init_f08ts_(HOLD, MANY, &a.comm, &info, &q, &err);
    CHECK(!err == (q != MPI_REQUEST_NULL));
    if (!err)
        CHECK(MPI_Request_free(&q) == MPI_SUCCESS);
    return err;
}

static const struct f_array in_place = { .base = (char *) &MPIR_F08_MPI_IN_PLACE, .elem_len = 4 };
static int reduce_scatter_in_place(void)
{
    int err = -1;

    mpi_reduce_scatter_f08ts_(&in_place, &a.gaps, a.counts, OP, &err);
    return err;
}

static int reduce_scatter_block_in_place(void)
{
    int err = -1;

    mpi_reduce_scatter_block_f08ts_(&in_place, &a.gaps, &a.n, OP, &err);
    return err;
}

enum {
    PLAIN,
    PLACED = 1, /* blocks have displacements */
    ROOTED = 2,
    REDUCES = 4,
};
static const struct call {
    const char *name; /* in the error text */
    int (*run)(void);
    enum { ALL, ONE, NEIGHBORS } blocks;
    int how;
} calls[] = {
    { "MPI_Bcast(", bcast, ONE, ROOTED },
    { "MPI_Gather(", gather, ALL, ROOTED },
    { "MPI_Scatter(", scatter, ALL, ROOTED },
    { "MPI_Allgather(", allgather, ALL, PLAIN },
    { "MPI_Ialltoall(", ialltoall, ALL, PLAIN },
    { "MPI_Gatherv(", gatherv, ALL, PLACED | ROOTED },
    { "MPI_Scatterv(", scatterv, ALL, PLACED | ROOTED },
    { "MPI_Allgatherv(", allgatherv, ALL, PLACED },
    { "MPI_Iallgatherv(", iallgatherv, ALL, PLACED },
    { "MPI_Alltoallv(", alltoallv, ALL, PLACED },
    { "MPI_Ialltoallv(", ialltoallv, ALL, PLACED },
    { "MPI_Alltoallv_init(", alltoallv_init, ALL, PLACED },
    { "MPI_Alltoallw(", alltoallw, ALL, PLACED },
    { "MPI_Ialltoallw(", ialltoallw, ALL, PLACED },
    { "MPI_Allreduce(", allreduce, ONE, REDUCES },
    { "MPI_Reduce_scatter(", reduce_scatter, ALL, REDUCES },
    { "MPI_Ireduce_scatter(", ireduce_scatter, ALL, REDUCES },
    { "MPI_Reduce_scatter(", reduce_scatter_in_place, ALL, REDUCES },
    { "MPI_Reduce_scatter_block(", reduce_scatter_block, ALL, REDUCES },
    { "MPI_Reduce_scatter_block(", reduce_scatter_block_in_place, ALL, REDUCES },
    { "MPI_Neighbor_allgather(", neighbor_allgather, NEIGHBORS, PLAIN },
    { "MPI_Neighbor_allgatherv(", neighbor_allgatherv, NEIGHBORS, PLACED },
    { "MPI_Neighbor_alltoallv(", neighbor_alltoallv, NEIGHBORS, PLACED },
    { "MPI_Ineighbor_alltoallw(", ineighbor_alltoallw, NEIGHBORS, PLACED },
};

/* ---- the handlers, and what they must get ---------------------------------------------------- */

static int handled;
static char text[1500];

static void on_error(int *err, const char *shown)
{
    int len;
    char why[MPI_MAX_ERROR_STRING];

    handled++;
    MPI_Error_string(*err, why, &len);
    snprintf(text, sizeof text, "%.500s: %s", shown, why);
}

static void on_comm(MPI_Comm *comm, int *err, ...)
{
    va_list args;

    CHECK(*comm == a.comm);
    va_start(args, err);
    on_error(err, va_arg(args, const char *));
    va_end(args);
}

static void on_win(MPI_Win *win, int *err, ...)
{
    va_list args;

    (void) win;
    va_start(args, err);
    on_error(err, va_arg(args, const char *));
    va_end(args);
}

static void on_file(MPI_File *file, int *err, ...)
{
    va_list args;

    (void) file;
    va_start(args, err);
    on_error(err, va_arg(args, const char *));
    va_end(args);
}

static void check_error(const char *call, int err, int class)
{
    int is = -1;

    MPI_Error_class(err, &is);
    if (is != class)
        fprintf(stderr, "%s), %d blocks of %d: %s\n", call, size, a.n, text);
    CHECK_INT(is, class);
    CHECK_INT(handled, class != MPI_SUCCESS);
    if (class != MPI_SUCCESS)
        CHECK(strstr(text, call));
    handled = 0;
    text[0] = 0;
}

/* ---- collective calls ------------------------------------------------------------------------ */

/* Fits: all of it is in the section. The others leave it. */
enum error { FITS, TOO_MANY, BEFORE, BEHIND, ERRORS };

/* here: how many blocks the section of this rank has. */
static void set_args(int blocks, int here, int n, enum error e)
{
    MPI_Aint lb, extent;

    MPI_Type_get_extent(a.type, &lb, &extent);
    int ints = (int) (extent / 4);
    a.gaps.dim[0].upper = here * n * ints - 1;
    a.n = n + (e == TOO_MANY);
    for (int i = 0; i < BLOCKS; i++) {
        a.counts[i] = a.fitting[i] = n;
        a.displs[i] = a.places[i] = i * n;
        a.types[i] = a.type;
    }
    if (e == TOO_MANY)
        a.counts[blocks - 1]++;
    if (e == BEFORE)
        a.displs[0] = -1;
    if (e == BEHIND)
        a.displs[blocks - 1]++;
    for (int i = 0; i < BLOCKS; i++) {
        a.bytes[i] = (int) (a.wide[i] = a.displs[i] * extent);
        a.place_bytes[i] = (int) (a.wide_places[i] = a.places[i] * extent);
    }
}

static void collective(const struct call *c, MPI_Comm world, MPI_Comm cart, int n)
{
    static const int class[] = { MPI_SUCCESS, MPI_ERR_COUNT, MPI_ERR_BUFFER, MPI_ERR_COUNT };
    int blocks = c->blocks == ALL ? size : c->blocks == ONE ? 1 : 2;

    for (enum error e = FITS; e < ERRORS; e++) {
        if (e >= BEFORE && (!(c->how & PLACED) || ((c->how & ROOTED) && size > 1)))
            continue;
        int only_copied = a.type != MPI_INTEGER && c->run == alltoallv_init;
        a.comm = c->blocks == NEIGHBORS ? cart : world;
        set_args(blocks, (c->how & ROOTED) && rank != root ? 1 : blocks, n, e);
        int err = c->run();
        check_error(c->name, err, e == FITS && only_copied ? MPI_ERR_BUFFER : class[e]);
    }
}

static void all_collectives(MPI_Comm world, MPI_Comm cart)
{
    MPI_Datatype holes, vector;

    MPI_Type_vector(2, 1, 2, MPI_INTEGER, &vector);
    MPI_Type_create_resized(vector, 0, 16, &holes);
    MPI_Type_commit(&holes);
    for (int n = 3; n <= 3000; n *= 1000)
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            a.type = MPI_INTEGER;
            collective(&calls[i], world, cart, n);
            a.type = holes;
            if (!(calls[i].how & REDUCES))
                collective(&calls[i], world, cart, n);
        }
    MPI_Type_free(&vector);
    MPI_Type_free(&holes);
}

/* ---- other calls ----------------------------------------------------------------------------- */

static void messages(MPI_Comm world)
{
    int err = -1;

    a.comm = world;
    a.type = MPI_INTEGER;
    a.n = 9;
    a.gaps.dim[0].upper = 7;
    mpi_send_f08ts_(GAPS, &self, &tag, &a.comm, &err);
    check_error("MPI_Send(", err, MPI_ERR_COUNT);
    mpi_irecv_f08ts_(GAPS, &self, &tag, &a.comm, &q, &err);
    check_error("MPI_Irecv(", finish(err), MPI_ERR_COUNT);
    mpi_recv_init_f08ts_(GAPS, &self, &tag, &a.comm, &q, &err);
    check_error("MPI_Recv_init(", finish(err), MPI_ERR_COUNT);
    mpi_send_f08ts_(GAPS, &none, &tag, &a.comm, &err);
    check_error("MPI_Send(", err, MPI_SUCCESS);
    a.n = INT_MAX;
    mpi_send_f08ts_(GAPS, &self, &tag, &a.comm, &err);
    check_error("MPI_Send(", err, MPI_ERR_COUNT);
    a.n = -1;
    mpi_send_f08ts_(GAPS, &self, &tag, &a.comm, &err);
    check_error("MPI_Send(", err, MPI_ERR_COUNT);
}

/* Elements so far from each other that the bounds of a datatype overflow. */
static void no_datatype(MPI_Comm world)
{
    int err = -1;

    a.comm = world;
    a.n = 3;
    a.gaps.dim[0].upper = 2;
    a.gaps.dim[0].stride = (ptrdiff_t) 1 << 59;
    mpi_irecv_f08ts_(GAPS, &self, &tag, &a.comm, &q, &err);
    check_error("MPI_Irecv(", finish(err), MPI_ERR_COUNT);
    a.gaps.dim[0].stride = 2;
}

/* The packed buffer is a section of bytes. */
static void packing(MPI_Comm world)
{
    static char memory[64];
    struct f_array bytes = { .base = memory, .elem_len = 1, .rank = 1, .span = 1 };
    const int fits = 32, more = 33;
    const MPI_Aint wide_more = 33;
    MPI_Aint wide_at = 0;
    int at = 0, err = -1;

    bytes.dim[0].stride = 2;
    bytes.dim[0].upper = 31;
    a.comm = world;
    a.n = 8;
    a.gaps.dim[0].upper = 7;
    mpi_pack_f08ts_(GAPS, &bytes, &fits, &at, &a.comm, &err);
    check_error("MPI_Pack(", err, MPI_SUCCESS);
    at = 0;
    mpi_pack_f08ts_(GAPS, &bytes, &more, &at, &a.comm, &err);
    check_error("MPI_Pack(", err, MPI_ERR_COUNT);
    mpi_unpack_f08ts_(&bytes, &more, &at, GAPS, &a.comm, &err);
    check_error("MPI_Unpack(", err, MPI_ERR_COUNT);
    CHECK_INT(at, 0);
    MPI_Errhandler old, returns = MPI_ERRORS_RETURN;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &old);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, returns);
    mpi_pack_external_f08ts_("external32", GAPS, &bytes, &wide_more, &wide_at, &err, 10);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, old);
    MPI_Errhandler_free(&old);
    int class = -1;
    MPI_Error_class(err, &class);
    CHECK_INT(class, MPI_ERR_COUNT);
}

static void window(void)
{
    MPI_Win win;
    MPI_Errhandler h;
    int err = -1, *memory;
    const MPI_Aint at = 0;

    MPI_Win_allocate(100, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
    MPI_Win_create_errhandler(on_win, &h);
    MPI_Win_set_errhandler(win, h);
    MPI_Errhandler_free(&h);
    a.n = 9;
    MPI_Win_fence(0, win);
    mpi_put_f08ts_(GAPS, &self, &at, &a.n, &a.type, &win, &err);
    check_error("MPI_Put(", err, MPI_ERR_COUNT);
    a.n = 3;
    a.gaps.dim[0].stride = (ptrdiff_t) 1 << 59;
    mpi_put_f08ts_(GAPS, &self, &at, &a.n, &a.type, &win, &err);
    check_error("MPI_Put(", err, MPI_ERR_COUNT);
    a.gaps.dim[0].stride = 2;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void a_file(void)
{
    const char *tmp = getenv("TMPDIR");
    char path[300];
    MPI_File file;
    MPI_Errhandler h;
    const MPI_Offset at = 0;
    int err = -1;

    /* Processes on several hosts may have the same number. */
    snprintf(path, sizeof path, "%s/bad-%d-%d", tmp && *tmp ? tmp : "/tmp", (int) getpid(), rank);
    CHECK(MPI_File_open(MPI_COMM_SELF, path,
                        MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                        &file)
          == MPI_SUCCESS);
    MPI_File_create_errhandler(on_file, &h);
    MPI_File_set_errhandler(file, h);
    MPI_Errhandler_free(&h);
    const MPI_Fint handle = MPI_File_c2f(file);
    a.n = 9;
    mpi_file_iwrite_at_f08ts_(&handle, &at, GAPS, &q, &err);
    check_error("MPI_File_iwrite_at(", finish(err), MPI_ERR_COUNT);
    CHECK(MPI_File_close(&file) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Comm world, cart;
    MPI_Errhandler h;
    const int one = 1;

    MPI_Init(&argc, &argv); /* errors that go to MPI_COMM_WORLD end the program */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size <= BLOCKS);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &one, 0, &cart);
    MPI_Comm_create_errhandler(on_comm, &h);
    MPI_Comm_set_errhandler(world, h);
    MPI_Comm_set_errhandler(cart, h);
    MPI_Errhandler_free(&h);
    const size_t ints = (size_t) BLOCKS * 3000 * 4 * 2;
    a.gaps = a.whole = (struct f_array) { .elem_len = 4, .rank = 1, .span = 4 };
    CHECK((a.gaps.base = calloc(ints, 4)) && (a.whole.base = calloc(ints, 4)));
    a.gaps.dim[0].stride = 2;
    a.whole.dim[0].stride = 1;
    a.whole.dim[0].upper = (ptrdiff_t) ints - 1;
    a.op = MPI_SUM;
    all_collectives(world, cart);
    messages(world);
    no_datatype(world);
    packing(world);
    window();
    a_file();
    free(a.gaps.base);
    free(a.whole.base);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&world);
    MPI_Finalize();
    return 0;
}
