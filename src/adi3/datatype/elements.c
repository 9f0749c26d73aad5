/* elements.c — converts between counts of bytes and of basic elements of a type (§4.1.11,
 * §12.3). */
#include "adi3/datatype/datatype_impl.h"

/* The unit of the given count; the result has the other unit. */
enum unit { BYTES, ELEMENTS };

/* The size of an element of t in `unit`, and in the opposite unit. */
static size_t count_in(const struct adi3_type *t, enum unit unit)
{
    return unit == BYTES ? t->size : t->elements;
}

static size_t other_count_in(const struct adi3_type *t, enum unit unit)
{
    return unit == BYTES ? t->elements : t->size;
}

/* The size of the value in a pair, which is two elements (§5.9.4); 0 for all other types. */
static size_t value_size(const struct adi3_type *t)
{
    static const size_t size[ADI3_REPRS] = {
        [ADI3_P_F32_I32] = sizeof(float),   [ADI3_P_F64_I32] = sizeof(double),
        [ADI3_P_I64_I32] = sizeof(int64_t), [ADI3_P_I32_I32] = sizeof(int32_t),
        [ADI3_P_I16_I32] = sizeof(int16_t), [ADI3_P_F80_I32] = sizeof(long double),
        [ADI3_P_F32_F32] = sizeof(float),   [ADI3_P_F64_F64] = sizeof(double),
    };

    return size[t->repr];
}

/* Counts the whole type blocks before the position that is *left units into t. Returns the type of
 * the type block at that position, with *left relative to it. */
static const struct adi3_type *units_descend(const struct adi3_type *t, enum unit unit,
                                             size_t *left, size_t *found)
{
    struct strided s;

    if (t->inner)
        return t->inner;
    if (strided_of(t, &s))
        return t->contents->types[0];
    for (size_t i = 0;; i++) {
        struct type_block p = type_block_at(t, i);
        size_t whole = p.count * count_in(p.type, unit);
        if (*left < whole)
            return p.type;
        *left -= whole;
        *found += p.count * other_count_in(p.type, unit);
    }
}

/* Converts *left units of elements of t into the other unit. What is left over of an incomplete
 * basic element remains in *left. */
static size_t units_convert(const struct adi3_type *t, enum unit unit, size_t *left)
{
    size_t found = 0;

    while (count_in(t, unit)) {
        found += *left / count_in(t, unit) * other_count_in(t, unit);
        *left %= count_in(t, unit);
        if (!*left || t->predefined)
            break;
        t = units_descend(t, unit, left, &found);
    }
    size_t value = value_size(t), first = unit == BYTES ? value : 1;
    if (value && *left >= first) { /* the value of a pair whose index is incomplete */
        *left -= first;
        found += unit == BYTES ? 1 : value;
    }
    return found;
}

bool adi3_type_elements(const struct adi3_type *t, size_t len, size_t *elements)
{
    *elements = units_convert(t, BYTES, &len);
    return len == 0;
}

bool adi3_type_bytes(const struct adi3_type *t, size_t elements, size_t *len)
{
    if (t->elements && (wide) (elements / t->elements) * t->size > INT64_MAX)
        return false;
    *len = units_convert(t, ELEMENTS, &elements); /* the last t of TYPE_BITS may be too much */
    return elements == 0 && *len <= INT64_MAX;
}
