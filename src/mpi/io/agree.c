/* agree.c — collective calls on files succeed in all processes or fail in all. */
#include <stdlib.h>
#include "comm/comm.h"
#include "io.h"

struct record {
    int64_t value;
    int32_t errclass;
    int32_t unused;
};

int mpir_io_error_of(int rank, int errclass, const char *doing)
{
    return errclass ? mpir_error(errclass, "rank %d cannot %s (%s)", rank, doing,
                                 adi3_class_name(errclass))
                    : MPI_SUCCESS;
}

/* The first error that another process has. */
static int first_error(const struct record *all, int size, const char *doing)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < size && !err; i++)
        err = mpir_io_error_of(i, all[i].errclass, doing);
    return err;
}

static int compare(const struct record *all, int size, const char *what)
{
    for (int i = 1; i < size; i++)
        if (all[i].value != all->value)
            return mpir_error(MPI_ERR_NOT_SAME, "%s differs: %lld on rank 0, %lld on rank %d", what,
                              (long long) all->value, (long long) all[i].value, i);
    return MPI_SUCCESS;
}

static int gather(struct adi3_comm *c, int err, int64_t value, struct record **all)
{
    const struct record mine = { value, err & ADI3_CLASS_MASK, 0 };

    *all = malloc((size_t) c->size * sizeof mine);
    return *all ? mpir_gather_all(c, &mine, sizeof mine, *all)
                : mpir_error(MPI_ERR_NO_MEM, "no memory for a record of each of %d processes",
                             c->size);
}

int mpir_io_agree(struct adi3_comm *c, int err, const char *doing)
{
    struct record *all;
    int lost = gather(c, err, 0, &all);

    err = err ? err : lost ? lost : first_error(all, c->size, doing);
    free(all);
    return err;
}

int mpir_io_agree_on(struct adi3_comm *c, int err, int64_t value, const char *what)
{
    struct record *all;
    int lost = gather(c, err, value, &all);

    err = err ? err : lost ? lost : first_error(all, c->size, "make this call");
    err = err ? err : compare(all, c->size, what);
    free(all);
    return err;
}
