/* signature.c — the signature of a datatype: a hash of its sequence of basic elements, for the
 * collective check.
 *
 * All types with the same sequence have the same hash, whatever constructors made them and
 * however the sequence is divided between count and type. If all elements have one
 * representation, the hash is the number of that representation, whatever the count. Otherwise
 * each element is an affine map, a sequence is the composition of its maps, and the hash is made
 * of that. Bytes and packed data match anything. */
#include "adi3/datatype/datatype_impl.h"
#include "platform/golden_ratio.h"

enum {
    ANY = 0,
    CHARS = ADI3_C128 + 1,
    WIDE_CHARS,
    MIXED,
    NUMBERS = 32,
    BYTES = NUMBERS,
    DEEPEST = 64, /* levels of types that are looked through */
};

struct sequence {
    uint32_t mul, add; /* x becomes x * mul + add */
    int one;           /* the representation of all elements; MIXED; or ANY: no elements */
};

static struct sequence sequence_join(struct sequence a, struct sequence b)
{
    int one = !a.one ? b.one : !b.one || a.one == b.one ? a.one : MIXED;

    return (struct sequence) { a.mul * b.mul, a.add * b.mul + b.add, one };
}

static struct sequence sequence_repeat(struct sequence s, size_t n)
{
    struct sequence all = { 1, 0, ANY };

    for (; n; n /= 2) {
        if (n & 1)
            all = sequence_join(all, s);
        s = sequence_join(s, s);
    }
    return all;
}

static struct sequence element_sequence(int what)
{
    const uint32_t mix = 0x85ebca6b; /* odd, with its bits spread */

    return (struct sequence) { GOLDEN_RATIO_32, (uint32_t) what * mix, what };
}

static struct sequence pair_sequence(enum adi3_repr repr)
{
    static const uint8_t both[ADI3_REPRS][2] = {
        [ADI3_P_F32_I32] = { ADI3_F32, ADI3_I32 }, [ADI3_P_F64_I32] = { ADI3_F64, ADI3_I32 },
        [ADI3_P_I64_I32] = { ADI3_I64, ADI3_I32 }, [ADI3_P_I32_I32] = { ADI3_I32, ADI3_I32 },
        [ADI3_P_I16_I32] = { ADI3_I16, ADI3_I32 }, [ADI3_P_F80_I32] = { ADI3_F80, ADI3_I32 },
        [ADI3_P_F32_F32] = { ADI3_F32, ADI3_F32 }, [ADI3_P_F64_F64] = { ADI3_F64, ADI3_F64 },
    };

    return sequence_join(element_sequence(both[repr][0]), element_sequence(both[repr][1]));
}

static struct sequence basic_sequence(const struct adi3_type *t)
{
    if (t->class == ADI3_PAIR)
        return pair_sequence(t->repr);
    if (t->class == ADI3_BYTE || t->handle == MPI_PACKED)
        return element_sequence(BYTES);
    return element_sequence(t->repr ? (int) t->repr : t->handle == MPI_WCHAR ? WIDE_CHARS : CHARS);
}

static struct sequence sequence_of(const struct adi3_type *t, size_t count);

static struct sequence sequence_of_struct(const struct adi3_type *t)
{
    struct sequence all = { 1, 0, ANY };

    for (size_t i = 0; i < type_block_count(t); i++) {
        struct type_block p = type_block_at(t, i);
        all = sequence_join(all, sequence_of(p.type, p.count));
    }
    return all;
}

/* The sequence of count elements of t. A type that is made of one other type is that type
 * repeated. */
static struct sequence sequence_of(const struct adi3_type *t, size_t count)
{
    size_t elements = count * t->elements;

    if (elements == 0)
        return (struct sequence) { 1, 0, ANY };
    while (!t->basic && t->contents->ntypes == 1)
        t = t->contents->types[0];
    if (t->basic)
        return sequence_repeat(basic_sequence(t->basic), elements / t->basic->elements);
    return sequence_repeat(sequence_of_struct(t), elements / t->elements);
}

unsigned adi3_type_signature(const struct adi3_type *t, size_t count)
{
    if (t->depth > DEEPEST)
        return ANY;
    struct sequence s = sequence_of(t, count);
    if (s.one == BYTES)
        return ANY;
    return (unsigned) (s.one == MIXED ? MIXED + (int) (s.add % (NUMBERS - MIXED)) : s.one);
}
