/* class.c — what part a datatype has in the signature of a collective call.
 *
 * A number for the sequence of its basic elements: whatever constructors give the same sequence
 * give the same number, and how often which type is repeated does not matter. Where all elements
 * are of one representation that is the number, whatever their count; otherwise each element is an
 * affine map, a sequence is their composition, and the number is made of that. Bytes and packed
 * data may be anything. */
#include "datatype_impl.h"

enum {
    ANY = 0,
    CHARS = ADI3_C128 + 1,
    WIDE_CHARS,
    MIXED,
    NUMBERS = 32,
    BYTES = NUMBERS,
    DEEPEST = 64, /* types in each other that are looked through */
};

struct sequence {
    uint32_t mul, add; /* x becomes x * mul + add */
    int one;           /* what all of it is; MIXED; ANY: it is empty */
};

static struct sequence join(struct sequence a, struct sequence b)
{
    int one = !a.one ? b.one : !b.one || a.one == b.one ? a.one : MIXED;

    return (struct sequence) { a.mul * b.mul, a.add * b.mul + b.add, one };
}

static struct sequence repeat(struct sequence s, size_t n)
{
    struct sequence all = { 1, 0, ANY };

    for (; n; n /= 2) {
        if (n & 1)
            all = join(all, s);
        s = join(s, s);
    }
    return all;
}

static struct sequence element(int what)
{
    return (struct sequence) { 0x9e3779b1, (uint32_t) what * 0x85ebca6b, what };
}

static struct sequence pair(enum adi3_repr repr)
{
    static const uint8_t parts[ADI3_REPRS][2] = {
        [ADI3_P_F32_I32] = { ADI3_F32, ADI3_I32 }, [ADI3_P_F64_I32] = { ADI3_F64, ADI3_I32 },
        [ADI3_P_I64_I32] = { ADI3_I64, ADI3_I32 }, [ADI3_P_I32_I32] = { ADI3_I32, ADI3_I32 },
        [ADI3_P_I16_I32] = { ADI3_I16, ADI3_I32 }, [ADI3_P_F80_I32] = { ADI3_F80, ADI3_I32 },
        [ADI3_P_F32_F32] = { ADI3_F32, ADI3_F32 }, [ADI3_P_F64_F64] = { ADI3_F64, ADI3_F64 },
    };

    return join(element(parts[repr][0]), element(parts[repr][1]));
}

static struct sequence basic(const struct adi3_type *t)
{
    if (t->class == ADI3_PAIR)
        return pair(t->repr);
    if (t->class == ADI3_BYTE || t->handle == MPI_PACKED)
        return element(BYTES);
    return element(t->repr ? (int) t->repr : t->handle == MPI_WCHAR ? WIDE_CHARS : CHARS);
}

static struct sequence of(const struct adi3_type *t, size_t count);

static struct sequence of_struct(const struct adi3_type *t)
{
    struct sequence all = { 1, 0, ANY };

    for (size_t i = 0; i < pieces_of(t); i++) {
        struct piece p = piece_of(t, i);
        all = join(all, of(p.type, p.count));
    }
    return all;
}

/* So many of t; of one type that is made of another, so many more of that. */
static struct sequence of(const struct adi3_type *t, size_t count)
{
    size_t elements = count * t->elements;

    if (elements == 0)
        return (struct sequence) { 1, 0, ANY };
    while (!t->basic && t->contents->ntypes == 1)
        t = t->contents->types[0];
    if (t->basic)
        return repeat(basic(t->basic), elements / t->basic->elements);
    return repeat(of_struct(t), elements / t->elements);
}

unsigned adi3_type_signature(const struct adi3_type *t, size_t count)
{
    if (t->depth > DEEPEST)
        return ANY;
    struct sequence s = of(t, count);
    if (s.one == BYTES)
        return ANY;
    return (unsigned) (s.one == MIXED ? MIXED + (int) (s.add % (NUMBERS - MIXED)) : s.one);
}
