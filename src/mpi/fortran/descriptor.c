/* descriptor.c — reads descriptors of arrays. */
#include "mpi/fortran/descriptor.h"

enum { /* types in gfortran's descriptors whose elem_len is not that of an element */
       CLASS = 7,
       VOID = 10,
       ASSUMED = 11,
};

/* Adds a dimension, or extends the last dimension when there is no gap between the two. */
static void section_add_dim(struct f_section *s, ptrdiff_t n, ptrdiff_t stride)
{
    int last = s->dims - 1;

    if (n == 1)
        return;
    s->len *= n;
    if (stride == s->dim[last].n * s->dim[last].stride) {
        s->dim[last].n *= n;
        return;
    }
    s->dim[s->dims].n = n;
    s->dim[s->dims].stride = stride;
    s->dims++;
}

static void section_begin(struct f_section *s, char *base, ptrdiff_t elem_len)
{
    s->base = base;
    s->len = s->elem_len = elem_len;
    s->dims = 1;
    s->dim[0].n = elem_len;
    s->dim[0].stride = 1;
}

/* The bounds of an array that is absent, not allocated or not associated are not set. */
static bool is_nothing(struct f_section *s, const char *base)
{
    if (!base)
        section_begin(s, NULL, 0);
    return !base;
}

void f_read_array(const void *descriptor, struct f_section *s)
{
    const struct f_array *a = descriptor;

    if (is_nothing(s, a ? a->base : NULL))
        return;
    ptrdiff_t len = (ptrdiff_t) a->elem_len;
    bool unset = a->type == CLASS || a->type == VOID || a->type == ASSUMED || len == 0;
    if (a->rank > 0 && (unset || len > a->span))
        len = a->span;
    section_begin(s, a->base, len);
    for (int i = 0; i < a->rank; i++) {
        ptrdiff_t n = a->dim[i].upper - a->dim[i].lower + 1;
        if (n <= 0 || len == 0) { /* empty, or of assumed size, which has no gaps */
            s->dims = 1;
            return;
        }
        section_add_dim(s, n, a->dim[i].stride * a->span);
    }
}

void f_read_cfi(const void *descriptor, struct f_section *s)
{
    const struct f_cfi *a = descriptor;

    if (is_nothing(s, a ? a->base : NULL))
        return;
    section_begin(s, a->base, (ptrdiff_t) a->elem_len);
    for (int i = 0; i < a->rank; i++) {
        if (a->dim[i].extent <= 0 || a->elem_len == 0) {
            s->dims = 1;
            return;
        }
        section_add_dim(s, a->dim[i].extent, a->dim[i].stride);
    }
}

bool f_array_is_dense(const struct f_array *a)
{
    ptrdiff_t next = 1;

    if (!a || (a->rank > 0 && a->span != (ptrdiff_t) a->elem_len))
        return false;
    for (int i = 0; i < a->rank; i++) {
        if (a->dim[i].stride != next)
            return false;
        next *= a->dim[i].upper - a->dim[i].lower + 1;
    }
    return true;
}

bool f_cfi_is_dense(const struct f_cfi *a)
{
    if (!a)
        return false;
    ptrdiff_t next = (ptrdiff_t) a->elem_len;
    for (int i = 0; i < a->rank; i++) {
        if (a->dim[i].stride != next)
            return false;
        next *= a->dim[i].extent;
    }
    return true;
}
