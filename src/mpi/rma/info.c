/* info.c — the info hints of windows (§11.2.1, §11.2.3). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mpi/info/info.h"
#include "mpi/rma/rma.h"

/* Hints that are true or false. */
static const struct hint {
    const char *key;
    enum adi3_win_info bit;
    int flavor;    /* of the windows that have it; 0: all */
    bool creating; /* it is for new windows only */
} hints[] = {
    { "no_locks", ADI3_WIN_NO_LOCKS, 0, false },
    { "same_size", ADI3_WIN_SAME_SIZE, 0, false },
    { "same_disp_unit", ADI3_WIN_SAME_DISP_UNIT, 0, false },
    { "alloc_shared_noncontig", ADI3_WIN_NONCONTIG, MPI_WIN_FLAVOR_SHARED, true },
};
enum { HINTS = sizeof hints / sizeof *hints };

static const struct order {
    const char *word;
    enum adi3_win_info bit;
} orders[] = {
    { "rar", ADI3_WIN_RAR },
    { "raw", ADI3_WIN_RAW },
    { "war", ADI3_WIN_WAR },
    { "waw", ADI3_WIN_WAW },
};
enum { ORDERS = sizeof orders / sizeof *orders };

static int win_hint_error(const char *key, const char *value, const char *right)
{
    return mpir_error(MPI_ERR_INFO_VALUE, "%s is \"%s\", not %s", key, value, right);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int read_bool(const struct mpir_info *info, const struct hint *h, unsigned *bits)
{
    bool set = *bits & h->bit;
    int err = mpir_info_bool(info, h->key, &set);

    *bits = (*bits & ~(unsigned) h->bit) | (set ? h->bit : 0);
    return err;
}

/* The bit of a word of so many characters; 0: it is none. */
static unsigned order_of(const char *word, size_t len)
{
    for (int i = 0; i < ORDERS; i++)
        if (len == strlen(orders[i].word) && !strncmp(word, orders[i].word, len))
            return orders[i].bit;
    return 0;
}

/* A list of orders, separated by commas; or "none". */
static int read_ordering(const struct mpir_info *info, unsigned *bits)
{
    const char *key = "accumulate_ordering", *value = mpir_info_get(info, key);
    unsigned read = 0, bit = 1;

    if (!value)
        return MPI_SUCCESS;
    if (strcmp(value, "none") != 0)
        for (const char *p = value; bit && p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
            read |= bit = order_of(p, strcspn(p, ","));
    if (!bit)
        return win_hint_error(key, value, "none or a list of rar, raw, war, waw");
    *bits = (*bits & ~(unsigned) ADI3_WIN_ORDERED) | read;
    return MPI_SUCCESS;
}

static int read_ops(const struct mpir_info *info, unsigned *bits)
{
    const char *key = "accumulate_ops", *value = mpir_info_get(info, key);

    if (!value)
        return MPI_SUCCESS;
    if (strcmp(value, "same_op") != 0 && strcmp(value, "same_op_no_op") != 0)
        return win_hint_error(key, value, "same_op or same_op_no_op");
    *bits &= ~(unsigned) ADI3_WIN_SAME_OP;
    if (!strcmp(value, "same_op"))
        *bits |= ADI3_WIN_SAME_OP;
    return MPI_SUCCESS;
}

int mpir_win_hints_read(const struct mpir_info *info, bool creating, unsigned *bits)
{
    unsigned read = *bits;
    size_t align; /* for new windows only: mpir_win_info_arg() */
    int err = MPI_SUCCESS;

    for (int i = 0; i < HINTS && !err; i++) {
        unsigned ignored = read;
        err = read_bool(info, &hints[i], hints[i].creating && !creating ? &ignored : &read);
    }
    if (!err)
        err = read_ordering(info, &read);
    if (!err)
        err = read_ops(info, &read);
    if (!err)
        err = mpir_info_alignment(info, &align);
    if (!err)
        *bits = read;
    return err;
}

int mpir_win_info_arg(MPI_Info h, struct mpir_new_win *new)
{
    struct mpir_info *i;
    int err = mpir_info_or_null_arg(h, &i);

    new->infos = ADI3_WIN_ORDERED;
    if (!err)
        err = mpir_win_hints_read(i, true, &new->infos);
    if (!err)
        err = mpir_info_alignment(i, &new->align);
    return err;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_ordering(unsigned bits, struct mpir_info *info)
{
    char list[ORDERS * 4 + 1] = "";
    size_t len = 0;

    for (int i = 0; i < ORDERS; i++) {
        if (!(bits & orders[i].bit))
            continue;
        if (len)
            list[len++] = ',';
        memcpy(list + len, orders[i].word, 3);
        len += 3;
    }
    return mpir_info_set(info, "accumulate_ordering", len ? list : "none");
}

/* Parts of shared memory that follow each other without a gap begin anywhere. */
static bool is_aligned(const struct adi3_win *w)
{
    return w->flavor == MPI_WIN_FLAVOR_ALLOCATE
           || (w->flavor == MPI_WIN_FLAVOR_SHARED && w->infos & ADI3_WIN_NONCONTIG);
}

int mpir_win_hints_write(const struct adi3_win *w, struct mpir_info *info)
{
    int err = MPI_SUCCESS;
    char align[24];

    for (int i = 0; i < HINTS && !err; i++)
        if (!hints[i].flavor || hints[i].flavor == w->flavor)
            err = mpir_info_set(info, hints[i].key, w->infos & hints[i].bit ? "true" : "false");
    if (!err)
        err = write_ordering(w->infos, info);
    if (!err)
        err = mpir_info_set(info, "accumulate_ops",
                            w->infos & ADI3_WIN_SAME_OP ? "same_op" : "same_op_no_op");
    (void) snprintf(align, sizeof align, "%zu", w->align);
    if (!err && is_aligned(w))
        err = mpir_info_set(info, "mpi_minimum_memory_alignment", align);
    return err;
}
