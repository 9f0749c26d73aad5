/* hints.c — the info hints of files (§13.2.8), and those that ROMIO has named: a table of them.
 *
 * A value that is not understood is ignored, like an unknown key: MPI_File_get_info shows what is
 * in force. Hints that must be the same in all processes are compared as they would be in force, so
 * it makes no difference where a process has a value from. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "mpi/coll/nodes.h"
#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"
#include "mpi/info/info.h"
#include "mpi/io/io.h"
#include "platform/golden_ratio.h"
#include "platform/os.h"

enum kind {
    NUMBER,
    CHOICE,    /* enum adi3_choice */
    TRUTH,     /* bool */
    MODE,      /* octal */
    STYLE,     /* words of access_style */
    BUFFERING, /* true and false for both of romio_cb_read and romio_cb_write */
    PER_NODE,  /* cb_config_list */
    NUMBERS,   /* a list of integers, kept as a text: advice that changes nothing here ... */
    NAMES      /* ... and one of names */
};
enum {
    SAME = 1, /* in all processes */
    FIXED = 2 /* the library has one value alone */
};
enum { ROOM = 128 }; /* for a value that is written, with its NUL */

static const struct hint {
    const char *key;
    enum kind kind;
    unsigned flags;
    size_t at;      /* in struct adi3_hints */
    uint64_t least; /* of a NUMBER */
} table[] = {
#define AT(member) offsetof(struct adi3_hints, member)
    { "collective_buffering", BUFFERING, SAME, 0, 0 }, /* the next two are more precise */
    { "romio_cb_read", CHOICE, SAME, AT(cb_read), 0 },
    { "romio_cb_write", CHOICE, SAME, AT(cb_write), 0 },
    { "cb_block_size", NUMBER, SAME, AT(cb_block_size), 1 },
    { "cb_buffer_size", NUMBER, SAME, AT(cb_buffer_size), 1 },
    { "cb_nodes", NUMBER, SAME, AT(cb_nodes), 1 },
    { "cb_config_list", PER_NODE, SAME, AT(cb_per_node), 0 },
    { "romio_no_indep_rw", TRUTH, SAME, AT(no_indep_rw), 0 },
    { "romio_ds_read", CHOICE, 0, AT(ds_read), 0 },
    { "romio_ds_write", CHOICE, FIXED, AT(ds_write), 0 },
    { "ind_rd_buffer_size", NUMBER, 0, AT(ind_rd_buffer_size), 1 },
    { "ind_wr_buffer_size", NUMBER, 0, AT(ind_wr_buffer_size), 1 },
    { "direct_read", TRUTH, 0, AT(direct_read), 0 },
    { "direct_write", TRUTH, 0, AT(direct_write), 0 },
    { "access_style", STYLE, 0, AT(access_style), 0 },
    { "file_perm", MODE, SAME, AT(file_perm), 0 },
    { "striping_factor", NUMBER, SAME, AT(striping_factor), 1 },
    { "striping_unit", NUMBER, SAME, AT(striping_unit), 1 },
    { "romio_lustre_start_iodevice", NUMBER, SAME, AT(start_iodevice), 0 },
    { "num_io_nodes", NUMBER, SAME, AT(num_io_nodes), 1 },
    { "nb_proc", NUMBER, SAME, AT(nb_proc), 1 },
    { "io_node_list", NAMES, SAME, 0, 0 },
    { "chunked", NUMBERS, SAME, 0, 0 },
    { "chunked_item", NUMBERS, SAME, 0, 0 },
    { "chunked_size", NUMBERS, SAME, 0, 0 },
};
enum { HINTS = sizeof table / sizeof *table };

static const char *const choices[] = { "automatic", "enable", "disable" };
static const char *const truths[] = { "false", "true" };
static const char *const styles[] = {
    "read_once",  "write_once",         "read_mostly", "write_mostly",
    "sequential", "reverse_sequential", "random",
};
enum { CHOICES = 3, TRUTHS = 2, STYLES = sizeof styles / sizeof *styles };

/* ---- reading values -------------------------------------------------------------------------- */

/* The index of a word of len characters; -1: it is none of them. */
static int hint_word_find(const char *const *words, int n, const char *word, size_t len)
{
    for (int i = 0; i < n; i++)
        if (strlen(words[i]) == len && !strncasecmp(words[i], word, len))
            return i;
    return -1;
}

