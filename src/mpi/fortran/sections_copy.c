/* sections_copy.c — copies of sections without gaps.
 *
 * Which bytes of its buffer a call writes is up to its datatypes and counts; the bytes between may
 * belong to another call at the same time. So only bytes that differ from what the copy had at
 * first are written back: the others have the right value in the section already, or are not this
 * call's. */
#include <stdatomic.h>
#include "mpi/fortran/sections.h"

struct f_copy {
    size_t len;
    struct f_section section; /* of an output */
    char *was;                /* as the copy was at first; NULL: not an output */
    char now[] __attribute__((aligned(64)));
};

#define ALWAYS static inline __attribute__((always_inline))

/* Copies elements of a constant length to memory without gaps, four in each round: so an address
 * does not depend on the one just before. */
ALWAYS void gather_exactly(char *to, const char *from, ptrdiff_t n, ptrdiff_t stride, size_t len)
{
    const ptrdiff_t two = 2 * stride, three = 3 * stride;

    for (; n >= 4; n -= 4, to += 4 * len, from += 4 * stride) {
        memcpy(to, from, len);
        memcpy(to + len, from + stride, len);
        memcpy(to + 2 * len, from + two, len);
        memcpy(to + 3 * len, from + three, len);
    }
    for (; n; n--, to += len, from += stride)
        memcpy(to, from, len);
}

ALWAYS double number_at(const char *p)
{
    double x;

    memcpy(&x, p, sizeof x);
    return x;
}

ALWAYS void set_number(char *p, double x) { memcpy(p, &x, sizeof x); }

typedef double pair __attribute__((vector_size(16)));

/* Of 8 bytes: pairs are written at once. */
static void gather_8(char *to, const char *from, ptrdiff_t n, ptrdiff_t stride)
{
    const ptrdiff_t two = 2 * stride, three = 3 * stride;

    for (; n >= 8; n -= 8, to += 4 * sizeof(pair)) {
        for (int i = 0; i < 2; i++, from += 4 * stride) {
            const pair one = { number_at(from), number_at(from + stride) };
            const pair other = { number_at(from + two), number_at(from + three) };
            memcpy(to + 2 * i * sizeof(pair), &one, sizeof one);
            memcpy(to + (2 * i + 1) * sizeof(pair), &other, sizeof other);
        }
    }
    gather_exactly(to, from, n, stride, 8);
}

#define EXACTLY(len)                                                                               \
    case len:                                                                                      \
        gather_exactly(to, from, n, stride, len);                                                  \
        return

static void gather_runs(char *to, const char *from, ptrdiff_t n, ptrdiff_t stride, size_t len)
{
    if (__builtin_expect(len == 8, 1)) {
        gather_8(to, from, n, stride);
        return;
    }
    switch (len) {
        EXACTLY(1);
        EXACTLY(2);
        EXACTLY(4);
        EXACTLY(16);
    }
    gather_exactly(to, from, n, stride, len);
}

/* The other way. */
ALWAYS void scatter_exactly(char *to, const char *from, ptrdiff_t n, ptrdiff_t stride, size_t len)
{
    const ptrdiff_t two = 2 * stride, three = 3 * stride;

    for (; n >= 4; n -= 4, to += 4 * stride, from += 4 * len) {
        memcpy(to, from, len);
        memcpy(to + stride, from + len, len);
        memcpy(to + two, from + 2 * len, len);
        memcpy(to + three, from + 3 * len, len);
    }
    for (; n; n--, to += stride, from += len)
        memcpy(to, from, len);
}

/* Of 8 bytes: pairs are read at once. */
static void scatter_8(char *to, const char *from, ptrdiff_t n, ptrdiff_t stride)
{
    const ptrdiff_t two = 2 * stride, three = 3 * stride;

    for (; n >= 4; n -= 4, to += 4 * stride, from += 2 * sizeof(pair)) {
        pair one, other;
        memcpy(&one, from, sizeof one);
        memcpy(&other, from + sizeof one, sizeof other);
        set_number(to, one[0]);
        set_number(to + stride, one[1]);
        set_number(to + two, other[0]);
        set_number(to + three, other[1]);
    }
    scatter_exactly(to, from, n, stride, 8);
}

