/* sections_p2p.c — L07: random sections as buffers of mpi_f08 in point-to-point calls, against
 * contiguous copies in C's calls.
 *
 * Usage: sections_p2p [sections [seed]] */
#include "section_type.h"

#define BUFFER   const struct f_array *, const int *, const MPI_Datatype *
#define ENVELOPE const int *, const int *, const MPI_Comm *
void mpi_isend_f08ts_(BUFFER, ENVELOPE, MPI_Request *, int *);
void mpi_irecv_f08ts_(BUFFER, ENVELOPE, MPI_Request *, int *);
void mpi_send_init_f08ts_(BUFFER, ENVELOPE, MPI_Request *, int *);
void mpi_recv_init_f08ts_(BUFFER, ENVELOPE, MPI_Request *, int *);
void mpi_ssend_f08ts_(BUFFER, ENVELOPE, int *);
void mpi_recv_f08ts_(BUFFER, ENVELOPE, MPI_Fint *, int *);
void mpi_sendrecv_f08ts_(BUFFER, const int *, const int *, BUFFER, ENVELOPE, MPI_Fint *, int *);
void mpi_sendrecv_replace_f08ts_(BUFFER, const int *, const int *, ENVELOPE, MPI_Fint *, int *);
void mpi_pack_f08ts_(BUFFER, const struct f_array *, const int *, int *, const MPI_Comm *, int *);
void mpi_unpack_f08ts_(const struct f_array *, const int *, int *, BUFFER, const MPI_Comm *, int *);

static int rank, size, left, right, tag;
static const MPI_Comm comm = MPI_COMM_WORLD;

struct exchange { /* to the right, from the left */
    struct element e;
    struct section out, in;
    int count;
};

/* C's call with the twins. */
static void exchange_twins(struct exchange *x)
{
    CHECK(MPI_Sendrecv(x->out.twin, x->count, x->e.type, right, tag, x->in.twin, x->count,
                       x->e.type, left, tag, comm, MPI_STATUS_IGNORE)
          == MPI_SUCCESS);
}

static void check_status(const struct exchange *x, MPI_Fint *status)
{
    MPI_Status s;
    int n;

    CHECK(MPI_Status_f2c(status, &s) == MPI_SUCCESS);
    CHECK_INT(s.MPI_SOURCE, left);
    CHECK(MPI_Get_count(&s, x->e.type, &n) == MPI_SUCCESS);
    CHECK_INT(n, x->count);
}

static void blocking(struct exchange *x)
{
    MPI_Fint status[5];
    int err = -1;

    mpi_sendrecv_f08ts_(&x->out.array, &x->count, &x->e.type, &right, &tag, &x->in.array, &x->count,
                        &x->e.type, &left, &tag, &comm, status, &err);
    CHECK_INT(err, MPI_SUCCESS);
    check_status(x, status);
    exchange_twins(x);
}

