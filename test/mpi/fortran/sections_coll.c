/* sections_coll.c — L07: random sections as buffers of mpi_f08 in collective calls, against
 * contiguous copies in C's calls.
 *
 * Usage: sections_coll [sections [seed]] */
#include "section_type.h"

#define BUFFER  const struct f_array *, const int *, const MPI_Datatype *
#define BUFFERS const struct f_array *, const int *, const int *, const MPI_Datatype *
#define TWO     const struct f_array *, const struct f_array *
#define REDUCED const int *, const MPI_Datatype *, const MPI_Op *
#define COMM    const MPI_Comm *
void mpi_bcast_f08ts_(BUFFER, const int *, COMM, int *);
void mpi_gather_f08ts_(BUFFER, BUFFER, const int *, COMM, int *);
void mpi_scatter_f08ts_(BUFFER, BUFFER, const int *, COMM, int *);
void mpi_allgather_f08ts_(BUFFER, BUFFER, COMM, int *);
void mpi_iallgather_f08ts_(BUFFER, BUFFER, COMM, MPI_Request *, int *);
void mpi_allgather_init_f08ts_(BUFFER, BUFFER, COMM, const MPI_Info *, MPI_Request *, int *);
void mpi_alltoall_f08ts_(BUFFER, BUFFER, COMM, int *);
void mpi_gatherv_f08ts_(BUFFER, BUFFERS, const int *, COMM, int *);
void mpi_scatterv_f08ts_(BUFFERS, BUFFER, const int *, COMM, int *);
void mpi_alltoallv_f08ts_(BUFFERS, BUFFERS, COMM, int *);
void mpi_ialltoallw_f08ts_(BUFFERS, BUFFERS, COMM, MPI_Request *, int *);
void mpi_allreduce_f08ts_(TWO, REDUCED, COMM, int *);
void mpi_reduce_f08ts_(TWO, REDUCED, const int *, COMM, int *);
void mpi_iallreduce_f08ts_(TWO, REDUCED, COMM, MPI_Request *, int *);
void mpi_allreduce_init_f08ts_(TWO, REDUCED, COMM, const MPI_Info *, MPI_Request *, int *);
void mpi_reduce_init_f08ts_(TWO, REDUCED, const int *, COMM, const MPI_Info *, MPI_Request *,
                            int *);
void mpi_send_f08ts_(BUFFER, const int *, const int *, COMM, int *);
void mpi_reduce_scatter_block_f08ts_(TWO, REDUCED, COMM, int *);
void mpi_reduce_scatter_f08ts_(TWO, const int *, const MPI_Datatype *, const MPI_Op *, COMM, int *);

enum { RANKS = 16 };
static int rank, size, root;
static const MPI_Comm comm = MPI_COMM_WORLD;
static const MPI_Op sum = MPI_SUM;
static const MPI_Info info = MPI_INFO_NULL;

struct round {
    struct element e;
    struct section out, in;
    int most_out, most_in; /* elements of the type */
    int n;                 /* such that one block for each rank fits */
    int all;               /* such that one block fits */
    int counts[RANKS], at[RANKS], bytes[RANKS];
    MPI_Datatype types[RANKS];
};

#define S  &r->out.array
#define R  &r->in.array
#define ST r->out.twin
#define RT r->in.twin
#define N  &r->n
#define T  &r->e.type
#define NT r->n, r->e.type
#define OK(twin_call)                                                                              \
    do {                                                                                           \
        CHECK_INT(err, MPI_SUCCESS);                                                               \
        CHECK((twin_call) == MPI_SUCCESS);                                                         \
    } while (0)

static void bcast(struct round *r)
{
    int err = -1;

    mpi_bcast_f08ts_(R, &r->all, T, &root, &comm, &err);
    OK(MPI_Bcast(RT, r->all, r->e.type, root, comm));
}

/* What is not significant at other ranks than the root need not be valid there. */
static void gather(struct round *r)
{
    int err = -1, none = -7, *n = rank == root ? N : &none;

    mpi_gather_f08ts_(S, N, T, R, n, T, &root, &comm, &err);
    OK(MPI_Gather(ST, NT, RT, *n, r->e.type, root, comm));
}

