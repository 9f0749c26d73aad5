/* strings_c.c — the strings of strings.f as C has them. */
#include <string.h>
#include "mpi.h"

int c_name_is_(MPI_Fint *comm, MPI_Fint *which);
int c_info_is_(MPI_Fint *info, MPI_Fint *which);

int c_name_is_(MPI_Fint *comm, MPI_Fint *which)
{
    char name[MPI_MAX_OBJECT_NAME];
    int len;

    MPI_Comm_get_name(MPI_Comm_f2c(*comm), name, &len);
    return strcmp(name, *which == 1 ? "  lead" : "") == 0;
}

int c_info_is_(MPI_Fint *info, MPI_Fint *which)
{
    char value[MPI_MAX_INFO_VAL + 1];
    int flag;

    MPI_Info_get(MPI_Info_f2c(*info), *which == 1 ? "key" : "long", MPI_MAX_INFO_VAL, value, &flag);
    if (!flag || *which == 1)
        return flag && strcmp(value, "v w") == 0;
    return strlen(value) == 300 && value[149] == 'b' && value[299] == 'z';
}
