/* hints.c — the info hints of communicators (§6.4.4). */
#include <string.h>
#include "mpi/comm/comm.h"
#include "mpi/info/info.h"

static const struct hint {
    const char *key;
    enum adi3_hint bit;
} hints[] = {
    { "mpi_assert_no_any_tag", ADI3_NO_ANY_TAG },
    { "mpi_assert_no_any_source", ADI3_NO_ANY_SOURCE },
    { "mpi_assert_exact_length", ADI3_EXACT_LENGTH },
    { "mpi_assert_allow_overtaking", ADI3_ALLOW_OVERTAKING },
};
enum { HINTS = sizeof hints / sizeof *hints };

int mpir_hints_read(const struct mpir_info *info, uint8_t *bits)
{
    uint8_t read = *bits;

    for (int i = 0; i < HINTS; i++) {
        const char *value = mpir_info_get(info, hints[i].key);
        if (!value)
            continue;
        read = (uint8_t) (read & ~hints[i].bit);
        if (!strcmp(value, "true"))
            read = (uint8_t) (read | hints[i].bit);
        else if (strcmp(value, "false"))
            return mpir_error(MPI_ERR_INFO_VALUE, "%s is \"%s\", not true or false", hints[i].key,
                              value);
    }
    *bits = read;
    return MPI_SUCCESS;
}

int mpir_hints_write(uint8_t bits, struct mpir_info *info)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < HINTS && !err; i++)
        err = mpir_info_set(info, hints[i].key, bits & hints[i].bit ? "true" : "false");
    return err;
}
