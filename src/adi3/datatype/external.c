/* external.c — external32, the representation that all MPI libraries and machines share (§13.5.2).
 *
 * It is big-endian, without holes, in the sizes of table 13.2. The types of MPI_Type_create_f90_...
 * need no rules of their own: their sizes in §17.1.9 are those of the types that represent them
 * here. */
#include <endian.h>
#include <float.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

/* ---- one number ------------------------------------------------------------------------------ */

static inline void byte_copy(char *to, const char *from) { *to = *from; }

/* A _Bool of C must be 0 or 1, where external32 says "nonzero". */
static inline void to_bool(char *to, const char *from) { *to = *from != 0; }

static inline void int16_swap(char *to, const char *from)
{
    uint16_t x;

    memcpy(&x, from, sizeof x);
    x = htobe16(x);
    memcpy(to, &x, sizeof x);
}

static inline void int32_swap(char *to, const char *from)
{
    uint32_t x;

    memcpy(&x, from, sizeof x);
    x = htobe32(x);
    memcpy(to, &x, sizeof x);
}

static inline void int64_swap(char *to, const char *from)
{
    uint64_t x;

    memcpy(&x, from, sizeof x);
    x = htobe64(x);
    memcpy(to, &x, sizeof x);
}

static inline void int128_swap(char *to, const char *from)
{
    unsigned __int128 x;

    memcpy(&x, from, sizeof x);
    uint64_t half[2] = { htobe64((uint64_t) (x >> 64)), htobe64((uint64_t) x) };
    memcpy(to, half, sizeof half);
}

/* A long of 8 bytes has 4 bytes in external32, a wchar_t of 4 bytes has 2. The least significant
 * bytes are copied, also of a value that does not fit: the standard wants that and no error
 * (MPI_ERR_CONVERSION is for representations of the user). A value that fits keeps its sign. */
static inline void from_long(char *to, const char *from)
{
    int64_t x;

    memcpy(&x, from, sizeof x);
    uint32_t low = htobe32((uint32_t) x);
    memcpy(to, &low, sizeof low);
}

static inline void to_long(char *to, const char *from)
{
    uint32_t low;

    memcpy(&low, from, sizeof low);
    int64_t x = (int32_t) be32toh(low);
    memcpy(to, &x, sizeof x);
}

static inline void to_ulong(char *to, const char *from)
{
    uint32_t low;

    memcpy(&low, from, sizeof low);
    uint64_t x = be32toh(low);
    memcpy(to, &x, sizeof x);
}

static inline void from_wide(char *to, const char *from)
{
    uint32_t x;

    memcpy(&x, from, sizeof x);
    uint16_t low = htobe16((uint16_t) x);
    memcpy(to, &low, sizeof low);
}

static inline void to_wide(char *to, const char *from)
{
    uint16_t low;

    memcpy(&low, from, sizeof low);
    uint32_t x = be16toh(low);
    memcpy(to, &x, sizeof x);
}

static inline void from_long_double(char *to, const char *from)
{
    if (LDBL_MANT_DIG == 64)
        f80_to_f128(to, from);
    else
        int128_swap(to, from);
}

static inline void to_long_double(char *to, const char *from)
{
    if (LDBL_MANT_DIG == 64)
        f80_from_f128(to, from);
    else
        int128_swap(to, from);
}

/* ---- many numbers ---------------------------------------------------------------------------- */

/* Converts n numbers, which are ts bytes apart in `to` and fs bytes apart in `from`. In most
 * calls they are dense, for which the compiler makes a vector loop. */
typedef void kernel(char *restrict to, MPI_Aint ts, const char *restrict from, MPI_Aint fs,
                    size_t n);

#define KERNEL(one, to_len, from_len)                                                              \
    static void one##_all(char *restrict to, MPI_Aint ts, const char *restrict from, MPI_Aint fs,  \
                          size_t n)                                                                \
    {                                                                                              \
        if (ts == (to_len) && fs == (from_len))                                                    \
            for (size_t i = 0; i < n; i++)                                                         \
                one(to + i * (to_len), from + i * (from_len));                                     \
        else                                                                                       \
            for (; n; n--, to += ts, from += fs)                                                   \
                one(to, from);                                                                     \
    }

