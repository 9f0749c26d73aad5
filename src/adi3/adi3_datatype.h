/* adi3_datatype.h — datatypes: making them, packing, external32, and their form on the wire.
 *
 * Uses base; used by op, request and the rooms above, and by src/mpi. In MPICH: MPIR_Datatype
 * with typerep (dataloops, yaksa); in Open MPI: opal_datatype and its convertor. A derived type
 * keeps the constructor call that made it, from which a compact layout is built when it is
 * committed. */
#ifndef ADI3_DATATYPE_H
#define ADI3_DATATYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include "adi3/adi3_base.h"

struct adi3_layout; /* where the bytes of a derived type are in memory */

enum adi3_class { /* the group of a predefined type in the table of operations (§5.9.2) */
                  ADI3_NO_CLASS,
                  ADI3_C_INTEGER,
                  ADI3_F_INTEGER,
                  ADI3_FLOATING,
                  ADI3_LOGICAL,
                  ADI3_COMPLEX,
                  ADI3_BYTE,
                  ADI3_CHARACTER, /* printable; the standard's operations do not take it */
                  ADI3_MULTI_LANGUAGE,
                  ADI3_PAIR,
};

/* The machine's representation of an element of a predefined type: I integer, U unsigned, F real, C
 * complex, P a pair; with the bits of each number. */
enum adi3_repr {
    ADI3_REPR_NONE,
    ADI3_I8,
    ADI3_I16,
    ADI3_I32,
    ADI3_I64,
    ADI3_U8,
    ADI3_U16,
    ADI3_U32,
    ADI3_U64,
    ADI3_F32,
    ADI3_F64,
    ADI3_F80, /* the first that is longer than a word */
    ADI3_F128,
    ADI3_I128,
    ADI3_C32,
    ADI3_C64,
    ADI3_C80,
    ADI3_C128,
    ADI3_P_F32_I32,
    ADI3_P_F64_I32,
    ADI3_P_I64_I32,
    ADI3_P_I32_I32,
    ADI3_P_I16_I32,
    ADI3_P_F80_I32,
    ADI3_P_F32_F32,
    ADI3_P_F64_F64,
    ADI3_REPRS
};

/* A constructor call, as MPI_Type_get_contents returns it (§4.1.13). When the call's counts are
 * MPI_Count, then `counts` has them, with strides, displacements and bounds, in the order of the
 * parameters; `ints` has only what such a call has as int, such as dimensions and ranks. */
struct adi3_contents {
    int combiner;
    MPI_Count nints, naddrs, ntypes;
    const int *ints;
    const MPI_Aint *addrs;
    struct adi3_type *const *types;
    MPI_Count ncounts;
    const MPI_Count *counts;
};

struct adi3_type { /* 128 bytes, so that a row of adi3_builtin is found by a shift */
    MPI_Datatype handle;
    int refs;
    size_t size;     /* bytes of data in one element */
    size_t external; /* bytes of one element in external32; of a derived type only */
    MPI_Aint lb, extent, true_lb, true_extent;
    uint16_t align; /* of its strictest basic element, bytes */
    uint16_t depth; /* levels of types that it is made of; 0 for a predefined type */
    int handles;    /* that the user has to free; 0: only other objects refer to it */
    bool committed, predefined;
    bool lb_marked, ub_marked; /* bounds that MPI_Type_create_resized or an array set (§4.1.7) */
    bool contig;               /* no holes, in order, begins at 0, size == extent; if committed */
    bool named;                /* by the user: the name is in allocated memory */
    enum adi3_class class : 8; /* of a predefined type; ADI3_NO_CLASS for others */
    enum adi3_repr repr : 8;
    size_t elements;                   /* basic elements in an element; a pair counts as two */
    struct adi3_type *basic;           /* the type of the basic elements; NULL when they differ */
    struct adi3_contents *contents;    /* the constructor call; NULL: named or deserialized */
    struct adi3_type *inner;           /* has the same elements at the same places; or NULL */
    struct adi3_layout *layout;        /* of a derived type with data, once committed; else NULL */
    const char *name;                  /* "": none */
    struct mpir_attribute *attributes; /* of src/mpi; ADI3 only carries them: see adi3_type_ends */
};

struct adi3_data { /* a buffer: elements in the user's memory */
    void *buf;
    size_t count;
    struct adi3_type *type;
};