/* Digits alone. A number above 2^31 - 1 is that. */
static bool read_number(const char *value, int base, uint64_t *number)
{
    const char *digits = base == 8 ? "01234567" : "0123456789";

    if (!*value || value[strspn(value, digits)])
        return false;
    uint64_t n = strtoull(value, NULL, base);
    *number = n < INT32_MAX ? n : INT32_MAX;
    return true;
}

static void read_styles(const char *value, unsigned *bits)
{
    unsigned all = 0;

    for (const char *at = value; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        at += strspn(at, " ");
        size_t len = strcspn(at, ",");
        while (len > 0 && at[len - 1] == ' ')
            len--;
        int i = hint_word_find(styles, STYLES, at, len);
        if (i < 0)
            return;
        all |= 1u << i;
    }
    *bits = all;
}

/* How many aggregators a node has: "*:2". Lists of hosts are not for this library. */
static void read_per_node(const char *value, uint64_t *most)
{
    uint64_t n = 0;

    if (!strcmp(value, "*:*"))
        *most = 0;
    else if (!strncmp(value, "*:", 2) && read_number(value + 2, 10, &n) && n > 0)
        *most = n;
}

static int hint_text_set(struct mpir_file_hints *p, const struct hint *h, const char *value)
{
    int err = p->texts ? MPI_SUCCESS : mpir_info_new(&p->texts);

    if (!err)
        err = mpir_info_set(p->texts, h->key, value);
    return err;
}

static int read_value(struct mpir_file_hints *p, const struct hint *h, const char *value)
{
    void *to = (char *) &p->values + h->at;
    uint64_t n;
    int i;

    switch (h->kind) {
    case NUMBER:
        if (read_number(value, 10, &n) && n >= h->least)
            *(uint64_t *) to = n;
        break;
    case CHOICE:
        if ((i = hint_word_find(choices, CHOICES, value, strlen(value))) >= 0)
            *(enum adi3_choice *) to = (enum adi3_choice) i;
        break;
    case TRUTH:
        if ((i = hint_word_find(truths, TRUTHS, value, strlen(value))) >= 0)
            *(bool *) to = i;
        break;
    case MODE:
        if (read_number(value, 8, &n) && n <= 0777)
            *(unsigned *) to = (unsigned) n;
        break;
    case STYLE:
        read_styles(value, to);
        break;
    case BUFFERING:
        if ((i = hint_word_find(truths, TRUTHS, value, strlen(value))) >= 0)
            p->values.cb_read = p->values.cb_write = i ? ADI3_ENABLE : ADI3_DISABLE;
        break;
    case PER_NODE:
        read_per_node(value, to);
        break;
    case NUMBERS:
        return value[strspn(value, "0123456789, ")] ? MPI_SUCCESS : hint_text_set(p, h, value);
    case NAMES:
        return hint_text_set(p, h, value);
    }
    return MPI_SUCCESS;
}

/* In the order of the table, whatever that of info is. */
static int read_info(struct mpir_file_hints *p, const struct mpir_info *info)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < HINTS && info && !err; i++) {
        const char *value = mpir_info_get(info, table[i].key);
        if (value && !(table[i].flags & FIXED))
            err = read_value(p, &table[i], value);
    }
    return err;
}

/* ---- writing values -------------------------------------------------------------------------- */

static void write_styles(unsigned bits, char *text)
{
    int at = 0;

    for (int i = 0; i < STYLES; i++)
        if (bits & 1u << i)
            at += snprintf(text + at, (size_t) (ROOM - at), "%s%s", at ? "," : "", styles[i]);
}

/* Values of 0, and any device, are "not given": the text is empty. */
static void write_number(uint64_t n, const struct hint *h, char *text)
{
    if (n >= h->least && n != ADI3_ANY_DEVICE)
        snprintf(text, ROOM, "%" PRIu64, n);
}

