/* f90.c — the datatypes of Fortran kinds, by precision and range (§17.1.9).
 *
 * They are predefined: each is made by the first call with its arguments and stays until
 * MPI_Finalize. Different arguments give different datatypes, also of one kind. The kinds are
 * those of gfortran. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

struct f90 {
    struct f90 *next;
    int ints[2]; /* precision and range, or range and 0 */
    struct adi3_contents contents;
    struct adi3_type *type;
};

enum { BUCKETS = 256 };
static struct f90 *bucket[BUCKETS];

/* In order of size. Integers have no precision; their range is a number of digits. */
static const struct kind {
    int combiner, precision, range;
    MPI_Datatype like;
} kinds[] = {
    { MPI_COMBINER_F90_REAL, FLT_DIG, -FLT_MIN_10_EXP, MPI_REAL },
    { MPI_COMBINER_F90_REAL, DBL_DIG, -DBL_MIN_10_EXP, MPI_DOUBLE_PRECISION },
    { MPI_COMBINER_F90_REAL, LDBL_DIG, -LDBL_MIN_10_EXP, MPI_LONG_DOUBLE },
    { MPI_COMBINER_F90_REAL, 33, 4931, MPI_REAL16 },
    { MPI_COMBINER_F90_COMPLEX, FLT_DIG, -FLT_MIN_10_EXP, MPI_COMPLEX },
    { MPI_COMBINER_F90_COMPLEX, DBL_DIG, -DBL_MIN_10_EXP, MPI_DOUBLE_COMPLEX },
    { MPI_COMBINER_F90_COMPLEX, LDBL_DIG, -LDBL_MIN_10_EXP, MPI_C_LONG_DOUBLE_COMPLEX },
    { MPI_COMBINER_F90_COMPLEX, 33, 4931, MPI_COMPLEX32 },
    { MPI_COMBINER_F90_INTEGER, 0, 2, MPI_INTEGER1 },
    { MPI_COMBINER_F90_INTEGER, 0, 4, MPI_INTEGER2 },
    { MPI_COMBINER_F90_INTEGER, 0, 9, MPI_INTEGER4 },
    { MPI_COMBINER_F90_INTEGER, 0, 18, MPI_INTEGER8 },
    { MPI_COMBINER_F90_INTEGER, 0, 38, MPI_INTEGER16 },
};

static const struct adi3_type *find_kind(int combiner, int precision, int range)
{
    if (range == MPI_UNDEFINED
        && (combiner == MPI_COMBINER_F90_INTEGER || precision == MPI_UNDEFINED))
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].combiner == combiner && precision <= kinds[i].precision
            && range <= kinds[i].range)
            return adi3_type_builtin(kinds[i].like);
    return NULL;
}

static int no_such_kind(int combiner, int precision, int range)
{
    const char *what = combiner == MPI_COMBINER_F90_COMPLEX ? "complex" : "real";
    bool integer = combiner == MPI_COMBINER_F90_INTEGER;

    if (range == MPI_UNDEFINED && (integer || precision == MPI_UNDEFINED))
        return adi3_error(MPI_ERR_ARG, "%s",
                          integer ? "the range is MPI_UNDEFINED"
                                  : "precision and range are MPI_UNDEFINED");
    if (integer)
        return adi3_error(MPI_ERR_ARG, "no kind of integer has the range %d", range);
    if (precision == MPI_UNDEFINED)
        return adi3_error(MPI_ERR_ARG, "no kind of %s has the range %d", what, range);
    if (range == MPI_UNDEFINED)
        return adi3_error(MPI_ERR_ARG, "no kind of %s has the precision %d", what, precision);
    return adi3_error(MPI_ERR_ARG, "no kind of %s has the precision %d and the range %d", what,
                      precision, range);
}

static struct f90 *make_f90(int combiner, const int ints[2], const struct adi3_type *model)
{
    struct f90 *f = malloc(sizeof *f);
    MPI_Datatype h = MPI_DATATYPE_NULL;

    if (!f || !(f->type = adi3_new(&adi3_types, &h))) {
        free(f);
        return NULL;
    }
    memcpy(f->ints, ints, sizeof f->ints);
    f->contents = (struct adi3_contents) {
        .combiner = combiner,
        .nints = combiner == MPI_COMBINER_F90_INTEGER ? 1 : 2,
        .ints = f->ints,
    };
    *f->type = *model;
    f->type->handle = h;
    f->type->handles = 1;
    f->type->basic = f->type;
    f->type->contents = &f->contents;
    f->type->name = "";
    f->type->named = false;
    f->type->attributes = NULL;
    return f;
}

int adi3_type_f90(int combiner, int precision, int range, struct adi3_type **t)
{
    bool integer = combiner == MPI_COMBINER_F90_INTEGER;
    unsigned hash = (unsigned) precision * 64 + (unsigned) range * 3 + (unsigned) combiner;
    struct f90 **b = &bucket[hash % BUCKETS], *f = *b;
    const int ints[2] = { integer ? range : precision, integer ? 0 : range };

    assert(adi3_lock_held());
    while (f
           && (f->contents.combiner != combiner || f->ints[0] != ints[0] || f->ints[1] != ints[1]))
        f = f->next;
    if (!f) {
        const struct adi3_type *model = find_kind(combiner, precision, range);
        if (!model)
            return no_such_kind(combiner, precision, range);
        if (!(f = make_f90(combiner, ints, model)))
            return adi3_no_memory("for a datatype");
        f->next = *b;
        *b = f;
    }
    *t = f->type;
    return MPI_SUCCESS;
}

void f90_finalize(void)
{
    for (int i = 0; i < BUCKETS; i++) {
        while (bucket[i]) {
            struct f90 *f = bucket[i];
            bucket[i] = f->next;
            type_end(f->type);
            adi3_free(&adi3_types, f->type);
            free(f);
        }
    }
}
