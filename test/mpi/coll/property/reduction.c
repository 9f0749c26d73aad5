/* reduction.c — operations for reductions, computed with long long. Their values never overflow
 * or round, so the order matters only for operations that do not commute. */
#include "property.h"

static struct operator operators[REDUCTIONS] = {
    [SUM] = { "MPI_SUM", MPI_SUM },
    [MAX] = { "MPI_MAX", MPI_MAX },
    [MIN] = { "MPI_MIN", MPI_MIN },
    [BXOR] = { "MPI_BXOR", MPI_BXOR },
    [PROD] = { "MPI_PROD", MPI_PROD },
    [MINLOC] = { "MPI_MINLOC", MPI_MINLOC },
    [USER_SUM] = { "user's sum", MPI_OP_NULL },
    [USER_SUM_ORDERED] = { "user's sum in order", MPI_OP_NULL },
    [AFFINE] = { "user's composition, which does not commute", MPI_OP_NULL },
};

static void user(enum reduction r, const char *in, char *inout, int len, MPI_Datatype type)
{
    const struct layout *l = layout_of(type);

    for (int i = 0; i < len; i++) {
        long long left[MAX_ATOMS], right[MAX_ATOMS];
        layout_load(l, in + i * l->extent, left);
        layout_load(l, inout + i * l->extent, right);
        reduce_atoms(r, l->item, left, right);
        layout_store(l, inout + i * l->extent, left);
    }
}

static void user_sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    user(USER_SUM, in, inout, *len, *type);
}

static void user_affine(void *in, void *inout, int *len, MPI_Datatype *type)
{
    user(AFFINE, in, inout, *len, *type);
}

void reductions_make(void)
{
    MPI_Op_create(user_sum, 1, &operators[USER_SUM].op);
    MPI_Op_create(user_sum, 0, &operators[USER_SUM_ORDERED].op);
    MPI_Op_create(user_affine, 0, &operators[AFFINE].op);
}

void reductions_free(void)
{
    for (int r = USER_SUM; r < REDUCTIONS; r++)
        MPI_Op_free(&operators[r].op);
}

const struct operator* reduction_operator(enum reduction r) { return &operators[r]; }

bool reduction_takes(enum reduction r, int item)
{
    const struct item *it = item_number(item);

    switch (r) {
    case SUM:
    case MAX:
    case MIN:
        return it->atoms == 1;
    case BXOR:
    case PROD:
        return it->atoms == 1 && it->kind[0] != DOUBLE;
    case MINLOC:
        return item == ITEM_PAIR;
    case USER_SUM:
    case USER_SUM_ORDERED:
        return item != ITEM_PAIR;
    case AFFINE:
        return item == ITEM_AFFINE;
    case REDUCTIONS:
        break;
    }
    return false;
}

static long long two(enum reduction r, long long x, long long y)
{
    switch (r) {
    case MAX:
        return x > y ? x : y;
    case MIN:
        return x < y ? x : y;
    case BXOR:
        return x ^ y;
    case PROD:
        return x * y;
    case SUM:
    case USER_SUM:
    case USER_SUM_ORDERED:
    case MINLOC:
    case AFFINE:
    case REDUCTIONS:
        break;
    }
    return x + y;
}

/* left becomes left op right. */
void reduce_atoms(enum reduction r, const struct item *item, long long *left,
                  const long long *right)
{
    if (r == MINLOC) {
        if (right[0] < left[0] || (right[0] == left[0] && right[1] < left[1]))
            memcpy(left, right, 2 * sizeof *left);
    } else if (r == AFFINE) { /* x -> a x + b: the map of the lower rank is applied first */
        unsigned a = (unsigned) left[0], b = (unsigned) left[1];
        unsigned c = (unsigned) right[0], d = (unsigned) right[1];
        left[0] = (int) (c * a);
        left[1] = (int) (c * b + d);
    } else {
        for (int k = 0; k < item->atoms; k++)
            left[k] = narrow(item->kind[k], two(r, left[k], right[k]));
    }
}

/* The value that a process contributes. */
long long reduction_value(enum reduction r, enum kind kind, int atom, u64 random)
{
    static const int range[] = {
        [SIGNED_CHAR] = 14, [SHORT] = 2000, [INT] = 1 << 24, [DOUBLE] = 1 << 30
    };

    if (r == MINLOC)
        return atom == 0 ? (long long) (random % 4) : (long long) (random % 1000);
    if (r == PROD)
        return (long long) (random % 4) - 1;
    if (r == SUM || r == USER_SUM || r == USER_SUM_ORDERED)
        return (long long) (random % (unsigned) range[kind]);
    return narrow(kind, kind == DOUBLE ? (long long) (random >> 20) : (long long) random);
}
