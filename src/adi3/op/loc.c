/* loc.c — MPI_MAXLOC and MPI_MINLOC, on pairs of a value and an index.
 *
 * Of equal values the smaller index wins (§5.9.4). A pair is laid out in memory as the C compiler
 * lays out its struct. Only the two members are read and written: the padding belongs to the
 * user. */
#include "adi3/op/op_impl.h"

#define LESS(u, v)    ((u) < (v))
#define GREATER(u, v) ((u) > (v))

#define LOC_KERNEL(op, v, i, beats)                                                                \
    static void op##_##v##_##i(const void *in, void *inout, size_t count)                          \
    {                                                                                              \
        const char *restrict x = in;                                                               \
        char *restrict y = inout;                                                                  \
                                                                                                   \
        for (; count > 0; count--, x += sizeof(struct v##_##i), y += sizeof(struct v##_##i)) {     \
            const op_##v *new = (const op_##v *) x;                                                \
            const op_##i *new_at = (const op_##i *) (x + offsetof(struct v##_##i, index));         \
            op_##v *best = (op_##v *) y;                                                           \
            op_##i *best_at = (op_##i *) (y + offsetof(struct v##_##i, index));                    \
                                                                                                   \
            if (beats(*new, *best) || (*new == *best &&*new_at < *best_at)) {                      \
                *best = *new;                                                                      \
                *best_at = *new_at;                                                                \
            }                                                                                      \
        }                                                                                          \
    }

#define PAIR(v, v_type, i, i_type)                                                                 \
    struct v##_##i {                                                                               \
        v_type value;                                                                              \
        i_type index;                                                                              \
    };                                                                                             \
    LOC_KERNEL(maxloc, v, i, GREATER)                                                              \
    LOC_KERNEL(minloc, v, i, LESS)

PAIR(f32, float, i32, int32_t)
PAIR(f64, double, i32, int32_t)
PAIR(i64, int64_t, i32, int32_t)
PAIR(i32, int32_t, i32, int32_t)
PAIR(i16, int16_t, i32, int32_t)
PAIR(f80, long double, i32, int32_t)
PAIR(f32, float, f32, float)
PAIR(f64, double, f64, double)

#define ROWS(op)                                                                                   \
    [ADI3_P_F32_I32] = op##_f32_i32, [ADI3_P_F64_I32] = op##_f64_i32,                              \
    [ADI3_P_I64_I32] = op##_i64_i32, [ADI3_P_I32_I32] = op##_i32_i32,                              \
    [ADI3_P_I16_I32] = op##_i16_i32, [ADI3_P_F80_I32] = op##_f80_i32,                              \
    [ADI3_P_F32_F32] = op##_f32_f32, [ADI3_P_F64_F64] = op##_f64_f64

op_kernel *const op_maxloc[ADI3_REPRS] = { ROWS(maxloc) };
op_kernel *const op_minloc[ADI3_REPRS] = { ROWS(minloc) };