static void scatter(struct round *r)
{
    int err = -1;
    MPI_Datatype none = MPI_DATATYPE_NULL, *t = rank == root ? T : &none;

    mpi_scatter_f08ts_(S, N, t, R, N, T, &root, &comm, &err);
    OK(MPI_Scatter(ST, r->n, *t, RT, NT, root, comm));
}

static void in_place(struct round *r)
{
    int err = -1;
    const struct f_array same = { .base = (char *) &MPIR_F08_MPI_IN_PLACE, .elem_len = 4 };

    mpi_allgather_f08ts_(&same, N, T, R, N, T, &comm, &err);
    OK(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, RT, NT, comm));
}

static void allgather(struct round *r)
{
    int err = -1;

    mpi_allgather_f08ts_(S, N, T, R, N, T, &comm, &err);
    OK(MPI_Allgather(ST, NT, RT, NT, comm));
}

static void iallgather(struct round *r)
{
    int err = -1;
    MPI_Request q;

    mpi_iallgather_f08ts_(S, N, T, R, N, T, &comm, &q, &err);
    CHECK(MPI_Wait(&q, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    OK(MPI_Allgather(ST, NT, RT, NT, comm));
}

static void persistent(struct round *r)
{
    int err = -1, class;
    MPI_Request q;

    mpi_allgather_init_f08ts_(S, N, T, R, N, T, &comm, &info, &q, &err);
    MPI_Error_class(err, &class);
    if (class != MPI_SUCCESS) {
        CHECK_INT(class, MPI_ERR_BUFFER);
        CHECK(q == MPI_REQUEST_NULL);
        return;
    }
    CHECK(MPI_Start(&q) == MPI_SUCCESS);
    CHECK(MPI_Wait(&q, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_Request_free(&q) == MPI_SUCCESS);
    OK(MPI_Allgather(ST, NT, RT, NT, comm));
}

static void alltoall(struct round *r)
{
    int err = -1;

    mpi_alltoall_f08ts_(S, N, T, R, N, T, &comm, &err);
    OK(MPI_Alltoall(ST, NT, RT, NT, comm));
}

static void gatherv(struct round *r)
{
    int err = -1, *n = &r->counts[rank];

    mpi_gatherv_f08ts_(S, n, T, R, r->counts, r->at, T, &root, &comm, &err);
    OK(MPI_Gatherv(ST, *n, r->e.type, RT, r->counts, r->at, r->e.type, root, comm));
}

static void scatterv(struct round *r)
{
    int err = -1, *n = &r->counts[rank];

    mpi_scatterv_f08ts_(S, r->counts, r->at, T, R, n, T, &root, &comm, &err);
    OK(MPI_Scatterv(ST, r->counts, r->at, r->e.type, RT, *n, r->e.type, root, comm));
}

/* Every rank sends as many to each as that one's counts say: all the same number. */
static void alltoallv(struct round *r)
{
    int err = -1, same[RANKS];

    for (int i = 0; i < size; i++)
        same[i] = r->counts[0];
    mpi_alltoallv_f08ts_(S, same, r->at, T, R, same, r->at, T, &comm, &err);
    OK(MPI_Alltoallv(ST, same, r->at, r->e.type, RT, same, r->at, r->e.type, comm));
}

static void ialltoallw(struct round *r)
{
    int err = -1, same[RANKS];
    MPI_Request q;

    for (int i = 0; i < size; i++)
        same[i] = r->counts[0];
    mpi_ialltoallw_f08ts_(S, same, r->bytes, r->types, R, same, r->bytes, r->types, &comm, &q,
                          &err);
    CHECK(MPI_Wait(&q, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    OK(MPI_Alltoallw(ST, same, r->bytes, r->types, RT, same, r->bytes, r->types, comm));
}

static void allreduce(struct round *r)
{
    int err = -1;

    mpi_allreduce_f08ts_(S, R, &r->all, T, &sum, &comm, &err);
    OK(MPI_Allreduce(ST, RT, r->all, r->e.type, sum, comm));
}

static void reduce(struct round *r)
{
    int err = -1;

    mpi_reduce_f08ts_(S, R, &r->all, T, &sum, &root, &comm, &err);
    OK(MPI_Reduce(ST, RT, r->all, r->e.type, sum, root, comm));
}

static void iallreduce(struct round *r)
{
    int err = -1;
    MPI_Request q;

    mpi_iallreduce_f08ts_(S, R, &r->all, T, &sum, &comm, &q, &err);
    CHECK(MPI_Wait(&q, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    OK(MPI_Allreduce(ST, RT, r->all, r->e.type, sum, comm));
}

static void reduce_scatter(struct round *r)
{
    int err = -1;

    mpi_reduce_scatter_f08ts_(S, R, r->counts, T, &sum, &comm, &err);
    OK(MPI_Reduce_scatter(ST, RT, r->counts, r->e.type, sum, comm));
}

static void reduce_scatter_block(struct round *r)
{
    int err = -1;

    mpi_reduce_scatter_block_f08ts_(S, R, N, T, &sum, &comm, &err);
    OK(MPI_Reduce_scatter_block(ST, RT, NT, sum, comm));
}

static void (*const forms[])(struct round *) = {
    bcast,      gather,   scatter,    in_place,       allgather,           iallgather,
    persistent, alltoall, gatherv,    scatterv,       alltoallv,           ialltoallw,
    allreduce,  reduce,   iallreduce, reduce_scatter, reduce_scatter_block
};
enum { FORMS = sizeof forms / sizeof *forms, REDUCTIONS = 5 };

/* Blocks of up to n elements, one for each rank, with gaps between them. */
static void draw_blocks(struct round *r)
{
    MPI_Aint lb, extent;

    MPI_Type_get_extent(r->e.type, &lb, &extent);
    for (int i = 0; i < size; i++) {
        r->counts[i] = (int) draw((unsigned) r->n + 1);
        r->at[i] = i * r->n;
        r->bytes[i] = (int) (r->at[i] * extent);
        r->types[i] = r->e.type;
    }
}

static void draw_round(struct round *r)
{
    r->e = element_of(draw(ELEMENTS));
    r->out = section_of(r->e.size, MOST_ELEMENTS, rank);
    r->in = section_of(r->e.size, MOST_ELEMENTS, rank + 100);
    int a = element_most(&r->e, &r->out), b = element_most(&r->e, &r->in);
    int most = a < b ? a : b;
    r->n = (int) draw((unsigned) (most / size) + 1);
    r->all = (int) draw((unsigned) most + 1);
    root = (int) draw((unsigned) size);
    draw_blocks(r);
}

/* A section where the call looks at none is no error: what only a copy could pass, and one that is
 * too short. */
static void insignificant(void)
{
    int numbers[8] = { 0 }, value = rank, total, one = 1, many = 1000, none = MPI_PROC_NULL,
        err = -1;
    const MPI_Datatype integer = MPI_INTEGER;
    struct f_array scalar = { .base = (char *) &value, .elem_len = 4, .span = 4 };
    struct f_array result = { .base = (char *) &total, .elem_len = 4, .span = 4 };
    struct f_array gaps = { .base = (char *) numbers, .elem_len = 4, .rank = 1, .span = 4 };
    MPI_Request q;

    gaps.dim[0].stride = 2;
    gaps.dim[0].upper = 3;
    mpi_send_f08ts_(&gaps, &many, &integer, &none, &one, &comm, &err);
    CHECK_INT(err, MPI_SUCCESS);
    root = 0;
    mpi_reduce_init_f08ts_(&scalar, rank == root ? &result : &gaps, &one, &integer, &sum, &root,
                           &comm, &info, &q, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Request_free(&q) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    int sections = argc > 1 ? atoi(argv[1]) : 2000;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    CHECK(size <= RANKS);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    section_state = argc > 2 ? (uint64_t) atoll(argv[2]) : 1;
    insignificant();
    for (int i = 0; i < sections; i++) {
        struct round r;
        draw_round(&r);
        forms[draw(r.e.number ? FORMS : FORMS - REDUCTIONS)](&r);
        CHECK(section_is_right(&r.in));
        CHECK(section_is_right(&r.out));
        section_free(&r.in);
        section_free(&r.out);
        element_free(&r.e);
    }
    MPI_Finalize();
    return 0;
}
