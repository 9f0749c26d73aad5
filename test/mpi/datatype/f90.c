/* f90.c — D12: the types of MPI_Type_create_f90_real, complex and integer: the same arguments give
 * the same handle, which is predefined: committed. They carry values. */
#include "../env/starling.h"

static void check_size(MPI_Datatype type, int size)
{
    MPI_Aint lb, extent;
    int n = -1;

    MPI_Type_size(type, &n);
    CHECK_INT(n, size);
    MPI_Type_get_extent(type, &lb, &extent);
    CHECK_INT(lb, 0);
    CHECK_INT(extent, size);
}

/* By the ranges of IEEE single and double precision. */
static void sizes(void)
{
    static const struct {
        int p, r, size;
    } real[] = { { 6, 37, 4 },  { 1, 1, 4 },  { 6, MPI_UNDEFINED, 4 }, { MPI_UNDEFINED, 37, 4 },
                 { 7, 37, 8 },  { 6, 38, 8 }, { 15, 307, 8 },          { MPI_UNDEFINED, 300, 8 },
                 { 12, 100, 8 } };
    static const struct {
        int r, size;
    } integer[] = {
        { 1, 1 }, { 2, 1 }, { 3, 2 }, { 4, 2 }, { 5, 4 }, { 9, 4 }, { 10, 8 }, { 18, 8 }
    };
    MPI_Datatype type;

    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        MPI_Type_create_f90_real(real[i].p, real[i].r, &type);
        check_size(type, real[i].size);
        MPI_Type_create_f90_complex(real[i].p, real[i].r, &type);
        check_size(type, 2 * real[i].size);
    }
    for (size_t i = 0; i < sizeof integer / sizeof *integer; i++) {
        MPI_Type_create_f90_integer(integer[i].r, &type);
        check_size(type, integer[i].size);
    }
}

static void handles(void)
{
    MPI_Datatype a, b, c;

    MPI_Type_create_f90_real(6, 30, &a);
    MPI_Type_create_f90_real(6, 30, &b);
    CHECK(a == b);
    MPI_Type_create_f90_real(6, 31, &b); /* a distinct type: it matches only itself */
    CHECK(a != b && a != MPI_REAL && a != MPI_FLOAT);
    MPI_Type_create_f90_complex(6, 30, &c);
    CHECK(a != c && b != c);
    MPI_Type_create_f90_real(MPI_UNDEFINED, 30, &c);
    CHECK(a != c && b != c);
    MPI_Type_create_f90_integer(9, &a);
    MPI_Type_create_f90_integer(9, &b);
    CHECK(a == b && a != MPI_INTEGER && a != MPI_INT);
    for (int i = 0; i < 1000; i++) { /* no new handle each time */
        MPI_Type_create_f90_integer(9, &b);
        CHECK(a == b);
    }
}

static void values(void)
{
    int rank, size;
    double out[3] = { 1, -2.5, 1e300 }, in[3] = { 0, 0, 0 };
    MPI_Datatype real, pair;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_f90_real(15, 300, &real); /* needs no commit */
    out[0] = rank;
    MPI_Sendrecv(out, 3, real, (rank + 1) % size, 1, in, 3, real, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[0] == (rank + size - 1) % size && in[1] == -2.5 && in[2] == 1e300);
    MPI_Type_vector(2, 1, 2, real, &pair); /* and is part of other types */
    MPI_Type_commit(&pair);
    in[0] = in[1] = in[2] = 0;
    MPI_Sendrecv(out, 1, pair, (rank + 1) % size, 1, in, 1, pair, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[0] == (rank + size - 1) % size && in[1] == 0 && in[2] == 1e300);
    MPI_Type_free(&pair);
}

static void errors(void)
{
    MPI_Datatype type = MPI_INT;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Type_create_f90_real(100, 10, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_create_f90_real(6, 100000, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_create_f90_complex(100, MPI_UNDEFINED, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_create_f90_integer(100, &type) != MPI_SUCCESS);
    CHECK(type == (starling() ? MPI_DATATYPE_NULL : MPI_INT));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    sizes();
    handles();
    values();
    errors();
    MPI_Finalize();
    return 0;
}
