/* f90_more.c — D12: external32 of types with p and r (17.1.9), wrong arguments and their classes.
 *
 * MPICH 4.0 fails: it takes undefined p and r together, and lets the types be freed. */
#include "../env/starling.h"
#include "external.h"

static void external_sizes(void)
{
    static const struct {
        int p, r, size;
    } real[] = { { 6, 37, 4 }, { 7, 37, 8 }, { 6, 38, 8 }, { 15, 307, 8 } };
    static const struct {
        int r, size;
    } integer[] = { { 1, 1 }, { 2, 1 },  { 3, 2 },  { 4, 2 },   { 5, 4 },
                    { 9, 4 }, { 10, 8 }, { 18, 8 }, { 19, 16 }, { 38, 16 } };
    MPI_Datatype type;
    MPI_Aint room;

    for (int i = 0; i < 4; i++) {
        MPI_Type_create_f90_real(real[i].p, real[i].r, &type);
        MPI_Pack_external_size("external32", 3, type, &room);
        CHECK_INT(room, 3 * real[i].size);
        MPI_Type_create_f90_complex(real[i].p, real[i].r, &type);
        MPI_Pack_external_size("external32", 3, type, &room);
        CHECK_INT(room, 6 * real[i].size);
    }
    for (size_t i = 0; i < sizeof integer / sizeof *integer; i++) {
        MPI_Type_create_f90_integer(integer[i].r, &type);
        MPI_Pack_external_size("external32", 3, type, &room);
        CHECK_INT(room, 3 * integer[i].size);
    }
}

static void external_values(void)
{
    const double d = -2.25;
    const short s = 0x0102;
    MPI_Datatype type;

    MPI_Type_create_f90_real(10, 100, &type);
    external_check("f90_real(10, 100)", type, 1, &d, 8,
                   (unsigned char[]) { 0xc0, 2, 0, 0, 0, 0, 0, 0 }, 8);
    MPI_Type_create_f90_integer(4, &type);
    external_check("f90_integer(4)", type, 1, &s, 2, (unsigned char[]) { 1, 2 }, 2);
}

static void errors(void)
{
    MPI_Datatype type = MPI_INT;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &type)),
              MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Type_create_f90_complex(MPI_UNDEFINED, MPI_UNDEFINED, &type)),
              MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Type_create_f90_real(100, 10, &type)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Type_create_f90_integer(39, &type)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Type_create_f90_integer(4, NULL)), MPI_ERR_ARG);
    CHECK(type == (starling() ? MPI_DATATYPE_NULL : MPI_INT));
    MPI_Type_create_f90_integer(4, &type);
    CHECK_INT(error_class(MPI_Type_free(&type)), MPI_ERR_TYPE);
    CHECK(type != MPI_DATATYPE_NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    external_sizes();
    external_values();
    errors();
    MPI_Finalize();
    return 0;
}
