/* leaks.c — lists the objects that a program has not freed before MPI_Finalize, and memory that the
 * library has not freed.
 *
 * Each slot of a pool stores the name of the MPI function that created its object; none when the
 * user has no handle of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mpi/errhan/errhan.h"
#include "mpi/init/init.h"
#include "mpi/misc/alloc_mem.h"
#include "platform/os.h"

enum { LINES = 20, LINE = 200 };

static struct leftovers {
    const char *kind, *call;
    long n;
} leftovers[LINES];
static int lines;
static long others; /* objects without a line in the table */
static bool reported;

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

/* The setting is no, yes or fail; no may be written as in other settings. */
static bool is_leak_check_on(void)
{
    static const char *const no[] = { "", "no", "off", "false", "0" };

    for (int i = 0; i < 5; i++)
        if (!strcmp(mpir_check_leaks, no[i]))
            return false;
    return true;
}

static void leftovers_add(const char *kind, const char *call, long n)
{
    struct leftovers *l = leftovers;

    while (l < leftovers + lines && (strcmp(l->kind, kind) || strcmp(l->call, call)))
        l++;
    if (l == leftovers + LINES) {
        others += n;
        return;
    }
    if (l == leftovers + lines)
        leftovers[lines++] = (struct leftovers) { kind, call, 0 };
    l->n += n;
}

static void add_pool(const struct adi3_pool *p)
{
    const char *kind = p->kind < KINDS && name[p->kind] ? name[p->kind] : name[KINDS - 1];

    for (const void *o = NULL; (o = adi3_next(p, o));) {
        int n = p->handles ? p->handles(o) : 1;
        const char *call = n > 0 ? adi3_creator(p, o) : NULL;
        if (call)
            leftovers_add(kind, call, n);
    }
}

static void warn_with_rank(const char *what)
{
    char line[LINE];
    int rank, size;

    adi3_where(&rank, &size);
    (void) snprintf(line, sizeof line, "rank %d: %s", rank, what);
    mpir_warn(line);
    reported = true;
}

void mpir_list_program_leaks(void)
{
    char line[LINE / 2];

    if (!is_leak_check_on())
        return;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (const struct adi3_pool *p = adi3_pools; p; p = p->others)
            if (p->kind == kind)
                add_pool(p);
    if (mpir_memory_blocks() > 0)
        leftovers_add("allocation", "MPI_Alloc_mem", mpir_memory_blocks());
    if (adi3_buffer_attached())
        leftovers_add("attached buffer", adi3_buffer_attached(), 1);
    for (const struct leftovers *l = leftovers; l < leftovers + lines; l++) {
        (void) snprintf(line, sizeof line, "the program has left %ld %s%s of %s", l->n, l->kind,
                        l->n > 1 ? "s" : "", l->call);
        warn_with_rank(line);
    }
    if (others) {
        (void) snprintf(line, sizeof line, "the program has left %ld objects of other calls",
                        others);
        warn_with_rank(line);
    }
}

void mpir_list_unreceived(void)
{
    int err = adi3_unreceived();

    if (err && (is_leak_check_on() || adi3_check == ADI3_CHECK_STRICT))
        warn_with_rank(adi3_error_text(err));
}

static void report_memory(const char *file, size_t blocks, size_t bytes)
{
    char line[LINE / 2];

    (void) snprintf(line, sizeof line, "%s has not freed %zu blocks of %zu bytes in all", file,
                    blocks, bytes);
    warn_with_rank(line);
}

/* Objects that the program left have memory, too. So memory is reported only when it left none. */
void mpir_list_library_leaks(void)
{
    if (is_leak_check_on() && !reported)
        os_counted(report_memory);
    if (reported && !strcmp(mpir_check_leaks, "fail"))
        exit(EXIT_FAILURE);
}