static void nonblocking(struct exchange *x)
{
    MPI_Request r[2];
    int err = -1;

    mpi_irecv_f08ts_(&x->in.array, &x->count, &x->e.type, &left, &tag, &comm, &r[0], &err);
    CHECK_INT(err, MPI_SUCCESS);
    mpi_isend_f08ts_(&x->out.array, &x->count, &x->e.type, &right, &tag, &comm, &r[1], &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    exchange_twins(x);
}

/* Even ranks send first. */
static void one_after_the_other(struct exchange *x)
{
    MPI_Fint status[5];
    int err = -1;

    for (int i = 0; i < 2; i++)
        if (i == rank % 2) {
            MPI_Request r;
            mpi_isend_f08ts_(&x->out.array, &x->count, &x->e.type, &right, &tag, &comm, &r, &err);
            CHECK_INT(err, MPI_SUCCESS);
            CHECK(MPI_Wait(&r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        } else {
            mpi_recv_f08ts_(&x->in.array, &x->count, &x->e.type, &left, &tag, &comm, status, &err);
            CHECK_INT(err, MPI_SUCCESS);
            check_status(x, status);
        }
    exchange_twins(x);
}

/* A call that cannot copy says so, and then has changed nothing. */
static int fails(const struct exchange *x, int err, MPI_Request r)
{
    int class = MPI_SUCCESS;

    CHECK(MPI_Error_class(err, &class) == MPI_SUCCESS);
    if (class == MPI_SUCCESS)
        return 0;
    CHECK_INT(class, MPI_ERR_BUFFER);
    CHECK(!x->e.plain && r == MPI_REQUEST_NULL);
    return 1;
}

static void persistent(struct exchange *x)
{
    MPI_Request r[2];
    int errs[2] = { -1, -1 };

    mpi_recv_init_f08ts_(&x->in.array, &x->count, &x->e.type, &left, &tag, &comm, &r[0], &errs[0]);
    mpi_send_init_f08ts_(&x->out.array, &x->count, &x->e.type, &right, &tag, &comm, &r[1],
                         &errs[1]);
    int failed = fails(x, errs[0], r[0]) + fails(x, errs[1], r[1]);
    for (int i = 0; i < 2 && !failed; i++) {
        CHECK(MPI_Startall(2, r) == MPI_SUCCESS);
        CHECK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    }
    for (int i = 0; i < 2; i++)
        CHECK(r[i] == MPI_REQUEST_NULL || MPI_Request_free(&r[i]) == MPI_SUCCESS);
    if (!failed)
        exchange_twins(x);
}

static void replacing(struct exchange *x)
{
    MPI_Fint status[5];
    int err = -1;

    mpi_sendrecv_replace_f08ts_(&x->in.array, &x->count, &x->e.type, &right, &tag, &left, &tag,
                                &comm, status, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Sendrecv_replace(x->in.twin, x->count, x->e.type, right, tag, left, tag, comm,
                               MPI_STATUS_IGNORE)
          == MPI_SUCCESS);
}

/* Into a section of bytes, and out of it. */
static void packing(struct exchange *x)
{
    int bytes, at = 0, twin_at = 0, from = 0, err = -1;

    MPI_Pack_size(x->count, x->e.type, comm, &bytes);
    struct section s = section_make(2, 1, 1 + (int) draw(3), 4000, rank);
    if (bytes <= s.elements) {
        mpi_pack_f08ts_(&x->out.array, &x->count, &x->e.type, &s.array, &s.elements, &at, &comm,
                        &err);
        CHECK_INT(err, MPI_SUCCESS);
        MPI_Pack(x->out.twin, x->count, x->e.type, s.twin, s.elements, &twin_at, comm);
        CHECK_INT(at, twin_at);
        CHECK(section_is_right(&s));
        mpi_unpack_f08ts_(&s.array, &s.elements, &from, &x->in.array, &x->count, &x->e.type, &comm,
                          &err);
        CHECK_INT(err, MPI_SUCCESS);
        from = 0;
        MPI_Unpack(s.twin, s.elements, &from, x->in.twin, x->count, x->e.type, comm);
    }
    section_free(&s);
}

/* Two receives into one section, one of its odd and one of its even elements: each writes its own
 * alone, in whatever order they complete. */
static void interleaved(void)
{
    int numbers[16], err = -1, one = 1;
    MPI_Datatype odd, even;
    const int at[] = { 0, 2, 4, 6 }, behind[] = { 1, 3, 5, 7 };
    struct f_array a = { .base = (char *) numbers, .elem_len = 4, .rank = 1, .span = 4 };
    MPI_Request r[2];

    a.dim[0].stride = 2;
    a.dim[0].upper = 7;
    MPI_Type_create_indexed_block(4, 1, at, MPI_INTEGER, &odd);
    MPI_Type_create_indexed_block(4, 1, behind, MPI_INTEGER, &even);
    MPI_Type_commit(&odd);
    MPI_Type_commit(&even);
    for (int i = 0; i < 16; i++)
        numbers[i] = -i;
    mpi_irecv_f08ts_(&a, &one, &odd, &left, &(int) { 1 }, &comm, &r[0], &err);
    mpi_irecv_f08ts_(&a, &one, &even, &left, &(int) { 2 }, &comm, &r[1], &err);
    for (int t = 2; t > 0; t--) {
        const int values[] = { t, t + 10, t + 20, t + 30 };
        MPI_Send(values, 4, MPI_INTEGER, right, t, comm);
        CHECK(MPI_Wait(&r[t - 1], MPI_STATUS_IGNORE) == MPI_SUCCESS);
    }
    for (int i = 0; i < 16; i++)
        CHECK_INT(numbers[i], i % 2 ? -i : i / 4 * 10 + 1 + i / 2 % 2);
    MPI_Type_free(&odd);
    MPI_Type_free(&even);
}

static void (*const forms[])(struct exchange *) = { blocking,   nonblocking, one_after_the_other,
                                                    persistent, replacing,   packing };
enum { FORMS = sizeof forms / sizeof *forms };

int main(int argc, char **argv)
{
    int sections = argc > 1 ? atoi(argv[1]) : 3000;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    section_state = argc > 2 ? (uint64_t) atoll(argv[2]) : 1;
    interleaved();
    for (tag = 0; tag < sections; tag++) {
        struct exchange x = { .e = element_of(draw(ELEMENTS)) };
        int most = draw(50) ? MOST_ELEMENTS : 20000;
        x.out = section_of(x.e.size, most, rank);
        x.in = section_of(x.e.size, most, rank + 100);
        int a = element_most(&x.e, &x.out), b = element_most(&x.e, &x.in);
        x.count = (int) draw((unsigned) (a < b ? a : b) + 1);
        forms[draw(size == 1 ? 2 : FORMS)](&x);
        CHECK(section_is_right(&x.in));
        CHECK(section_is_right(&x.out));
        section_free(&x.in);
        section_free(&x.out);
        element_free(&x.e);
    }
    MPI_Finalize();
    return 0;
}
