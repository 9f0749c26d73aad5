/* convert.c — data representations (§13.5): external32 and those of the program. Data is converted
 * in chunks of bounded size. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/base/base.h"
#include "adi3/datatype/datatype.h"
#include "adi3/io/io_impl.h"

/* ---- the table ------------------------------------------------------------------------------- */

static struct adi3_datarep predefined[] = { { .name = "native" },
                                            { .name = "internal" },
                                            { .name = "external32", .portable = true } };
enum { PREDEFINED = sizeof predefined / sizeof *predefined };
static struct adi3_datarep *added;

const struct adi3_datarep *adi3_datarep_get(const char *name)
{
    for (int i = 0; i < PREDEFINED; i++)
        if (!strcmp(predefined[i].name, name))
            return &predefined[i];
    for (const struct adi3_datarep *r = added; r; r = r->next)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}

int adi3_datarep_add(const struct adi3_datarep *rep)
{
    struct adi3_datarep *copy = malloc(sizeof *copy);
    char *name = strdup(rep->name);

    assert(adi3_lock_held());
    if (!copy || !name || adi3_datarep_get(rep->name)) {
        bool there = copy && name;
        free(copy);
        free(name);
        return there ? adi3_error(MPI_ERR_DUP_DATAREP, "there is a representation '%s' already",
                                  rep->name)
                     : adi3_no_memory("for a representation");
    }
    *copy = *rep;
    copy->name = name;
    copy->next = added;
    added = copy;
    return MPI_SUCCESS;
}

bool adi3_datarep_set_language(const char *name, const struct adi3_language *language)
{
    struct adi3_datarep *r = added;

    assert(adi3_lock_held());
    while (r && strcmp(r->name, name))
        r = r->next;
    if (r)
        r->language = language;
    return r;
}

void io_datareps_end(void)
{
    for (struct adi3_datarep *r = added, *next; r; r = next) {
        next = r->next;
        free((char *) (uintptr_t) r->name);
        free(r);
    }
    added = NULL;
}

/* ---- conversion ------------------------------------------------------------------------------ */

bool io_converts(const struct adi3_access *a)
{
    const struct adi3_datarep *r = a->file->view.rep;

    return r->portable || (a->writes ? r->write : r->read) || (r->extent && !a->data.type->contig);
}

/* Moves bytes between a buffer and the stream, `done` bytes behind the begin of the access. */
static uint64_t move_bytes(struct adi3_access *whole, char *buffer, size_t len, uint64_t done)
{
    struct adi3_access chunk = { .file = whole->file,
                                 .data = { buffer, len, adi3_type_builtin(MPI_BYTE) },
                                 .bytes = 1,
                                 .at = whole->at + done,
                                 .writes = whole->writes };

    io_move(&chunk);
    whole->error = chunk.error;
    whole->failed = chunk.failed;
    return chunk.moved;
}

/* Converts and moves what is `done` bytes behind the begin, in external32. Returns the bytes. */
static uint64_t move_portable(struct adi3_access *a, char *buffer, size_t room, uint64_t done)
{
    if (a->writes)
        return move_bytes(a, buffer, adi3_pack_external(&a->data, (size_t) done, buffer, room),
                          done);
    room = (size_t) move_bytes(a, buffer, room, done);
    return adi3_unpack_external(&a->data, (size_t) done, buffer, room);
}

/* Calls the function for `count` elements from element number `first` on. It counts the entries of
 * their type map. */
static void conversion_call(struct adi3_access *a, char *buffer, size_t count, uint64_t first)
{
    const struct adi3_datarep *r = a->file->view.rep;
    const struct adi3_type *t = a->data.type;
    MPI_Datarep_conversion_function *f = a->writes ? r->write : r->read;
    size_t items = t->predefined ? 1 : t->elements;
    const struct adi3_conversion c = { .memory = a->data.buf,
                                       .type = t->handle,
                                       .count = (int) (count * items),
                                       .file = buffer,
                                       .position = (MPI_Offset) (first * items),
                                       .extra = r->extra };

    if (f)
        a->code = r->language->convert(f, &c);
    else if (a->writes)
        adi3_pack(&a->data, (size_t) first * t->size, buffer, count * t->size);
    else
        adi3_unpack(&a->data, (size_t) first * t->size, buffer, count * t->size);
}

/* The same by the functions of the program, whole elements. */
static uint64_t move_users(struct adi3_access *a, char *buffer, size_t room, uint64_t done)
{
    size_t count = room / a->bytes;

    if (a->writes) {
        conversion_call(a, buffer, count, done / a->bytes);
        return a->code ? 0 : move_bytes(a, buffer, count * a->bytes, done);
    }
    count = (size_t) move_bytes(a, buffer, count * a->bytes, done) / a->bytes;
    if (count)
        conversion_call(a, buffer, count, done / a->bytes);
    return a->code ? 0 : count * a->bytes;
}

void io_move_converted(struct adi3_access *a)
{
    const struct adi3_hints *hints = &a->file->hints;
    uint64_t room_hint = a->writes ? hints->ind_wr_buffer_size : hints->ind_rd_buffer_size;
    size_t most = a->bytes > room_hint ? a->bytes : (size_t) room_hint;
    uint64_t len = (uint64_t) a->data.count * a->bytes, done = 0, some = 1;
    char *buffer = malloc(most);

    if (!buffer)
        a->error = ENOMEM;
    while (buffer && done < len && some > 0 && !a->error && !a->code) {
        size_t room = len - done < most ? (size_t) (len - done) : most;
        some = (a->file->view.rep->portable ? move_portable : move_users)(a, buffer, room, done);
        done += some;
    }
    free(buffer);
    a->moved = a->bytes ? done / a->bytes * a->data.type->size : 0; /* in memory */
}
