/* outputs.c — results whose number or length only the call knows, or that Fortran does not see. */
#include "mpi/fortran/handwritten.h"

/* After MPI_Waitsome and its kin, also after MPI_ERR_IN_STATUS. */
static void some_out(MPI_Fint *outcount, MPI_Fint *indices, int n)
{
    if (n == F_UNSET)
        return;
    *outcount = n;
    for (int i = 0; n != MPI_UNDEFINED && i < n; i++)
        indices[i]++;
}

int f_waitsome(F_CALL(MPI_Waitsome), MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount,
               MPI_Fint *indices, MPI_Fint *statuses)
{
    int n = F_UNSET;
    int err = call(*incount, requests, &n, indices, f_statuses(statuses));

    some_out(outcount, indices, n);
    return err;
}

int f_testsome(F_CALL(MPI_Testsome), MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount,
               MPI_Fint *indices, MPI_Fint *statuses)
{
    int n = F_UNSET;
    int err = call(*incount, requests, &n, indices, f_statuses(statuses));

    some_out(outcount, indices, n);
    return err;
}

/* Programs pass whatever they like as buffer_addr (§3.6). */
int f_buffer_detach(F_CALL(MPI_Buffer_detach), void *buffer_addr, MPI_Fint *size)
{
    void *address;

    (void) buffer_addr;
    return call(&address, size);
}

int f_cart_get(F_CALL(MPI_Cart_get), MPI_Fint *comm, MPI_Fint *maxdims, MPI_Fint *dims,
               MPI_Fint *periods, MPI_Fint *coords)
{
    int ndims = 0, err = call(*comm, *maxdims, dims, periods, coords);

    if (!err)
        err = PMPI_Cartdim_get(*comm, &ndims);
    for (int i = 0; i < ndims; i++)
        periods[i] = f_logical(periods[i]);
    return err;
}

static int min_int(int a, int b) { return a < b ? a : b; }

/* valuelen and the length of value are both limits. No value is longer than MPI_MAX_INFO_VAL. */
int f_info_get(F_CALL(MPI_Info_get), MPI_Fint *info, char *key, MPI_Fint *valuelen, char *value,
               MPI_Fint *flag, size_t key_len, size_t value_len)
{
    char text[MPI_MAX_INFO_VAL + 1];
    int room = value_len < MPI_MAX_INFO_VAL ? (int) value_len : MPI_MAX_INFO_VAL, found = F_UNSET;
    struct f_text c_key;
    int err =
        call(*info, f_text(&c_key, key, key_len, true), min_int(*valuelen, room), text, &found);

    f_text_free(&c_key);
    if (!err && found)
        (void) f_string_out(value, value_len, text);
    f_logical_out(flag, found);
    return err;
}
