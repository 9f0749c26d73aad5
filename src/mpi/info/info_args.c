/* info_args.c — checks the arguments of the functions on info objects. */
#include <stdlib.h>
#include <string.h>
#include "mpi/info/info.h"

static int info_handle_error(MPI_Info h)
{
    if (h == MPI_INFO_NULL)
        return mpir_error(MPI_ERR_INFO, "the info object is MPI_INFO_NULL");
    return mpir_error(MPI_ERR_INFO, "0x%x is not an info object, or one that was freed",
                      (unsigned) h);
}

int mpir_info_arg(MPI_Info h, struct mpir_info **i)
{
    *i = h == MPI_INFO_ENV ? mpir_info_env() : adi3_get(&mpir_infos, h);
    return *i ? MPI_SUCCESS : info_handle_error(h);
}

int mpir_info_or_null_arg(MPI_Info h, struct mpir_info **i)
{
    *i = NULL;
    return h == MPI_INFO_NULL ? MPI_SUCCESS : mpir_info_arg(h, i);
}

int mpir_info_own_arg(MPI_Info h, struct mpir_info **i)
{
    *i = NULL;
    if (h == MPI_INFO_ENV)
        return mpir_error(MPI_ERR_INFO, "MPI_INFO_ENV cannot be changed or freed");
    return mpir_info_arg(h, i);
}

int mpir_info_key_arg(const char *key)
{
    if (!mpir_checking())
        return MPI_SUCCESS;
    if (!key)
        return mpir_error(MPI_ERR_INFO_KEY, "the key is NULL");
    if (!*key)
        return mpir_error(MPI_ERR_INFO_KEY, "the key is empty");
    if (strnlen(key, MPI_MAX_INFO_KEY) == MPI_MAX_INFO_KEY)
        return mpir_error(MPI_ERR_INFO_KEY, "the key '%.40s...' has more than %d characters", key,
                          MPI_MAX_INFO_KEY - 1);
    return MPI_SUCCESS;
}

int mpir_info_alignment(const struct mpir_info *i, size_t *align)
{
    const char *value = mpir_info_get(i, "mpi_minimum_memory_alignment");
    char *end;

    if (!value)
        return MPI_SUCCESS;
    long long n = strtoll(value, &end, 10);
    if (end == value || *end || n <= 0 || n & (n - 1))
        return mpir_error(MPI_ERR_INFO_VALUE,
                          "mpi_minimum_memory_alignment is \"%s\", not a power of two", value);
    *align = (size_t) n;
    return MPI_SUCCESS;
}

int mpir_info_bool(const struct mpir_info *i, const char *key, bool *value)
{
    const char *text = mpir_info_get(i, key);

    if (!text)
        return MPI_SUCCESS;
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return mpir_error(MPI_ERR_INFO_VALUE, "%s is \"%s\", not true or false", key, text);
    *value = !strcmp(text, "true");
    return MPI_SUCCESS;
}