static void write_value(const struct mpir_file_hints *p, const struct hint *h, char text[ROOM])
{
    const struct adi3_hints *v = &p->values;
    const void *from = (const char *) v + h->at;
    const char *kept;

    *text = 0;
    switch (h->kind) {
    case NUMBER:
        write_number(*(const uint64_t *) from, h, text);
        break;
    case CHOICE:
        snprintf(text, ROOM, "%s", choices[*(const enum adi3_choice *) from]);
        break;
    case TRUTH:
        snprintf(text, ROOM, "%s", truths[*(const bool *) from]);
        break;
    case MODE:
        snprintf(text, ROOM, "%04o", *(const unsigned *) from);
        break;
    case STYLE:
        write_styles(*(const unsigned *) from, text);
        break;
    case BUFFERING:
        snprintf(text, ROOM, "%s",
                 truths[v->cb_read != ADI3_DISABLE || v->cb_write != ADI3_DISABLE]);
        break;
    case PER_NODE:
        if (v->cb_per_node)
            snprintf(text, ROOM, "*:%" PRIu64, v->cb_per_node);
        else
            snprintf(text, ROOM, "*:*");
        break;
    case NUMBERS:
    case NAMES:
        kept = mpir_info_get(p->texts, h->key);
        snprintf(text, ROOM, "%s", kept ? kept : "");
        break;
    }
}

/* As many of a node as it has cores that they can use at a time, unless hints say otherwise. */
int mpir_io_aggregators(const struct adi3_file *f, const struct adi3_hints *h)
{
    const struct coll_nodes *nodes = f->comm->together ? NULL : coll_nodes_of(f->comm);
    uint64_t size = (uint64_t) f->comm->size;
    uint64_t count = f->comm->together ? 1 : nodes ? (uint64_t) nodes->count : size;
    uint64_t most = h->cb_per_node ? h->cb_per_node * count : size;
    uint64_t n = h->cb_nodes ? h->cb_nodes : f->cores * count;

    n = n < most ? n : most;
    return (int) (n < size ? n > 0 ? n : 1 : size);
}

int mpir_file_hints_info(const struct adi3_file *f, struct mpir_info **made)
{
    struct mpir_file_hints now = { .values = f->hints };
    char text[ROOM];

    int err = f->info ? mpir_info_copy(f->info, made) : mpir_info_new(made);

    if (err)
        return err;
    err = mpir_info_set(*made, "filename", f->path);
    now.values.cb_nodes = (uint64_t) mpir_io_aggregators(f, &f->hints);
    if (!now.values.cb_block_size)
        now.values.cb_block_size = adi3_file_block(f);
    for (int i = 0; i < HINTS && !err; i++) {
        write_value(&now, &table[i], text); /* texts are there already */
        if (*text)
            err = mpir_info_set(*made, table[i].key, text);
    }
    if (err)
        mpir_info_free(*made);
    return err;
}

/* ---- a call that sets hints ------------------------------------------------------------------ */

/* A line of the file of ROMIO_HINTS: a key and its value. A comment has a key that is not known. */
/* As in ROMIO, of lines with the same key the first one counts. */
static void read_line(void *info, char *line)
{
    const char *blank = " \t\r";

    line += strspn(line, blank);
    size_t len = strcspn(line, blank);
    if (!line[len])
        return;
    char *value = line + len + 1 + strspn(line + len + 1, blank), *end = value + strlen(value);
    line[len] = 0;
    while (end > value && strchr(blank, end[-1]))
        *--end = 0;
    if (!mpir_info_get(info, line))
        (void) mpir_info_set(info, line, value);
}

static int read_file(struct mpir_file_hints *p)
{
    const char *path = getenv("ROMIO_HINTS");
    static bool warned;
    struct mpir_info *info;

    if (!path || !*path)
        return MPI_SUCCESS;
    int err = mpir_info_new(&info);
    if (err)
        return err;
    int failed = os_file_lines(path, read_line, info);
    err = read_info(p, info);
    if (failed && !warned)
        mpir_warn(adi3_error_text(mpir_error(MPI_ERR_OTHER, "ROMIO_HINTS=%s on %s: %s", path,
                                             adi3_hostname(), strerror(-failed))));
    warned = warned || failed;
    mpir_info_free(info);
    return err;
}

/* What is for new files has no value until it is given, so that calls of other processes, which do
 * not give it, are the same. */
static int begin_later(struct mpir_file_hints *p, const struct adi3_file *f)
{
    const struct adi3_hints *d = &adi3_hints_default;

    p->values = f->hints;
    p->values.file_perm = d->file_perm;
    p->values.striping_factor = d->striping_factor;
    p->values.striping_unit = d->striping_unit;
    p->values.start_iodevice = d->start_iodevice;
    return f->info ? mpir_info_copy(f->info, &p->texts) : MPI_SUCCESS;
}

