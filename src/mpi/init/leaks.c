/* leaks.c — what a program has left when it comes to MPI_Finalize, and what the library itself has.
 *
 * A slot of a pool keeps the name of the call that gave the user its object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "errhan/errhan.h"
#include "init/init.h"
#include "misc/alloc_mem.h"
#include "os.h"

enum { LINES = 20, LINE = 200 };

static struct left {
    const char *kind, *call;
    long n;
} left[LINES];
static int lines;
static long others; /* for which there was no line */
static bool any;

static const char *const name[] = {
    [ADI3_COMM] = "communicator",
    [ADI3_GROUP] = "group",
    [ADI3_TYPE] = "datatype",
    [4] = "file",
    [ADI3_ERRHANDLER] = "error handler",
    [ADI3_OP] = "operation",
    [7] = "info object",
    [8] = "window",
    [9] = "attribute key",
    [ADI3_REQUEST] = "request",
    [15] = "object",
};
enum { KINDS = sizeof name / sizeof *name };

/* no, yes, fail; as booleans are written in other settings, too. */
static bool wanted(void)
{
    static const char *const no[] = { "", "no", "off", "false", "0" };

    for (int i = 0; i < 5; i++)
        if (!strcmp(mpir_check_leaks, no[i]))
            return false;
    return true;
}

static void add(const char *kind, const char *call, long n)
{
    struct left *l = left;

    while (l < left + lines && (strcmp(l->kind, kind) || strcmp(l->call, call)))
        l++;
    if (l == left + LINES) {
        others += n;
        return;
    }
    if (l == left + lines)
        left[lines++] = (struct left) { kind, call, 0 };
    l->n += n;
}

static void look_at(const struct adi3_pool *p)
{
    const char *kind = p->kind < KINDS && name[p->kind] ? name[p->kind] : name[KINDS - 1];

    for (const void *o = NULL; (o = adi3_next(p, o));) {
        int n = p->handles ? p->handles(o) : 1;
        const char *call = n > 0 ? adi3_creator(p, o) : NULL;
        if (n > 0)
            add(kind, call ? call : "MPI", n);
    }
}

static void say(const char *what)
{
    char line[LINE];
    int rank, size;

    adi3_where(&rank, &size);
    (void) snprintf(line, sizeof line, "rank %d: %s", rank, what);
    mpir_warn(line);
    any = true;
}

void mpir_list_program_leaks(void)
{
    char line[LINE / 2];

    if (!wanted())
        return;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (const struct adi3_pool *p = adi3_pools; p; p = p->others)
            if (p->kind == kind)
                look_at(p);
    if (mpir_memory_blocks() > 0)
        add("allocation", "MPI_Alloc_mem", mpir_memory_blocks());
    if (adi3_buffer_attached())
        add("attached buffer", adi3_buffer_attached(), 1);
    for (const struct left *l = left; l < left + lines; l++) {
        (void) snprintf(line, sizeof line, "the program has left %ld %s%s of %s", l->n, l->kind,
                        l->n > 1 ? "s" : "", l->call);
        say(line);
    }
    if (others) {
        (void) snprintf(line, sizeof line, "the program has left %ld objects of other calls",
                        others);
        say(line);
    }
}

static void say_memory(const char *file, size_t blocks, size_t bytes)
{
    char line[LINE / 2];

    (void) snprintf(line, sizeof line, "%s has not freed %zu blocks of %zu bytes in all", file,
                    blocks, bytes);
    say(line);
}

/* What the program leaves has memory, too: that is not told of twice. */
void mpir_list_library_leaks(void)
{
    if (wanted() && !any)
        os_counted(say_memory);
    if (any && !strcmp(mpir_check_leaks, "fail"))
        exit(EXIT_FAILURE);
}
