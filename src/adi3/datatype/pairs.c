/* pairs.c — the predefined pairs of a value and an index for MPI_MAXLOC and MPI_MINLOC (§5.9.4).
 *
 * Also sets up all predefined datatypes and frees what the user has given them. */
#include "adi3/datatype/datatype_impl.h"

/* These pairs have holes where the C struct has padding. Their handles are those of the first five
 * slots of the pool, as in MPICH. */
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

    assert(adi3_lock_held());
    if (adi3_get(&adi3_types, MPI_FLOAT_INT))
        return err;
    for (int i = 0; i < PAIRS && !err; i++)
        err = add_pair(&pair[i]);
    return err;
}

void adi3_type_finalize(void)
{
    assert(adi3_lock_held());
    for (size_t i = 0; i < sizeof adi3_builtin / sizeof *adi3_builtin; i++)
        type_end(&adi3_builtin[i]);
    for (int i = 0; i < PAIRS; i++)
        type_end(adi3_get(&adi3_types, (int) ((unsigned) MPI_FLOAT_INT + (unsigned) i)));
    f90_finalize();
}
