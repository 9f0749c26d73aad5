/* sections_type.c — datatypes over sections, and those kept for the next call of the same shape.
 *
 * Datatypes are made of predefined ones alone, which are never freed: so one that is kept stays
 * right whatever the program does with its own datatypes. */
#include <limits.h>
#include <pthread.h>
#include "mpi/core/hooks.h"
#include "mpi/fortran/sections.h"

enum { KEPT = 32 };

struct f_kept {
    struct f_section shape;
    MPI_Datatype basic;
    ptrdiff_t len;
    bool repeats;
    MPI_Datatype type;
    int refs; /* the table's, and those of calls; guarded by lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct f_kept *table[KEPT];
static enum { NOT_YET, OPEN, CLOSED } state; /* of the table */
static bool threads = true;                  /* several may call MPI; known when it is open */

static void kept_table_lock(void)
{
    if (threads)
        (void) pthread_mutex_lock(&lock);
}

static void kept_table_unlock(void)
{
    if (threads)
        (void) pthread_mutex_unlock(&lock);
}

/* ---- making ---------------------------------------------------------------------------------- */

static void section_type_drop(MPI_Datatype *t)
{
    if (*t != MPI_DATATYPE_NULL)
        (void) PMPI_Type_free(t);
}

/* Elements in all of one index of dimension d: the product of the dimensions below. */
static ptrdiff_t elements_below_dim(const struct f_wanted *w, int d)
{
    ptrdiff_t n = d > 0 ? w->section->dim[0].n / w->size : 1;

    for (int i = 1; i < d; i++)
        n *= w->section->dim[i].n;
    return n;
}

/* Makes n successive indices of dimension d, each with all of the dimensions below. */
static int make_rows(const struct f_wanted *w, int d, ptrdiff_t n, MPI_Datatype *made)
{
    const struct f_section *s = w->section;
    MPI_Datatype inner = MPI_DATATYPE_NULL;

    if (d == 0)
        return PMPI_Type_contiguous((int) n, w->basic, made);
    if (d == 1)
        return PMPI_Type_create_hvector((int) n, (int) elements_below_dim(w, 1), s->dim[1].stride,
                                        w->basic, made);
    int err = make_rows(w, d - 1, s->dim[d - 1].n, &inner);
    if (!err)
        err = PMPI_Type_create_hvector((int) n, 1, s->dim[d].stride, inner, made);
    section_type_drop(&inner);
    return err;
}

/* Makes the first n elements: whole indices of the last dimension, then of the one before in the
 * index where they end, and so on. */
static int make_first(const struct f_wanted *w, MPI_Datatype *made)
{
    const struct f_section *s = w->section;
    MPI_Datatype member[F_RANKS + 1];
    MPI_Aint at[F_RANKS + 1], offset = 0;
    int ones[F_RANKS + 1], members = 0, err = MPI_SUCCESS;
    ptrdiff_t left = w->len / w->size;

    for (int d = s->dims - 1; d >= 0 && left > 0 && !err; d--) {
        ptrdiff_t each = elements_below_dim(w, d), n = left / each;
        left -= n * each;
        if (n > 0) {
            member[members] = MPI_DATATYPE_NULL;
            err = make_rows(w, d, n, &member[members]);
            ones[members] = 1;
            at[members++] = offset;
        }
        offset += n * (d > 0 ? s->dim[d].stride : w->size);
    }
    if (!err && members == 1) {
        *made = member[0];
        return MPI_SUCCESS;
    }
    if (!err)
        err = PMPI_Type_create_struct(members, ones, at, member, made);
    for (int i = 0; i < members; i++)
        section_type_drop(&member[i]);
    return err;
}

/* The same with an extent that leads to the element after them. They are whole indices of the last
 * dimension. */
static int make_repeated(const struct f_wanted *w, MPI_Datatype *made)
{
    int last = w->section->dims - 1;
    ptrdiff_t n = w->len / w->size / elements_below_dim(w, last);
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    int err = make_rows(w, last, n, &inner);

    if (!err)
        err = PMPI_Type_create_resized(inner, 0, n * w->section->dim[last].stride, made);
    section_type_drop(&inner);
    return err;
}

/* Whether a datatype can say it: no element has a gap inside, and numbers fit. */
static bool can_be_made(const struct f_wanted *w)
{
    const struct f_section *s = w->section;
    bool can = w->basic != MPI_DATATYPE_NULL && w->size > 0 && s->dim[0].n % w->size == 0
               && s->dim[0].n / w->size <= INT_MAX && w->len > 0;

    for (int d = 1; d < s->dims; d++)
        can = can && s->dim[d].n <= INT_MAX;
    if (!can || !w->repeats)
        return can;
    ptrdiff_t each = elements_below_dim(w, s->dims - 1);
    ptrdiff_t n = w->len / w->size;
    return n % each == 0 && n / each <= INT_MAX;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static void drop_ref(struct f_kept *k)
{
    if (!k)
        return;
    kept_table_lock();
    bool last = --k->refs == 0;
    kept_table_unlock();
    if (last) {
        section_type_drop(&k->type);
        free(k);
    }
}

/* The delete function of an attribute of MPI_COMM_SELF: MPI_Finalize calls it first of all. */
static int close_table(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct f_kept *old[KEPT];

    (void) comm, (void) keyval, (void) value, (void) extra;
    kept_table_lock();
    memcpy(old, table, sizeof old);
    memset(table, 0, sizeof table);
    state = CLOSED;
    kept_table_unlock();
    for (int i = 0; i < KEPT; i++)
        drop_ref(old[i]);
    return MPI_SUCCESS;
}

/* Of several threads one opens the table; meanwhile it is closed for the others. */
static void open_table(void)
{
    int keyval, err, level = MPI_THREAD_MULTIPLE;

    kept_table_lock();
    bool mine = state == NOT_YET;
    if (mine)
        state = CLOSED;
    kept_table_unlock();
    if (!mine)
        return;
    (void) PMPI_Query_thread(&level);
    if (level != MPI_THREAD_MULTIPLE) /* else other threads may be reading it */
        threads = false;
    err = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, close_table, &keyval, NULL);
    if (err)
        return;
    err = PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    (void) PMPI_Comm_free_keyval(&keyval);
    kept_table_lock();
    state = err ? CLOSED : OPEN;
    kept_table_unlock();
}

static struct f_kept **slot_of(const struct f_wanted *w)
{
    uint64_t h = (uint64_t) w->len * 31 + (unsigned) w->basic + w->repeats;

