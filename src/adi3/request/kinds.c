/* kinds.c — the table of kinds of requests: a row of functions for each. */
#include <string.h>
#include "adi3/request/request_impl.h"

const struct request_kind *request_kinds[ADI3_KINDS];

int request_kind_add(enum adi3_kind kind, const struct request_kind *row)
{
    assert(adi3_lock_held() && kind < ADI3_KINDS && row->name);
    if (request_kinds[kind] == row)
        return MPI_SUCCESS;
    if (request_kinds[kind])
        return adi3_error(MPI_ERR_INTERN, "two kinds of requests have the number %d: %s and %s",
                          (int) kind, request_kinds[kind]->name, row->name);
    for (int i = 0; i < ADI3_KINDS; i++)
        if (request_kinds[i] && !strcmp(request_kinds[i]->name, row->name))
            return adi3_error(MPI_ERR_INTERN, "two kinds of requests have the name '%s'",
                              row->name);
    request_kinds[kind] = row;
    return MPI_SUCCESS;
}