KERNEL(byte_copy, 1, 1)
KERNEL(to_bool, 1, 1)
KERNEL(int16_swap, 2, 2)
KERNEL(int32_swap, 4, 4)
KERNEL(int64_swap, 8, 8)
KERNEL(int128_swap, 16, 16)
KERNEL(from_long, 4, 8)
KERNEL(to_long, 8, 4)
KERNEL(to_ulong, 8, 4)
KERNEL(from_wide, 2, 4)
KERNEL(to_wide, 4, 2)
KERNEL(from_long_double, 16, 16)
KERNEL(to_long_double, 16, 16)

enum cell { NONE, BYTE, BOOL, HALF, WORD, LONG, QUAD, C_LONG, C_ULONG, C_WCHAR, C_LONG_DOUBLE };

static const struct {
    unsigned char native, external; /* bytes */
    kernel *pack, *unpack;
} cell[] = {
    [BYTE] = { 1, 1, byte_copy_all, byte_copy_all },
    [BOOL] = { 1, 1, byte_copy_all, to_bool_all },
    [HALF] = { 2, 2, int16_swap_all, int16_swap_all },
    [WORD] = { 4, 4, int32_swap_all, int32_swap_all },
    [LONG] = { 8, 8, int64_swap_all, int64_swap_all },
    [QUAD] = { 16, 16, int128_swap_all, int128_swap_all },
    [C_LONG] = { 8, 4, from_long_all, to_long_all },
    [C_ULONG] = { 8, 4, from_long_all, to_ulong_all },
    [C_WCHAR] = { 4, 2, from_wide_all, to_wide_all },
    [C_LONG_DOUBLE] = { 16, 16, from_long_double_all, to_long_double_all },
};

/* ---- predefined types ------------------------------------------------------------------------ */

/* The numbers in a type: one, or two, of which the second ends where the type does. */
struct shape {
    enum cell first, second;
};

static struct shape shape_of(const struct adi3_type *t)
{
    static const struct shape by_repr[ADI3_REPRS] = {
        [ADI3_REPR_NONE] = { BYTE, NONE },
        [ADI3_I8] = { BYTE, NONE },
        [ADI3_I16] = { HALF, NONE },
        [ADI3_I32] = { WORD, NONE },
        [ADI3_I64] = { LONG, NONE },
        [ADI3_U8] = { BYTE, NONE },
        [ADI3_U16] = { HALF, NONE },
        [ADI3_U32] = { WORD, NONE },
        [ADI3_U64] = { LONG, NONE },
        [ADI3_F32] = { WORD, NONE },
        [ADI3_F64] = { LONG, NONE },
        [ADI3_F80] = { C_LONG_DOUBLE, NONE },
        [ADI3_F128] = { QUAD, NONE },
        [ADI3_I128] = { QUAD, NONE },
        [ADI3_C32] = { WORD, WORD },
        [ADI3_C64] = { LONG, LONG },
        [ADI3_C80] = { C_LONG_DOUBLE, C_LONG_DOUBLE },
        [ADI3_C128] = { QUAD, QUAD },
        [ADI3_P_F32_I32] = { WORD, WORD },
        [ADI3_P_F64_I32] = { LONG, WORD },
        [ADI3_P_I64_I32] = { C_LONG, WORD }, /* only MPI_LONG_INT */
        [ADI3_P_I32_I32] = { WORD, WORD },
        [ADI3_P_I16_I32] = { HALF, WORD },
        [ADI3_P_F80_I32] = { C_LONG_DOUBLE, WORD },
        [ADI3_P_F32_F32] = { WORD, WORD },
        [ADI3_P_F64_F64] = { LONG, LONG },
    };

    if (t->handle == MPI_LONG && t->size == 8)
        return (struct shape) { C_LONG, NONE };
    if (t->handle == MPI_UNSIGNED_LONG && t->size == 8)
        return (struct shape) { C_ULONG, NONE };
    if (t->handle == MPI_WCHAR)
        return (struct shape) { C_WCHAR, NONE };
    if (t->handle == MPI_C_BOOL || t->handle == MPI_CXX_BOOL)
        return (struct shape) { BOOL, NONE };
    return by_repr[t->repr];
}

size_t adi3_external_size(const struct adi3_type *t)
{
    while (t->inner)
        t = t->inner;
    if (!t->predefined)
        return t->external;
    struct shape s = shape_of(t);
    return t->size ? (size_t) cell[s.first].external + cell[s.second].external : 0;
}

/* ---- all types ------------------------------------------------------------------------------- */

struct cursor {
    char *external; /* where the next element begins */
    size_t skip;    /* bytes of external32 before it that are not converted */
    size_t room;    /* bytes behind it; 0 from the first element on that has no room */
    bool pack;
};