    for (int i = 0; i < w->section->dims; i++)
        h = (h * 31 + (uint64_t) w->section->dim[i].n) * 31 + (uint64_t) w->section->dim[i].stride;
    return &table[h * UINT64_C(0x9e3779b97f4a7c15) >> 59];
}

static bool is_like(const struct f_kept *k, const struct f_wanted *w)
{
    const struct f_section *a = &k->shape, *b = w->section;

    bool is =
        k->len == w->len && k->basic == w->basic && k->repeats == w->repeats && a->dims == b->dims;
    for (int i = 0; i < b->dims && is; i++)
        is = a->dim[i].n == b->dim[i].n && a->dim[i].stride == b->dim[i].stride;
    return is;
}

static struct f_kept *kept_type_find(const struct f_wanted *w)
{
    kept_table_lock();
    struct f_kept *k = *slot_of(w);
    if (k && is_like(k, w))
        k->refs++;
    else
        k = NULL;
    kept_table_unlock();
    return k;
}

/* Puts k into the table in place of another one. */
static void kept_type_insert(struct f_kept *k, const struct f_wanted *w)
{
    struct f_kept *old = NULL;

    kept_table_lock();
    if (state == OPEN) {
        old = *slot_of(w);
        *slot_of(w) = k;
        k->refs++;
    }
    kept_table_unlock();
    drop_ref(old);
}

static int section_type_make(const struct f_wanted *w, MPI_Datatype *made)
{
    MPIR_Errors_return(true);
    int err = w->repeats ? make_repeated(w, made) : make_first(w, made);
    if (!err)
        err = PMPI_Type_commit(made);
    if (!err)
        open_table();
    MPIR_Errors_return(false);
    return err;
}

int f_type_of(const struct f_wanted *w, struct f_kept **kept)
{
    struct f_kept *k = NULL;

    *kept = NULL;
    if ((*kept = kept_type_find(w)) || !can_be_made(w))
        return MPI_SUCCESS;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int err = section_type_make(w, &type);
    if (!err && !(k = malloc(sizeof *k)))
        err = MPI_ERR_NO_MEM;
    if (err) {
        section_type_drop(&type);
        return err;
    }
    *k = (struct f_kept) { *w->section, w->basic, w->len, w->repeats, type, 1 };
    kept_type_insert(k, w);
    *kept = k;
    return MPI_SUCCESS;
}

MPI_Datatype f_type_handle(const struct f_kept *kept) { return kept->type; }

void f_type_release(struct f_kept *kept) { drop_ref(kept); }
