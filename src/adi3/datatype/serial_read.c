/* serial_read.c — makes a committed datatype of the bytes of another process, which are not
 * trusted.
 *
 * The memory it allocates is in proportion to the bytes received. It does not recurse, since a
 * child can only refer to a list that has been read. */
#include <stdlib.h>
#include "adi3/datatype/serial.h"

struct range { /* of displacements with data */
    wide low, high;
};

/* A list: a layout with it, without displacement and levels. */
struct list {
    struct adi3_layout *layout;
    struct range range;
};

/* After the first error all numbers read are 0. */
struct reader {
    const uint8_t *start, *at, *end;
    int err;
    struct layout_chunk *chunks;
    struct list *list;
    size_t lists, room;
};

static void reader_fail(struct reader *r, const char *what)
{
    if (!r->err)
        r->err = adi3_error(MPI_ERR_TYPE, "a datatype that another process sent has %s at byte %zu",
                            what, (size_t) (r->at - r->start));
    r->end = r->at;
}

static void bad_number(struct reader *r, const char *what, size_t x)
{
    if (!r->err)
        r->err = adi3_error(MPI_ERR_TYPE,
                            "a datatype that another process sent has %s %zu before byte %zu", what,
                            x, (size_t) (r->at - r->start));
    r->end = r->at;
}

static void lacks_memory(struct reader *r)
{
    if (!r->err)
        r->err = adi3_no_memory("for a datatype");
    r->end = r->at;
}

static size_t reader_get(struct reader *r)
{
    size_t x = 0;

    if (r->at < r->end && *r->at < 0x80) /* the most frequent by far, in a list of places */
        return *r->at++;
    for (unsigned shift = 0; r->at < r->end; shift += 7) {
        size_t bits = *r->at & 0x7f;
        if (shift > 63 || bits << shift >> shift != bits) {
            reader_fail(r, "a number of more than 64 bits");
            return 0;
        }
        x |= bits << shift;
        if (*r->at++ < 0x80)
            return x;
    }
    reader_fail(r, "its end too early,");
    return 0;
}

static MPI_Aint get_signed(struct reader *r)
{
    size_t x = reader_get(r);

    return (MPI_Aint) (x >> 1 ^ (x & 1 ? SIZE_MAX : 0));
}

/* Reads a number that must be within least and most; 0 after an error. */
static size_t get_within(struct reader *r, const char *what, size_t least, size_t most)
{
    size_t x = reader_get(r);

    if (!r->err && (x < least || x > most))
        bad_number(r, what, x);
    return r->err ? 0 : x;
}

static size_t get_len(struct reader *r)
{
    return get_within(r, "a block of the length", 1, (size_t) LIMIT);
}

/* Reads the length of a list whose entries have at least `bytes` bytes each here: so memory for
 * it is in proportion to what was sent. */
static size_t get_count(struct reader *r, size_t least, size_t bytes)
{
    size_t n = get_within(r, "a list of the length", least, SIZE_MAX);

    if (!r->err && n > (size_t) (r->end - r->at) / bytes)
        bad_number(r, "too few bytes for a list of the length", n);
    return r->err ? 0 : n;
}

static bool is_range_possible(struct reader *r, const struct range *x)
{
    if (!r->err && (x->low < -LIMIT || x->high > LIMIT || x->high - x->low > LIMIT))
        reader_fail(r, "places that need more than 62 bits,");
    return !r->err;
}

/* Extends x by low to high. */
static bool range_include(struct reader *r, struct range *x, wide low, wide high)
{
    bool none = x->low == x->high;

    x->low = none || low < x->low ? low : x->low;
    x->high = none || high > x->high ? high : x->high;
    return is_range_possible(r, x);
}