/* ---- datatypes ------------------------------------------------------------------------------- */

extern struct adi3_pool adi3_types;
extern struct adi3_type adi3_builtin[256]; /* by the low byte of the handle */

/* The predefined type with this handle, pairs with holes excepted; or NULL. */
static inline struct adi3_type *adi3_type_builtin(MPI_Datatype h)
{
    struct adi3_type *t = &adi3_builtin[h & ADI3_BUILTIN_NUMBER];

    return t->handle == h ? t : NULL;
}

/* Makes a type. The caller has checked counts, blocklengths and the arguments of arrays.
 * Errors: MPI_ERR_COUNT when sizes or bounds need more than 62 bits, MPI_ERR_TYPE when types are in
 * each other too deep, MPI_ERR_NO_MEM. */
int adi3_type_make(const struct adi3_contents *r, struct adi3_type **made);
/* Likewise of count blocks of blocklen elements, which begin stride bytes apart. */
int adi3_type_hvector(int count, int blocklen, MPI_Aint stride, struct adi3_type *old,
                      struct adi3_type **made);
int adi3_type_dup(struct adi3_type *old, struct adi3_type **made);
int adi3_type_commit(struct adi3_type *t);
void adi3_type_release(struct adi3_type *t);

/* The predefined type of a Fortran kind, by MPI_COMBINER_F90_x, precision and range; the same
 * arguments give the same type each time (§17.1.9). Errors: MPI_ERR_ARG when there is no such kind,
 * MPI_ERR_NO_MEM. */
int adi3_type_f90(int combiner, int precision, int range, struct adi3_type **t);

/* Gives the user a handle, which has a reference of its own; and takes it back. A new type has no
 * handle of the user's. */
MPI_Datatype adi3_type_user_acquire(struct adi3_type *t);
void adi3_type_user_release(struct adi3_type *t);
/* Called when the last reference is gone; frees the attributes of src/mpi. */
extern void (*adi3_type_ends)(struct adi3_type *t);
int adi3_type_set_name(struct adi3_type *t, const char *name);

/* The number of basic elements in len bytes of packed elements of t. False when the last basic
 * element is incomplete. */
bool adi3_type_elements(const struct adi3_type *t, size_t len, size_t *elements);
/* The bytes of that many basic elements. False when t has none, or they need more than 62 bits. */
bool adi3_type_bytes(const struct adi3_type *t, size_t elements, size_t *len);

/* Copies packed bytes from `at` on, len of them, out of d and into d. May be called without the
 * lock. */
void adi3_pack(const struct adi3_data *d, size_t at, void *packed, size_t len);
void adi3_unpack(const struct adi3_data *d, size_t at, const void *packed, size_t len);
/* The part of a collective call's signature that stands for count elements of t. Elements that the
 * standard lets match have the same, or 0. */
unsigned adi3_type_signature(const struct adi3_type *t, size_t count);
/* Copies elements to elements of the same signature in this process, as a message to itself
 * would. */
void adi3_copy(const struct adi3_data *from, const struct adi3_data *to);

/* external32 (§13.5.2): the bytes of one element, and conversion to and from them. A conversion
 * takes the basic elements that are whole in the len bytes from `at` on, counted in external32 over
 * all of d, and returns how many bytes they have. `at` is 0, or where another call has ended. */
size_t adi3_external_size(const struct adi3_type *t);
size_t adi3_pack_external(const struct adi3_data *d, size_t at, void *bytes, size_t len);
size_t adi3_unpack_external(const struct adi3_data *d, size_t at, const void *bytes, size_t len);

/* Serializes a committed type for another process. Returns the number of bytes; writes only as
 * many as there is room for, none when to is NULL. 0 without memory. */
size_t adi3_type_serialize(const struct adi3_type *t, void *to, size_t room);
/* Makes a committed type of such bytes, with one reference and no handle of the user's. The
 * bytes need not be trusted. The type has the layout, bounds and basic elements of the original
 * (for a Fortran kind, the named type that it is like), but not its constructor call: it is for
 * packing, not for making types, external32, or counting elements in a part of one. Errors:
 * MPI_ERR_TYPE when the bytes are not a serialized type, MPI_ERR_NO_MEM. */
int adi3_type_deserialize(const void *from, size_t len, struct adi3_type **made);

#endif /* ADI3_DATATYPE_H */