int mpir_file_hints_begin(struct mpir_file_hints *p, const struct adi3_file *f,
                          const struct mpir_info *info)
{
    *p = (struct mpir_file_hints) { .values = adi3_hints_default, .creates = !f };
    int err = f ? begin_later(p, f) : read_file(p);
    if (!err)
        err = read_info(p, info);
    return err;
}

void mpir_file_hints_commit(struct mpir_file_hints *p, struct adi3_file *f)
{
    struct adi3_hints *v = &p->values, *old = &f->hints;

    if (!p->creates) {
        v->file_perm = old->file_perm;
        v->striping_factor = old->striping_factor;
        v->striping_unit = old->striping_unit;
        v->start_iodevice = old->start_iodevice;
        v->direct_read = old->direct_read;
        v->direct_write = old->direct_write;
    }
    if (f->under_way) { /* threads look at them that move data */
        v->ds_read = old->ds_read;
        v->ind_rd_buffer_size = old->ind_rd_buffer_size;
        v->ind_wr_buffer_size = old->ind_wr_buffer_size;
    }
    if (v->cb_nodes > (uint64_t) f->comm->size)
        v->cb_nodes = (uint64_t) f->comm->size;
    mpir_file_hints_free(f);
    *old = *v;
    f->info = p->texts;
    if (f->info)
        adi3_no_creator(f->info);
    p->texts = NULL;
}

void mpir_file_hints_drop(struct mpir_file_hints *p)
{
    if (p->texts)
        mpir_info_free(p->texts);
    p->texts = NULL;
}

void mpir_file_hints_free(struct adi3_file *f)
{
    if (f->info)
        mpir_info_free(f->info);
    f->info = NULL;
}

/* ---- whether processes differ ---------------------------------------------------------------- */

static uint64_t hints_hash_mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * GOLDEN_RATIO_64;
    return h ^ h >> 32;
}

/* Different values have different numbers. */
static uint64_t number_of(const struct mpir_file_hints *p, const struct hint *h)
{
    const void *from = (const char *) &p->values + h->at;
    const char *text = h->kind >= NUMBERS ? mpir_info_get(p->texts, h->key) : NULL;
    uint64_t hash = 0;

    switch (h->kind) {
    case NUMBER:
    case PER_NODE:
        return *(const uint64_t *) from;
    case CHOICE:
        return *(const enum adi3_choice *) from;
    case TRUTH:
        return *(const bool *) from;
    case MODE:
    case STYLE:
        return *(const unsigned *) from;
    case BUFFERING:
        return 0; /* the next hints have it */
    case NUMBERS:
    case NAMES:
        for (; text && *text; text++)
            hash = hints_hash_mix(hash, (unsigned char) *text);
        return hash;
    }
    return 0;
}

uint64_t mpir_file_hints_hash(const struct mpir_file_hints *p)
{
    uint64_t hash = 0;

    for (int i = 0; i < HINTS; i++)
        if (table[i].flags & SAME)
            hash = hints_hash_mix(hash, number_of(p, &table[i]));
    return hash;
}

/* The first hint that is not the same in processes 0 and other; the values of all are there. */
static int first_difference(const uint64_t (*all)[HINTS], int other)
{
    int i = 0;

    while (i < HINTS - 1 && !(table[i].flags & SAME && all[0][i] != all[other][i]))
        i++;
    return i;
}

int mpir_file_hints_differ(struct adi3_comm *c, const struct mpir_file_hints *p, int other)
{
    uint64_t mine[HINTS], (*all)[HINTS] = malloc((size_t) c->size * sizeof *all);
    char text[ROOM], (*texts)[ROOM] = malloc((size_t) c->size * sizeof *texts);
    int err = all && texts ? MPI_SUCCESS : adi3_no_memory("for hints of %d processes", c->size);

    for (int i = 0; i < HINTS; i++)
        mine[i] = number_of(p, &table[i]);
    if (!err)
        err = mpir_gather_all(c, mine, sizeof mine, all);
    if (!err) {
        const struct hint *h = &table[first_difference(all, other)];
        memset(text, 0, sizeof text);
        write_value(p, h, text);
        err = mpir_gather_all(c, text, sizeof text, texts);
        if (!err)
            err = mpir_error(MPI_ERR_NOT_SAME, "hint %s differs: '%s' on rank 0, '%s' on rank %d",
                             h->key, texts[0], texts[other], other);
    }
    free(all);
    free(texts);
    return err;
}