static bool add_bytes(struct reader *r, size_t *sum, size_t n, size_t len)
{
    wide total = *sum + (wide) n * (wide) len;

    if (!r->err && total > LIMIT)
        reader_fail(r, "a size of more than 62 bits");
    else
        *sum = (size_t) total;
    return !r->err;
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* Sets the bytes of each level, and extends x from the body to the whole layout. A level has at
 * least two rounds, which double the bytes, so there are no more levels than a size has bits. */
static bool layout_measure(struct reader *r, struct adi3_layout *l, struct range *x)
{
    size_t bytes = l->bytes;

    x->low += l->at;
    x->high += l->at;
    for (int i = l->depth - 1; i >= 0 && is_range_possible(r, x); i--) {
        struct layout_level *v = &l->level[i];
        size_t all = 0;
        v->bytes = bytes;
        if (!add_bytes(r, &all, v->count, bytes))
            return false;
        wide outer = ((wide) v->count - 1) * v->stride;
        x->low += outer < 0 ? outer : 0;
        x->high += outer > 0 ? outer : 0;
        bytes = all;
    }
    return is_range_possible(r, x);
}

/* Reads the body of l, whose displacement and levels are set. */
static struct range get_body(struct reader *r, struct adi3_layout *l)
{
    size_t number = get_within(r, "a list of the number", 0, r->lists);

    if (number == 0) {
        l->body = LAYOUT_BLOCK;
        l->n = 1;
        l->bytes = l->len = get_len(r);
        return (struct range) { 0, (wide) l->len };
    }
    const struct adi3_layout *old = r->list[number - 1].layout;
    l->body = old->body;
    l->bytes = old->bytes;
    l->n = old->n;
    l->len = old->len;
    l->place = old->place;
    l->block = old->block;
    l->starts = old->starts;
    l->child = old->child;
    return r->list[number - 1].range;
}

static struct adi3_layout *layout_copy_at(struct reader *r, const struct adi3_layout *before,
                                          MPI_Aint at, struct range *x)
{
    struct adi3_layout *l = NULL;

    if (!before || before->depth > AGAIN_LEVELS)
        reader_fail(r, "a layout like none");
    else if (!(l = layout_new(&r->chunks, before->depth)))
        lacks_memory(r);
    if (!l)
        return NULL;
    *l = *before;
    for (int i = 0; i < l->depth; i++)
        l->level[i] = before->level[i];
    l->at = at;
    x->low += (wide) at - before->at;
    x->high += (wide) at - before->at;
    return is_range_possible(r, x) ? l : NULL;
}

/* Reads a layout. x is the range of the layout before it, and becomes its own. NULL after an
 * error. */
static struct adi3_layout *get_layout(struct reader *r, const struct adi3_layout *before,
                                      struct range *x)
{
    MPI_Aint at = aint_wrap_add(before ? before->at : 0, get_signed(r));
    size_t levels = get_within(r, "levels", 0, TYPE_BITS + 1);

    if (r->err)
        return NULL;
    if (levels == AGAIN)
        return layout_copy_at(r, before, at, x);
    struct adi3_layout *l = NULL;
    if (--levels > (size_t) (r->end - r->at) / 2)
        bad_number(r, "too few bytes for levels,", levels);
    else if (!(l = layout_new(&r->chunks, (int) levels)))
        lacks_memory(r);
    if (!l)
        return NULL;
    l->at = at;
    for (; l->depth < (int) levels; l->depth++) {
        size_t count = get_within(r, "a level of the count", 2, (size_t) LIMIT);
        l->level[l->depth] = (struct layout_level) { count, get_signed(r), 0 };
    }
    *x = get_body(r, l);
    return layout_measure(r, l, x) ? l : NULL;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void get_fixed(struct reader *r, struct adi3_layout *l, struct range *x)
{
    MPI_Aint at = 0, *place;

    l->n = get_count(r, 1, 1);
    l->len = get_len(r);
    if (!add_bytes(r, &l->bytes, l->n, l->len))
        return;
    if (!(l->place = place = layout_take(&r->chunks, l->n, sizeof *place)))
        lacks_memory(r);
    for (size_t i = 0; i < l->n && !r->err; i++) {
        place[i] = at = aint_wrap_add(at, get_signed(r));
        (void) range_include(r, x, at, (wide) at + (wide) l->len);
    }
}

static void get_varied(struct reader *r, struct adi3_layout *l, struct range *x)
{
    struct layout_block *block;
    size_t *starts;
    MPI_Aint end = 0;

    l->n = get_count(r, 1, 2);
    l->block = block = layout_take(&r->chunks, l->n, sizeof *block);
    l->starts = starts =
        layout_take(&r->chunks, (l->n + LAYOUT_RUN - 1) / LAYOUT_RUN, sizeof *starts);
    if (!block || !starts)
        lacks_memory(r);
    for (size_t i = 0; i < l->n && !r->err; i++) {
        MPI_Aint at = aint_wrap_add(end, get_signed(r));
        block[i] = (struct layout_block) { at, get_len(r) };
        if (i % LAYOUT_RUN == 0)
            starts[i / LAYOUT_RUN] = l->bytes;
        end = aint_wrap_add(at, (MPI_Aint) block[i].len);
        if (!range_include(r, x, at, (wide) at + (wide) block[i].len)
            || !add_bytes(r, &l->bytes, 1, block[i].len))
            return;
    }
}

static void get_children(struct reader *r, struct adi3_layout *l, struct range *x)
{
    const struct adi3_layout *before = NULL;
    struct layout_child *child;
    struct range one = { 0, 0 };

    l->n = get_count(r, 2, 2);
    if (!(l->child = child = layout_take(&r->chunks, l->n, sizeof *child)))
        lacks_memory(r);
    for (size_t i = 0; i < l->n && !r->err; i++) {
        child[i] = (struct layout_child) { l->bytes, before = get_layout(r, before, &one) };
        if (!before || !range_include(r, x, one.low, one.high)
            || !add_bytes(r, &l->bytes, 1, layout_bytes(before)))
            return;
    }
}

static void get_list(struct reader *r, enum layout_body body)
{
    struct list list = { layout_new(&r->chunks, 0), { 0, 0 } };

    if (r->lists == r->room) {
        size_t room = r->room ? 2 * r->room : 4;
        struct list *more = realloc(r->list, room * sizeof *more);
        if (!more) {
            lacks_memory(r);
            return;
        }
        r->list = more;
        r->room = room;
    }
    if (!list.layout) {
        lacks_memory(r);
        return;
    }
    list.layout->body = body;
    if (body == LAYOUT_FIXED)
        get_fixed(r, list.layout, &list.range);
    else if (body == LAYOUT_VARIED)
        get_varied(r, list.layout, &list.range);
    else
        get_children(r, list.layout, &list.range);
    r->list[r->lists++] = list;
}

/* ---- types ----------------------------------------------------------------------------------- */

static void get_bounds(struct reader *r, struct adi3_type *t)
{
    t->lb = get_signed(r);
    t->extent = get_signed(r);
    wide ub = (wide) t->lb + t->extent;
    if (!r->err
        && (t->lb < -LIMIT || t->lb > LIMIT || t->extent < -LIMIT || t->extent > LIMIT
            || ub < -LIMIT || ub > LIMIT))
        reader_fail(r, "bounds that need more than 62 bits,");
}

static void get_basic(struct reader *r, struct adi3_type *t)
{
    size_t i = get_within(r, "basic elements of the number", 0, FIRST_PAIR + PAIRS - 1);

    if (i >= FIRST_PAIR)
        t->basic = adi3_get(&adi3_types, (int) ((unsigned) MPI_FLOAT_INT + i - FIRST_PAIR));
    else if (i)
        t->basic = &adi3_builtin[i];
    if (t->basic && t->basic->size == 0)
        bad_number(r, "basic elements of the number", i);
}

/* Reads lists and the layout, and sets what follows from them. */
static void get_data(struct reader *r, struct adi3_type *t)
{
    struct range x = { 0, 0 };
    size_t what;

    while ((what = get_within(r, "a list of the kind", LAST_LIST, NO_DATA)) != LAST_LIST
           && what != NO_DATA)
        get_list(r, (enum layout_body) what);
    if (what == NO_DATA && r->lists)
        reader_fail(r, "lists but no data");
    struct adi3_layout *l = what == NO_DATA || r->err ? NULL : get_layout(r, NULL, &x);
    if (!r->err && r->at < r->end)
        reader_fail(r, "more bytes than it needs");
    t->layout = l;
    t->size = l ? layout_bytes(l) : 0;
    t->true_lb = (MPI_Aint) x.low;
    t->true_extent = (MPI_Aint) (x.high - x.low);
    t->contig = !l
                || (l->body == LAYOUT_BLOCK && l->depth == 0 && l->at == 0
                    && t->extent == (MPI_Aint) l->len);
    if (!r->err && t->basic && (t->size == 0 || t->size % t->basic->size))
        bad_number(r, "basic elements that do not make up its size", t->size);
}

int adi3_type_deserialize(const void *from, size_t len, struct adi3_type **made)
{
    struct reader r = { .start = from, .at = from, .end = (const uint8_t *) from + len };
    struct adi3_type t = { .refs = 1, .align = 1, .depth = 1, .committed = true, .name = "" };
    struct adi3_type *new = NULL;

    assert(adi3_lock_held());
    (void) get_within(&r, "a form of the number", FORM, FORM);
    get_bounds(&r, &t);
    get_basic(&r, &t);
    get_data(&r, &t);
    free(r.list);
    if (!r.err && !(new = adi3_new(&adi3_types, &t.handle)))
        lacks_memory(&r);
    if (r.err) {
        layout_free_chunks(r.chunks);
        return r.err;
    }
    if (t.basic) {
        t.elements = t.size / t.basic->size * t.basic->elements;
        t.align = t.basic->align;
    }
    if (t.layout)
        t.layout->chunks = r.chunks;
    *new = t;
    *made = new;
    return MPI_SUCCESS;
}
