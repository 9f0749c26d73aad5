/* op_impl.h — the typed loops (kernels) behind the predefined operations, for this folder.
 *
 * A kernel does inout[i] = in[i] op inout[i] for one representation of numbers. Macros make the
 * kernels of an operation from an expression of x and y, and its table of them by representation,
 * NULL where the operation has none. */
#ifndef OP_IMPL_H
#define OP_IMPL_H

#include <limits.h>
#include "adi3/adi3_op.h"

typedef void op_kernel(const void *in, void *inout, size_t count);

extern op_kernel *const op_max[ADI3_REPRS], *const op_min[ADI3_REPRS];
extern op_kernel *const op_sum[ADI3_REPRS], *const op_prod[ADI3_REPRS];
extern op_kernel *const op_land[ADI3_REPRS], *const op_lor[ADI3_REPRS], *const op_lxor[ADI3_REPRS];
extern op_kernel *const op_band[ADI3_REPRS], *const op_bor[ADI3_REPRS], *const op_bxor[ADI3_REPRS];
extern op_kernel *const op_maxloc[ADI3_REPRS], *const op_minloc[ADI3_REPRS];

/* The user's memory may have any type and any alignment. */
#define OP_USER __attribute__((may_alias, aligned(1)))

typedef int8_t op_i8 OP_USER;
typedef int16_t op_i16 OP_USER;
typedef int32_t op_i32 OP_USER;
typedef int64_t op_i64 OP_USER;
typedef __int128 op_i128 OP_USER;
typedef uint8_t op_u8 OP_USER;
typedef uint16_t op_u16 OP_USER;
typedef uint32_t op_u32 OP_USER;
typedef uint64_t op_u64 OP_USER;
typedef unsigned __int128 op_u128 OP_USER;
typedef float op_f32 OP_USER;
typedef double op_f64 OP_USER;
typedef long double op_f80 OP_USER;
typedef float _Complex op_c32 OP_USER;
typedef double _Complex op_c64 OP_USER;
typedef long double _Complex op_c80 OP_USER;

/* IEEE's 128-bit number: a type of its own only where long double is shorter. */
#ifdef __SIZEOF_FLOAT128__
typedef __float128 op_f128 OP_USER;
typedef _Complex float op_quad_complex __attribute__((mode(TC)));
typedef op_quad_complex op_c128 OP_USER;
#else
typedef long double op_f128 OP_USER;
typedef long double _Complex op_c128 OP_USER;
#endif

/* Defines the kernel op_repr: for each x of in and y of inout, y becomes expr(x, y). */
#define OP_KERNEL(op, repr, expr)                                                                  \
    static void op##_##repr(const void *in, void *inout, size_t count)                             \
    {                                                                                              \
        const op_##repr *restrict x = in;                                                          \
        op_##repr *restrict y = inout;                                                             \
                                                                                                   \
        for (size_t i = 0; i < count; i++)                                                         \
            y[i] = (op_##repr)(expr(x[i], y[i]));                                                  \
    }

/* The same, made for wider vectors as well: which one is called is chosen when the library is
 * loaded. 64 KiB in the cache take half the time, and AVX-512 was no faster here. Only for what has
 * the same result with any vectors: products of complex numbers would be contracted. Sanitizers are
 * not ready that early. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && defined(__GLIBC__)                             \
    && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define OP_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define OP_WIDE
#endif
#define OP_WIDE_KERNEL(op, repr, expr) OP_WIDE OP_KERNEL(op, repr, expr)

/* Kernels for every representation of a kind of numbers. */
#define OP_UNSIGNED(op, expr)                                                                      \
    OP_WIDE_KERNEL(op, u8, expr)                                                                   \
    OP_WIDE_KERNEL(op, u16, expr)                                                                  \
    OP_WIDE_KERNEL(op, u32, expr)                                                                  \
    OP_WIDE_KERNEL(op, u64, expr)
/* For operations that the sign does not matter to: no type is an unsigned integer of 128 bits. */
#define OP_SAME_BITS(op, expr)                                                                     \
    OP_UNSIGNED(op, expr)                                                                          \
    OP_KERNEL(op, u128, expr)
#define OP_SIGNED(op, expr)                                                                        \
    OP_WIDE_KERNEL(op, i8, expr)                                                                   \
    OP_WIDE_KERNEL(op, i16, expr)                                                                  \
    OP_WIDE_KERNEL(op, i32, expr)                                                                  \
    OP_WIDE_KERNEL(op, i64, expr)                                                                  \
    OP_KERNEL(op, i128, expr)
#define OP_FLOATS(op, expr)                                                                        \
    OP_WIDE_KERNEL(op, f32, expr)                                                                  \
    OP_WIDE_KERNEL(op, f64, expr)                                                                  \
    OP_KERNEL(op, f80, expr)                                                                       \
    OP_KERNEL(op, f128, expr)
#define OP_COMPLEX(op, expr)                                                                       \
    OP_KERNEL(op, c32, expr)                                                                       \
    OP_KERNEL(op, c64, expr)                                                                       \
    OP_KERNEL(op, c80, expr)                                                                       \
    OP_KERNEL(op, c128, expr)

/* Rows of a table of kernels. */
#define OP_UNSIGNED_ROWS(op)                                                                       \
    [ADI3_U8] = op##_u8, [ADI3_U16] = op##_u16, [ADI3_U32] = op##_u32, [ADI3_U64] = op##_u64
#define OP_SIGNED_ROWS(op)                                                                         \
    [ADI3_I8] = op##_i8, [ADI3_I16] = op##_i16, [ADI3_I32] = op##_i32, [ADI3_I64] = op##_i64,      \
    [ADI3_I128] = op##_i128
#define OP_FLOAT_ROWS(op)                                                                          \
    [ADI3_F32] = op##_f32, [ADI3_F64] = op##_f64, [ADI3_F80] = op##_f80, [ADI3_F128] = op##_f128
#define OP_COMPLEX_ROWS(op)                                                                        \
    [ADI3_C32] = op##_c32, [ADI3_C64] = op##_c64, [ADI3_C80] = op##_c80, [ADI3_C128] = op##_c128

/* The only type without a representation that operations take is char. */
#define OP_CHAR_ROW(op) [ADI3_REPR_NONE] = CHAR_MIN < 0 ? op##_i8 : op##_u8

/* Rows of signed integers and chars for operations that the sign does not matter to. */
#define OP_SAME_BITS_ROWS(op)                                                                      \
    [ADI3_I8] = op##_u8, [ADI3_I16] = op##_u16, [ADI3_I32] = op##_u32, [ADI3_I64] = op##_u64,      \
    [ADI3_I128] = op##_u128, [ADI3_REPR_NONE] = op##_u8

#endif /* OP_IMPL_H */
