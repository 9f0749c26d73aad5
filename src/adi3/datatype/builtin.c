/* builtin.c — the table of predefined datatypes (§3.2.2, §4.1, §5.9.4). */
#include <complex.h>
#include <wchar.h>
#include "adi3/datatype/datatype_impl.h"

#define ROW(h, ctype, class_, repr_)                                                               \
    [h & ADI3_BUILTIN_NUMBER] = { .handle = h,                                                     \
                                  .refs = 1,                                                       \
                                  .size = sizeof(ctype),                                           \
                                  .extent = sizeof(ctype),                                         \
                                  .true_extent = sizeof(ctype),                                    \
                                  .align = _Alignof(ctype),                                        \
                                  .committed = true,                                               \
                                  .predefined = true,                                              \
                                  .contig = true,                                                  \
                                  .class = ADI3_##class_,                                          \
                                  .repr = ADI3_##repr_,                                            \
                                  .elements = ADI3_##class_ == ADI3_PAIR ? 2 : 1,                  \
                                  .basic = &adi3_builtin[h & ADI3_BUILTIN_NUMBER],                 \
                                  .name = #h }

/* MPI_LB or MPI_UB: sets a bound, and has no data. */
#define MARKER(h, which)                                                                           \
    [h & ADI3_BUILTIN_NUMBER] = { .handle = h,                                                     \
                                  .refs = 1,                                                       \
                                  .align = 1,                                                      \
                                  .committed = true,                                               \
                                  .predefined = true,                                              \
                                  .which##_marked = true,                                          \
                                  .contig = true,                                                  \
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
    ROW(MPI_INTEGER16, __int128, F_INTEGER, I128),
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