/* Skips as many as possible of n elements, each of `len` bytes in external32. Returns how many. */
static inline size_t cursor_skip_elements(struct cursor *c, size_t n, size_t len)
{
    if (__builtin_expect(!c->skip, 1))
        return 0;
    size_t whole = c->skip / len < n ? c->skip / len : n;
    c->skip -= whole * len;
    return whole;
}

struct lane { /* numbers, `apart` bytes apart */
    char *at;
    MPI_Aint apart;
};

static void lane_convert(bool pack, enum cell which, size_t n, struct lane external,
                         struct lane user)
{
    if (pack)
        cell[which].pack(external.at, external.apart, user.at, user.apart, n);
    else
        cell[which].unpack(user.at, user.apart, external.at, external.apart, n);
}

static void convert_run(struct cursor *c, const struct adi3_type *t, size_t n, char *user,
                        MPI_Aint stride)
{
    struct shape s = shape_of(t);
    MPI_Aint native = cell[s.first].native, external = cell[s.first].external;
    MPI_Aint apart = external + cell[s.second].external;
    size_t skipped = cursor_skip_elements(c, n, (size_t) apart), left = n - skipped;

    n = left * (size_t) apart <= c->room ? left : c->room / (size_t) apart;
    user += (MPI_Aint) skipped * stride;
    char *second = user + t->true_extent - cell[s.second].native;

    if (s.first == s.second && stride == 2 * native) {
        lane_convert(c->pack, s.first, 2 * n, (struct lane) { c->external, external },
                     (struct lane) { user, native });
    } else {
        lane_convert(c->pack, s.first, n, (struct lane) { c->external, apart },
                     (struct lane) { user, stride });
        if (s.second)
            lane_convert(c->pack, s.second, n, (struct lane) { c->external + external, apart },
                         (struct lane) { second, stride });
    }
    c->external += (MPI_Aint) n * apart;
    c->room = n == left ? c->room - n * (size_t) apart : 0;
}

static void convert_elements(struct cursor *c, const struct adi3_type *t, size_t n, char *user,
                             MPI_Aint stride);

static void convert_element(struct cursor *c, const struct adi3_type *t, char *user)
{
    const struct adi3_type *old = t->contents->types[0];
    struct strided s;

    if (!strided_of(t, &s)) {
        size_t type_blocks = type_block_count(t);
        for (size_t i = 0; i < type_blocks && c->room; i++) {
            struct type_block p = type_block_at(t, i);
            convert_elements(c, p.type, p.count, user + p.at, p.type->extent);
        }
    } else if (s.blocklen == 1) {
        convert_elements(c, old, s.count, user, s.stride);
    } else {
        size_t i = cursor_skip_elements(c, s.count, s.blocklen * adi3_external_size(old));
        for (; i < s.count && c->room; i++)
            convert_elements(c, old, s.blocklen, user + (MPI_Aint) i * s.stride, old->extent);
    }
}

/* Converts n elements of t, stride bytes apart. Dense elements of a contiguous type become one
 * long run of the type it is made of. */
static void convert_elements(struct cursor *c, const struct adi3_type *t, size_t n, char *user,
                             MPI_Aint stride)
{
    struct strided s;

    while (t->inner)
        t = t->inner;
    if (n == 0 || t->size == 0)
        return;
    if (t->predefined) {
        convert_run(c, t, n, user, stride);
        return;
    }
    const struct adi3_type *old = t->contents->types[0];
    if (strided_of(t, &s) && s.count == 1 && stride == (MPI_Aint) s.blocklen * old->extent) {
        convert_elements(c, old, n * s.blocklen, user, old->extent);
        return;
    }
    for (size_t i = cursor_skip_elements(c, n, t->external); i < n && c->room; i++)
        convert_element(c, t, user + (MPI_Aint) i * stride);
}

static size_t convert_range(struct cursor c, const struct adi3_data *d)
{
    const char *begin = c.external;

    convert_elements(&c, d->type, d->count, d->buf, d->type->extent);
    return (size_t) (c.external - begin);
}

size_t adi3_pack_external(const struct adi3_data *d, size_t at, void *bytes, size_t len)
{
    return convert_range((struct cursor) { bytes, at, len, true }, d);
}

size_t adi3_unpack_external(const struct adi3_data *d, size_t at, const void *bytes, size_t len)
{
    return convert_range((struct cursor) { (char *) (uintptr_t) bytes, at, len, false }, d);
}
