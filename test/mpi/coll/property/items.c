/* items.c — items of one to four numbers, and types for them: as in C, with gaps, in reverse,
 * with a longer extent, with a negative lower bound. */
#include <limits.h>
#include "property.h"

static const struct item items[ITEMS] = {
    [ITEM_INT] = { "int", 1, { INT } },
    [1] = { "double", 1, { DOUBLE } },
    [2] = { "signed char", 1, { SIGNED_CHAR } },
    [3] = { "short", 1, { SHORT } },
    [ITEM_AFFINE] = { "2 ints", 2, { INT, INT } },
    [ITEM_PAIR] = { "MPI_2INT", 2, { INT, INT } },
    [6] = { "3 doubles", 3, { DOUBLE, DOUBLE, DOUBLE } },
    [7] = { "char, int, double", 3, { SIGNED_CHAR, INT, DOUBLE } },
    [8] = { "4 chars", 4, { SIGNED_CHAR, SIGNED_CHAR, SIGNED_CHAR, SIGNED_CHAR } },
};

static const int sizes[] = { 1, sizeof(short), sizeof(int), sizeof(double) };

static struct layout layouts[ITEMS][LAYOUTS];

static MPI_Datatype basic(enum kind kind)
{
    switch (kind) {
    case SIGNED_CHAR:
        return MPI_SIGNED_CHAR;
    case SHORT:
        return MPI_SHORT;
    case INT:
        return MPI_INT;
    case DOUBLE:
        return MPI_DOUBLE;
    }
    return MPI_DATATYPE_NULL;
}

static bool homogeneous(const struct item *item)
{
    for (int a = 1; a < item->atoms; a++)
        if (item->kind[a] != item->kind[0])
            return false;
    return true;
}

/* Sets the offsets of the atoms, the lower bound and the extent. */
static MPI_Aint place_atoms(struct layout *l, int number)
{
    const struct item *item = l->item;
    MPI_Aint at = number == 4 ? -24 : 0, step, align = 1;

    for (int k = 0; k < item->atoms; k++) {
        int a = number == 2 ? item->atoms - 1 - k : k, size = sizes[item->kind[a]];
        step = number == 1 ? 16 : size;
        at = (at + size - 1) & -(MPI_Aint) size;
        l->off[a] = at;
        at += step;
        align = size > align ? size : align;
    }
    l->low = l->high = l->off[0];
    for (int a = 0; a < item->atoms; a++) {
        MPI_Aint end = l->off[a] + sizes[item->kind[a]];
        l->low = l->off[a] < l->low ? l->off[a] : l->low;
        l->high = end > l->high ? end : l->high;
    }
    l->extent = ((number == 4 ? at + 24 : at) + align - 1) & -align;
    if (number == 3)
        l->extent += 3 * align;
    return number == 4 ? -24 : 0;
}

static void make(struct layout *l, int number)
{
    const struct item *item = l->item;
    MPI_Aint lb = place_atoms(l, number);
    MPI_Datatype types[MAX_ATOMS], inner;
    int ones[MAX_ATOMS];

    for (int a = 0; a < item->atoms; a++) {
        types[a] = basic(item->kind[a]);
        ones[a] = 1;
    }
    if (homogeneous(item) && number == 0)
        MPI_Type_contiguous(item->atoms, types[0], &inner);
    else if (homogeneous(item) && number == 1)
        MPI_Type_create_hvector(item->atoms, 1, 16, types[0], &inner);
    else
        MPI_Type_create_struct(item->atoms, ones, l->off, types, &inner);
    MPI_Type_create_resized(inner, lb, l->extent, &l->type);
    MPI_Type_free(&inner);
    MPI_Type_commit(&l->type);
}

void items_make(void)
{
    for (int i = 0; i < ITEMS; i++)
        for (int k = 0; k < LAYOUTS; k++) {
            struct layout *l = &layouts[i][k];
            l->item = &items[i];
            l->predefined = k == 0 && (items[i].atoms == 1 || i == ITEM_PAIR);
            make(l, k);
            if (l->predefined) {
                MPI_Type_free(&l->type);
                l->type = i == ITEM_PAIR ? MPI_2INT : basic(items[i].kind[0]);
            }
        }
}

void items_free(void)
{
    for (int i = 0; i < ITEMS; i++)
        for (int k = 0; k < LAYOUTS; k++)
            if (!layouts[i][k].predefined)
                MPI_Type_free(&layouts[i][k].type);
}

const struct item *item_number(int item) { return &items[item]; }
struct layout *item_layout(int item, int number) { return &layouts[item][number]; }

/* C07: a user's function gets the handle that the user passed. */
const struct layout *layout_of(MPI_Datatype type)
{
    for (int i = 0; i < ITEMS; i++)
        for (int k = 0; k < LAYOUTS; k++)
            if (layouts[i][k].type == type)
                return &layouts[i][k];
    mpitest_fail(__FILE__, __LINE__, "a user's function is given its datatype");
    return NULL;
}

/* The value when it is stored as a number of this kind. */
long long narrow(enum kind kind, long long value)
{
    switch (kind) {
    case SIGNED_CHAR:
        return (signed char) value;
    case SHORT:
        return (short) value;
    case INT:
        return (int) value;
    case DOUBLE:
        return value;
    }
    return 0;
}

#define STORE(type, at, value)                                                                     \
    do {                                                                                           \
        type v = (type) (value);                                                                   \
        memcpy(at, &v, sizeof v);                                                                  \
    } while (0)

void layout_store(const struct layout *l, char *at, const long long *atoms)
{
    for (int a = 0; a < l->item->atoms; a++)
        switch (l->item->kind[a]) {
        case SIGNED_CHAR:
            STORE(signed char, at + l->off[a], atoms[a]);
            break;
        case SHORT:
            STORE(short, at + l->off[a], atoms[a]);
            break;
        case INT:
            STORE(int, at + l->off[a], atoms[a]);
            break;
        case DOUBLE:
            STORE(double, at + l->off[a], atoms[a]);
            break;
        }
}

#define LOAD(type, at, value)                                                                      \
    do {                                                                                           \
        type v;                                                                                    \
        memcpy(&v, at, sizeof v);                                                                  \
        value = (long long) v;                                                                     \
    } while (0)

void layout_load(const struct layout *l, const char *at, long long *atoms)
{
    for (int a = 0; a < l->item->atoms; a++)
        switch (l->item->kind[a]) {
        case SIGNED_CHAR:
            LOAD(signed char, at + l->off[a], atoms[a]);
            break;
        case SHORT:
            LOAD(short, at + l->off[a], atoms[a]);
            break;
        case INT:
            LOAD(int, at + l->off[a], atoms[a]);
            break;
        case DOUBLE:
            LOAD(double, at + l->off[a], atoms[a]);
            break;
        }
}