static void scatter_runs(char *to, const char *from, ptrdiff_t n, ptrdiff_t stride, size_t len)
{
    if (__builtin_expect(len == 8, 1))
        scatter_8(to, from, n, stride);
    else if (len == 4)
        scatter_exactly(to, from, n, stride, 4);
    else
        scatter_exactly(to, from, n, stride, len);
}

void f_copy_scatter(const struct f_copy *c, const struct f_section *s, size_t len)
{
    ptrdiff_t n = s->dim[1].n, stride = s->dim[1].stride;
    size_t run = (size_t) s->dim[0].n, rest = 0;

    if ((ptrdiff_t) len < s->len) {
        n = (ptrdiff_t) (len / run);
        rest = len % run;
    }
    scatter_runs(s->base, c->now, n, stride, run);
    if (rest)
        memcpy(s->base + n * stride, c->now + (size_t) n * run, rest);
}

/* Writes the bytes of a run that have changed. */
static void write_changes(char *to, const char *now, const char *was, size_t len)
{
    if (!memcmp(now, was, len))
        return;
    for (size_t i = 0; i < len; i++)
        if (now[i] != was[i])
            to[i] = now[i];
}

/* One pass over the runs of the section, up to c->len bytes; in: into the copy. */
static void copy_move_runs(struct f_copy *c, const struct f_section *s, bool in)
{
    size_t run = (size_t) s->dim[0].n, at = 0;
    ptrdiff_t row = s->dims > 1 ? s->dim[1].n : 1, stride = s->dims > 1 ? s->dim[1].stride : 0;
    ptrdiff_t index[F_RANKS + 1] = { 0 };
    char *p = s->base;

    while (at < c->len) {
        ptrdiff_t whole = (ptrdiff_t) ((c->len - at) / run), n = whole < row ? whole : row;
        size_t rest = n < row ? c->len - at - (size_t) n * run : 0;
        if (in) {
            gather_runs(c->now + at, p, n, stride, run);
            memcpy(c->now + at + (size_t) n * run, p + n * stride, rest);
        } else {
            for (ptrdiff_t i = 0; i < n; i++)
                write_changes(p + i * stride, c->now + at + (size_t) i * run,
                              c->was + at + (size_t) i * run, run);
            size_t end = at + (size_t) n * run;
            write_changes(p + n * stride, c->now + end, c->was + end, rest);
        }
        at += (size_t) n * run + rest;
        int d = 2;
        for (; d < s->dims && ++index[d] == s->dim[d].n; d++) {
            p -= (s->dim[d].n - 1) * s->dim[d].stride;
            index[d] = 0;
        }
        if (d < s->dims)
            p += s->dim[d].stride;
    }
}

/* Room for a small copy that is not in use: malloc() takes as long as the copying. */
static _Atomic(struct f_copy *) spare;

static struct f_copy *room_for(size_t len)
{
    struct f_copy *c = len <= F_SMALL ? atomic_exchange(&spare, NULL) : NULL;

    return c ? c : malloc(sizeof *c + (len <= F_SMALL ? F_SMALL : len));
}

__attribute__((destructor)) static void free_spare(void) { free(atomic_exchange(&spare, NULL)); }

struct f_copy *f_copy_make(const struct f_section *s, size_t len, bool out)
{
    struct f_copy *c = room_for(out ? 2 * len : len);

    if (!c)
        return NULL;
    c->len = len;
    c->was = NULL;
    if (s->dims == 2 && (ptrdiff_t) len == s->len)
        gather_runs(c->now, s->base, s->dim[1].n, s->dim[1].stride, (size_t) s->dim[0].n);
    else
        copy_move_runs(c, s, true);
    if (out) {
        c->section = *s;
        c->was = c->now + len;
        memcpy(c->was, c->now, len);
    }
    return c;
}

struct f_copy *f_copy_room(size_t len)
{
    struct f_copy *c = room_for(len);

    if (!c)
        return NULL;
    c->len = len;
    c->was = NULL;
    return c;
}

void *f_copy_address(struct f_copy *c) { return c->now; }

void f_copy_end(void *copy)
{
    struct f_copy *c = copy, *none = NULL;

    if (c->was)
        copy_move_runs(c, &c->section, false);
    if ((c->was ? 2 * c->len : c->len) > F_SMALL
        || !atomic_compare_exchange_strong(&spare, &none, c))
        free(c);
}
