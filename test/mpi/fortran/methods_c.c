/* methods_c.c — datatypes for a pair, made in C, and used in C. */
#include <stddef.h>
#include "mpi.h"

void c_make(MPI_Fint *datatype);
int c_receive(MPI_Fint datatype);

struct pair {
    int i;
    double d;
};

void c_make(MPI_Fint *datatype)
{
    int lengths[] = { 1, 1 };
    MPI_Aint at[] = { offsetof(struct pair, i), offsetof(struct pair, d) };
    MPI_Datatype types[] = { MPI_INT, MPI_DOUBLE }, type, resized;

    MPI_Type_create_struct(2, lengths, at, types, &type);
    MPI_Type_create_resized(type, 0, sizeof(struct pair), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&type);
    *datatype = MPI_Type_c2f(resized);
}

int c_receive(MPI_Fint datatype)
{
    struct pair got[2] = { { 0, 0 }, { 0, 0 } };
    MPI_Status status;
    int count;

    MPI_Recv(got, 2, MPI_Type_f2c(datatype), 0, 2, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, MPI_Type_f2c(datatype), &count);
    return count == 2 && got[0].i == 1 && got[0].d == 1.5 && got[1].i == 2 && got[1].d == 2.5;
}
