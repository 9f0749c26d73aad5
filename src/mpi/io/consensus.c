/* consensus.c — collective calls on files succeed in all processes or fail in all. */
#include <stdlib.h>
#include <string.h>
#include "mpi/comm/comm.h"
#include "mpi/io/io.h"

struct record {
    struct mpir_io_call call;
    int64_t value;
    uint64_t hints; /* their hash */
    int64_t errclass;
};

struct mpir_io_call mpir_io_call_of(const char *name)
{
    struct mpir_io_call c = { "" };

    memcpy(c.name, name, strnlen(name, sizeof c.name - 1));
    return c;
}

/* Forms that differ only in where the offset comes from may match: PnetCDF has a process with wrong
 * arguments take part by MPI_File_write_all where the others call MPI_File_write_at_all. */
static struct mpir_io_call without_at(struct mpir_io_call c)
{
    c.name[sizeof c.name - 1] = 0; /* it is from a message */
    char *at = strstr(c.name, "_at_all");
    if (at)
        memmove(at, at + 3, strlen(at + 3) + 1);
    return c;
}

static bool may_match(const struct mpir_io_call *a, const struct mpir_io_call *b)
{
    return !*a->name || !*b->name || strcmp(without_at(*a).name, without_at(*b).name) == 0;
}

int mpir_io_same_call(const struct mpir_io_call *first, const struct mpir_io_call *other, int rank)
{
    return may_match(first, other)
               ? MPI_SUCCESS
               : mpir_error(MPI_ERR_OTHER, "rank 0 called %.31s, while rank %d called %.31s",
                            first->name, rank, other->name);
}

int mpir_io_error_of(int rank, int errclass, const char *doing)
{
    return errclass ? mpir_error(errclass, "rank %d cannot %s (%s)", rank, doing,
                                 adi3_class_name(errclass))
                    : MPI_SUCCESS;
}

/* That processes have made different calls, or the first error that one has. */
static int first_error(const struct record *all, int size, const char *doing)
{
    int err = MPI_SUCCESS;

    for (int i = 1; i < size && !err; i++)
        err = mpir_io_same_call(&all->call, &all[i].call, i);
    for (int i = 0; i < size && !err; i++)
        err = mpir_io_error_of(i, (int) all[i].errclass, doing);
    return err;
}

static int records_compare(const struct record *all, int size, const char *what)
{
    for (int i = 1; i < size; i++)
        if (all[i].value != all->value)
            return mpir_error(MPI_ERR_NOT_SAME, "%s differs: %lld on rank 0, %lld on rank %d", what,
                              (long long) all->value, (long long) all[i].value, i);
    return MPI_SUCCESS;
}

/* The first process whose hints differ from those of rank 0; 0: no hints differ. */
static int hints_first_differing(const struct record *all, int size)
{
    for (int i = 1; i < size; i++)
        if (all[i].hints != all->hints)
            return i;
    return 0;
}

/* Gathers the records of all processes. Other threads may begin calls meanwhile: afterwards
 * adi3_current names this call again. */
static int records_gather(struct adi3_comm *c, int err, struct record mine, struct record **all)
{
    const char *name = adi3_current.call;

    mine.errclass = err & ADI3_CLASS_MASK;
    *all = malloc((size_t) c->size * sizeof mine);
    err = *all ? mpir_gather_all(c, &mine, sizeof mine, *all)
               : adi3_no_memory("for a record of each of %d processes", c->size);
    adi3_current.call = name;
    return err;
}

int mpir_io_consensus_to_open(struct adi3_comm *c, int err, uint64_t host, const char *doing,
                              int *elsewhere)
{
    /* With threads adi3_current may name the call of another thread. */
    const char *name = mpir_is(ADI3_LOCKS) ? "" : adi3_current.call;
    const struct record mine = { .call = mpir_io_call_of(name), .value = (int64_t) host };
    struct record *all;
    int lost = records_gather(c, err, mine, &all);

    *elsewhere = 0;
    if (!err)
        err = lost;
    if (!err)
        err = first_error(all, c->size, doing);
    for (int i = 1; !err && i < c->size && !*elsewhere; i++)
        if (all[i].value != all->value)
            *elsewhere = i;
    free(all);
    return err;
}

int mpir_io_consensus(struct adi3_comm *c, int err, const char *doing)
{
    int nowhere;

    return mpir_io_consensus_to_open(c, err, 0, doing, &nowhere);
}

int mpir_io_compare_hints(struct adi3_comm *c, int err, int64_t value, const char *what,
                          const struct mpir_file_hints *hints)
{
    struct record *all, mine = { .call = mpir_io_call_of(adi3_current.call), .value = value };
    int other = 0;

    if (!err && hints)
        mine.hints = mpir_file_hints_hash(hints);
    int lost = records_gather(c, err, mine, &all);
    if (!err)
        err = lost;
    if (!err)
        err = first_error(all, c->size, "make this call");
    if (!err)
        err = records_compare(all, c->size, what);
    if (!err && hints)
        other = hints_first_differing(all, c->size);
    free(all);
    return other ? mpir_file_hints_differ(c, hints, other) : err;
}

int mpir_io_compare(struct adi3_comm *c, int err, int64_t value, const char *what)
{
    return mpir_io_compare_hints(c, err, value, what, NULL);
}
