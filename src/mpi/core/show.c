/* show.c — the arguments of a failed call: shown in the fatal error text, and set to null handles
 * where the call should have returned handles.  Cold path only.
 *
 * mpir_api has a line for each function of mpi.h ("MPI_Send buf=* count=int ..."), for each type
 * with named values ("MPI_Datatype 0x4c000405=MPI_INT ...") and for each such parameter ("source
 * -2=MPI_ANY_SOURCE ...").  An argument of a type that is not there ends the list: the arguments
 * behind it cannot be fetched.  No pointer is followed but those to handles that the call returns
 * ("newcomm=*0x4000000", the null handle), and nothing is allocated. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mpi/core/core.h"
#include "mpi/core/hooks.h"
#include "mpi.h"

enum { WORD = 64 }; /* longer than any name or value in mpir_api */

struct out {
    char *text;
    size_t size, used;
};

static void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void out_printf(struct out *o, const char *fmt, ...)
{
    va_list args;

    if (o->used >= o->size)
        return;
    va_start(args, fmt);
    int n = vsnprintf(o->text + o->used, o->size - o->used, fmt, args);
    va_end(args);
    if (n > 0)
        o->used += (size_t) n;
}

/* Ends a text that did not fit in the buffer with "...". */
static void close_text(struct out *o)
{
    if (o->used >= o->size && o->size > 3)
        memcpy(o->text + o->size - 4, "...", 4);
}

static bool begins_with_word(const char *text, const char *word, char end)
{
    size_t n = strlen(word);

    return n > 0 && !strncmp(text, word, n) && text[n] == end;
}

/* The line that begins with first; the empty end when there is none. */
static const char *line_of(const char *first)
{
    const char *p = mpir_api;

    while (*p && !begins_with_word(p, first, ' ')) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return p;
}

/* The value of key on the line that begins with first; false when there is none. */
static bool look_up(const char *first, const char *key, char value[WORD])
{
    const char *p = line_of(first);

    while (*p && *p != '\n') {
        if (begins_with_word(p, key, '=')) {
            p += strlen(key) + 1;
            snprintf(value, WORD, "%.*s", (int) strcspn(p, " \n"), p);
            return true;
        }
        p += strcspn(p, " \n");
        p += *p == ' ';
    }
    return false;
}

/* Where values come from: arguments of C, or of Fortran (by reference, hooks.h). */
struct source {
    va_list args;
    const void *const *values; /* NULL: args */
};

#define NEXT(type) (s->values ? *(const type *) *s->values++ : va_arg(s->args, type))

/* Takes the next argument, of this type, and writes it in the format of values in mpir_api. */
static void argument_fetch(const char *type, struct source *s, char value[WORD])
{
    if (strchr(type, '*')) {
        uintptr_t p = (uintptr_t) (s->values ? *s->values++ : va_arg(s->args, void *));
        snprintf(value, WORD, "0x%llx", (unsigned long long) p);
        if (!p)
            snprintf(value, WORD, "NULL");
    } else if (!strcmp(type, "int"))
        snprintf(value, WORD, "%d", NEXT(int));
    else if (!strcmp(type, "MPI_Aint"))
        snprintf(value, WORD, "%lld", (long long) NEXT(MPI_Aint));
    else if (!strcmp(type, "MPI_Count"))
        snprintf(value, WORD, "%lld", (long long) NEXT(MPI_Count));
    else if (!strcmp(type, "MPI_Offset"))
        snprintf(value, WORD, "%lld", (long long) NEXT(MPI_Offset));
    else if (!strcmp(type, "long_long"))
        snprintf(value, WORD, "%lld", NEXT(long long));
    else if (!strcmp(type, "double"))
        snprintf(value, WORD, "%g", NEXT(double));
    else /* a handle: gen_api_text.py has no other types */
        snprintf(value, WORD, "0x%x", (unsigned) NEXT(int));
}

void mpir_show_value(char *word, const char *type, int value)
{
    char key[WORD];

    snprintf(key, sizeof key, "0x%x", (unsigned) value);
    if (!look_up(type, key, word))
        snprintf(word, WORD, "%s", key);
}

/* The name that the program has given a window; NULL: none. value: its handle. */
static const char *window_name(const char *type, const char *value)
{
    if (strcmp(type, "MPI_Win") != 0 || mpir_is(ADI3_DOWN))
        return NULL;
    const struct adi3_win *w = adi3_win_get((int) strtoul(value, NULL, 16));
    return w && w->comm->name && *w->comm->name ? w->comm->name : NULL;
}

/* The arguments of the thread's call of Fortran. */
static _Thread_local const struct mpir_arguments *of_fortran;

void MPIR_Arguments(const struct mpir_arguments *arguments) { of_fortran = arguments; }

void mpir_show(char *text, size_t len, const char *call, const char *names, va_list args)
{
    struct out out = { .text = text, .size = len };
    char name[WORD], type[WORD], value[WORD], known[WORD];
    struct source s = { .values = NULL };

    va_copy(s.args, args);
    if (of_fortran && call && !strcmp(call, of_fortran->call)) {
        names = of_fortran->names;
        s.values = of_fortran->values;
        of_fortran = NULL; /* an error handler may never return */
    }
    out_printf(&out, "%s(", call ? call : "?");
    for (const char *sep = ""; names && *names; sep = ", ") {
        size_t n = strcspn(names, ", ");
        snprintf(name, sizeof name, "%.*s", n < WORD ? (int) n : 0, names);
        if (!call || !look_up(call, name, type)) {
            out_printf(&out, "%s...", sep);
            break;
        }
        argument_fetch(type, &s, value);
        const char *window = window_name(type, value);
        if (window)
            out_printf(&out, "%s%s='%s'", sep, name, window);
        else if (look_up(name, value, known))
            out_printf(&out, "%s%s=%s", sep, name, known);
        else if (look_up(type, value, known))
            out_printf(&out, "%s%s", sep, known);
        else
            out_printf(&out, "%s%s=%s", sep, name, value);
        names += n;
        names += strspn(names, ", ");
    }
    va_end(s.args);
    out_printf(&out, ")");
    close_text(&out);
}

/* Whether a parameter of the call on this line returns a handle. */
static bool gives_handle(const char *line)
{
    size_t len = strcspn(line, "\n");

    for (const char *p = line; p + 2 < line + len; p++)
        if (p[0] == '=' && p[1] == '*' && p[2] != ' ')
            return true;
    return false;
}

static void set_null(void *handle, const char *null)
{
    if (handle && !strcmp(null, "NULL"))
        *(void **) handle = NULL;
    else if (handle)
        *(int *) handle = (int) strtoul(null, NULL, 16);
}

void mpir_null_results(const char *call, const char *names, va_list args)
{
    char name[WORD], type[WORD], value[WORD];
    struct source s = { .values = NULL };

    if (!call || !gives_handle(line_of(call)))
        return;
    va_copy(s.args, args);
    while (*names) {
        size_t n = strcspn(names, ", ");
        snprintf(name, sizeof name, "%.*s", n < WORD ? (int) n : 0, names);
        if (!look_up(call, name, type))
            break;
        if (type[0] == '*' && type[1])
            set_null(va_arg(s.args, void *), type + 1);
        else
            argument_fetch(type, &s, value);
        names += n;
        names += strspn(names, ", ");
    }
    va_end(s.args);
}
