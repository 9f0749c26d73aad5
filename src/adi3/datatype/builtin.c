/* builtin.c — the predefined datatypes (§3.2.2, §4.1, §5.9.4). One row each. */
#include <complex.h>
#include <stdlib.h>
#include <wchar.h>
#include "datatype_impl.h"

static int handles(const void *object);
struct adi3_pool adi3_types = ADI3_POOL_OF(ADI3_TYPE, struct adi3_type, handles);

/* Predefined are those that no constructor made, and those for Fortran's kinds. */
static int handles(const void *object)
{
    const struct adi3_type *t = object;

    return t->predefined || t->basic == t ? 0 : t->handles;
}


#define ROW(h, ctype, class_, repr_)                                                               \
    [h & 0xff] = { .handle = h,                                                                    \
                   .refs = 1,                                                                      \
                   .size = sizeof(ctype),                                                          \
                   .extent = sizeof(ctype),                                                        \
                   .true_extent = sizeof(ctype),                                                   \
                   .align = _Alignof(ctype),                                                       \
                   .committed = true,                                                              \
                   .predefined = true,                                                             \
                   .contig = true,                                                                 \
                   .class = ADI3_##class_,                                                         \
                   .repr = ADI3_##repr_,                                                           \
                   .elements = ADI3_##class_ == ADI3_PAIR ? 2 : 1,                                 \
                   .basic = &adi3_builtin[h & 0xff],                                               \
                   .name = #h }

/* Marks a bound, and has no data. */
#define MARKER(h, which)                                                                           \
    [h & 0xff] = { .handle = h,                                                                    \
                   .refs = 1,                                                                      \
                   .align = 1,                                                                     \
                   .committed = true,                                                              \
                   .predefined = true,                                                             \
                   .which##_marked = true,                                                         \
                   .contig = true,                                                                 \
                   .name = #h }

#define ADI3_LONG  (enum adi3_repr)(sizeof(long) == 8 ? ADI3_I64 : ADI3_I32)
#define ADI3_ULONG (enum adi3_repr)(sizeof(long) == 8 ? ADI3_U64 : ADI3_U32)

struct adi3_type adi3_builtin[256] = {
    [0] = { .handle = -1 }, /* so that no handle is that of an empty row: their low bytes differ */
    ROW(MPI_CHAR, char, CHARACTER, REPR_NONE),
    ROW(MPI_WCHAR, wchar_t, NO_CLASS, REPR_NONE),
    ROW(MPI_CHARACTER, char, CHARACTER, REPR_NONE),
    ROW(MPI_PACKED, char, NO_CLASS, REPR_NONE),
    ROW(MPI_BYTE, char, BYTE, U8),

    ROW(MPI_SIGNED_CHAR, signed char, C_INTEGER, I8),
    ROW(MPI_UNSIGNED_CHAR, unsigned char, C_INTEGER, U8),
    ROW(MPI_SHORT, short, C_INTEGER, I16),
    ROW(MPI_UNSIGNED_SHORT, unsigned short, C_INTEGER, U16),
    ROW(MPI_INT, int, C_INTEGER, I32),
    ROW(MPI_UNSIGNED, unsigned, C_INTEGER, U32),
    ROW(MPI_LONG, long, C_INTEGER, LONG),
    ROW(MPI_UNSIGNED_LONG, unsigned long, C_INTEGER, ULONG),
    ROW(MPI_LONG_LONG_INT, long long, C_INTEGER, I64),
    ROW(MPI_UNSIGNED_LONG_LONG, unsigned long long, C_INTEGER, U64),
    ROW(MPI_INT8_T, int8_t, C_INTEGER, I8),
    ROW(MPI_INT16_T, int16_t, C_INTEGER, I16),
    ROW(MPI_INT32_T, int32_t, C_INTEGER, I32),
    ROW(MPI_INT64_T, int64_t, C_INTEGER, I64),
    ROW(MPI_UINT8_T, uint8_t, C_INTEGER, U8),
    ROW(MPI_UINT16_T, uint16_t, C_INTEGER, U16),
    ROW(MPI_UINT32_T, uint32_t, C_INTEGER, U32),
    ROW(MPI_UINT64_T, uint64_t, C_INTEGER, U64),

    ROW(MPI_AINT, MPI_Aint, MULTI_LANGUAGE, I64),
    ROW(MPI_OFFSET, MPI_Offset, MULTI_LANGUAGE, I64),
    ROW(MPI_COUNT, MPI_Count, MULTI_LANGUAGE, I64),

    ROW(MPI_FLOAT, float, FLOATING, F32),
    ROW(MPI_DOUBLE, double, FLOATING, F64),
    ROW(MPI_LONG_DOUBLE, long double, FLOATING, F80),
    ROW(MPI_C_BOOL, _Bool, LOGICAL, U8),
    ROW(MPI_C_COMPLEX, float _Complex, COMPLEX, C32),
    ROW(MPI_C_DOUBLE_COMPLEX, double _Complex, COMPLEX, C64),
    ROW(MPI_C_LONG_DOUBLE_COMPLEX, long double _Complex, COMPLEX, C80),

    ROW(MPI_CXX_BOOL, _Bool, LOGICAL, U8),
    ROW(MPI_CXX_FLOAT_COMPLEX, float _Complex, COMPLEX, C32),
    ROW(MPI_CXX_DOUBLE_COMPLEX, double _Complex, COMPLEX, C64),
    ROW(MPI_CXX_LONG_DOUBLE_COMPLEX, long double _Complex, COMPLEX, C80),

    ROW(MPI_INTEGER, int32_t, F_INTEGER, I32),
    ROW(MPI_INTEGER1, int8_t, F_INTEGER, I8),
    ROW(MPI_INTEGER2, int16_t, F_INTEGER, I16),
    ROW(MPI_INTEGER4, int32_t, F_INTEGER, I32),
    ROW(MPI_INTEGER8, int64_t, F_INTEGER, I64),
    ROW(MPI_LOGICAL, int32_t, LOGICAL, I32),
    ROW(MPI_REAL, float, FLOATING, F32),
    ROW(MPI_REAL4, float, FLOATING, F32),
    ROW(MPI_REAL8, double, FLOATING, F64),
    ROW(MPI_DOUBLE_PRECISION, double, FLOATING, F64),
    ROW(MPI_REAL16, struct f128, FLOATING, F128),
    ROW(MPI_COMPLEX, float _Complex, COMPLEX, C32),
    ROW(MPI_COMPLEX8, float _Complex, COMPLEX, C32),
    ROW(MPI_DOUBLE_COMPLEX, double _Complex, COMPLEX, C64),
    ROW(MPI_COMPLEX16, double _Complex, COMPLEX, C64),
    ROW(MPI_COMPLEX32, struct c128, COMPLEX, C128),

    ROW(MPI_2INT, struct pair_2int, PAIR, P_I32_I32),
    ROW(MPI_2INTEGER, struct pair_2int, PAIR, P_I32_I32),
    ROW(MPI_2REAL, struct pair_2real, PAIR, P_F32_F32),
    ROW(MPI_2DOUBLE_PRECISION, struct pair_2double, PAIR, P_F64_F64),

    MARKER(MPI_LB, lb),
    MARKER(MPI_UB, ub),
};

/* Pairs of a value and an index have holes where C's struct has. Their handles are those of the
 * first five slots of the pool, which is how MPICH's came to be what they are. */
struct pair {
    MPI_Datatype handle;
    size_t value, extent, index_at;
    unsigned align;
    enum adi3_repr repr;
    const char *name;
};

enum { PAIRS = 5 };
static struct {
    size_t start;
    struct layout_block block[2];
    struct adi3_layout layout;
} laid_out[PAIRS];

static struct adi3_layout *lay_out(const struct pair *p)
{
    __typeof__(laid_out[0]) *l = &laid_out[p->handle - MPI_FLOAT_INT];

    l->block[0] = (struct layout_block) { 0, p->value };
    l->block[1] = (struct layout_block) { (MPI_Aint) p->index_at, sizeof(int) };
    l->layout.bytes = l->layout.len = p->value + sizeof(int);
    l->layout.body = p->index_at > p->value ? LAYOUT_VARIED : LAYOUT_BLOCK;
    l->layout.n = p->index_at > p->value ? 2 : 1;
    l->layout.block = l->block;
    l->layout.starts = &l->start;
    return &l->layout;
}

static int add_pair(const struct pair *p)
{
    struct adi3_layout *l = lay_out(p);
    MPI_Datatype h = MPI_DATATYPE_NULL;
    struct adi3_type *t = adi3_new(&adi3_types, &h);

    if (!t || h != p->handle)
        return adi3_error(MPI_ERR_INTERN, "no room for the predefined datatype %s", p->name);
    *t = (struct adi3_type) { .handle = h,
                              .refs = 1,
                              .handles = 1,
                              .size = p->value + sizeof(int),
                              .extent = (MPI_Aint) p->extent,
                              .true_extent = (MPI_Aint) (p->index_at + sizeof(int)),
                              .align = p->align,
                              .committed = true,
                              .predefined = true,
                              .contig = p->value + sizeof(int) == p->extent,
                              .class = ADI3_PAIR,
                              .repr = p->repr,
                              .elements = 2,
                              .layout = l,
                              .name = p->name };
    t->basic = t;
    return MPI_SUCCESS;
}

int adi3_type_init(void)
{
    static const struct pair pair[] = {
#define PAIR(h, value, type, repr)                                                                 \
    { h,                                                                                           \
      sizeof(value),                                                                               \
      sizeof(struct type),                                                                         \
      offsetof(struct type, index),                                                                \
      _Alignof(struct type),                                                                       \
      repr,                                                                                        \
      #h }
        PAIR(MPI_FLOAT_INT, float, pair_float_int, ADI3_P_F32_I32),
        PAIR(MPI_DOUBLE_INT, double, pair_double_int, ADI3_P_F64_I32),
        PAIR(MPI_LONG_INT, long, pair_long_int, ADI3_P_I64_I32),
        PAIR(MPI_SHORT_INT, short, pair_short_int, ADI3_P_I16_I32),
        PAIR(MPI_LONG_DOUBLE_INT, long double, pair_long_double_int, ADI3_P_F80_I32),
    };
    int err = MPI_SUCCESS;

    if (adi3_get(&adi3_types, MPI_FLOAT_INT))
        return err;
    for (int i = 0; i < PAIRS && !err; i++)
        err = add_pair(&pair[i]);
    return err;
}

void adi3_type_finalize(void)
{
    for (size_t i = 0; i < sizeof adi3_builtin / sizeof *adi3_builtin; i++)
        type_end(&adi3_builtin[i]);
    for (int i = 0; i < PAIRS; i++)
        type_end(adi3_get(&adi3_types, (int) ((unsigned) MPI_FLOAT_INT + (unsigned) i)));
    f90_finalize();
}
