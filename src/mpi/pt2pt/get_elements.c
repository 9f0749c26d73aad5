#include "received.h"

/* The size of the value of a value and index, which are two elements (§5.9.4); 0 when t is no such
 * pair. */
static size_t value_size(const struct adi3_type *t)
{
    static const size_t size[ADI3_REPRS] = {
        [ADI3_P_F32_I32] = sizeof(float),   [ADI3_P_F64_I32] = sizeof(double),
        [ADI3_P_I64_I32] = sizeof(int64_t), [ADI3_P_I32_I32] = sizeof(int32_t),
        [ADI3_P_I16_I32] = sizeof(int16_t), [ADI3_P_F80_I32] = sizeof(long double),
        [ADI3_P_F32_F32] = sizeof(float),   [ADI3_P_F64_F64] = sizeof(double),
    };

    return size[t->repr];
}

static int elements_of(uint64_t len, const struct adi3_type *t)
{
    const struct adi3_type *basic = t->basic ? t->basic : t;

    if (len == 0)
        return 0; /* also of a type without data */
    if (basic->size == 0)
        return MPI_UNDEFINED;
    size_t value = value_size(basic), rest = len % basic->size;
    uint64_t n = len / basic->size * (value ? 2 : basic->elements);
    if (rest == 0)
        return mpir_count_int(n);
    return rest == value ? mpir_count_int(n + 1) : MPI_UNDEFINED;
}

/* Gives the number of basic elements in a received message, those of an element that is not whole
 * too; MPI_UNDEFINED when the last basic one is not whole, or the number does not fit an int
 * (§4.1.11).
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE. */
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    ENTER("MPI_Get_elements", status, datatype, count);
    struct adi3_type *t;

    TRY(mpir_status_arg(status));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(count, "count"));
    *count = elements_of(mpir_status_len(status), t);
    return mpir_leave(&call);
}
MPIR_WEAK(Get_elements);
