/* settings.c — all settings of the library; warnings about wrong ones and about settings of other
 * libraries. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "mpi/coll/coll.h"
#include "mpi/errhan/errhan.h"
#include "mpi/init/init.h"
#include "platform/os.h"
#include "platform/setting.h"

extern char **environ;
bool mpir_checks;
const char *mpir_check_leaks;
bool mpir_backtrace;
bool mpir_reports_sleeps;

static const struct setting own[] = {
    { "ERROR_CHECKS", SETTING_BOOL, &mpir_checks, "yes",
      "Whether MPI functions check their arguments; without checks wrong ones have undefined "
      "effects." },
    { "CHECK_LEAKS", SETTING_STRING, &mpir_check_leaks, STARLING_DEBUG ? "yes" : "no",
      "Whether MPI_Finalize lists objects that the program has not freed (requests, communicators, "
      "groups, datatypes and others), with the calls that created them; a debug build also lists "
      "memory that the library has not freed. fail: the process then ends with exit code 1." },
    { "BACKTRACE", SETTING_BOOL, &mpir_backtrace, "no",
      "Whether a process that dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT, where the "
      "program has no handler for that signal, prints the address and the functions that it was "
      "in." },
    { "REPORT_MISSED_WAKEUPS", SETTING_BOOL, &mpir_reports_sleeps, "no",
      "Whether MPI_Finalize prints how often this process slept in a wait, and how often it slept "
      "on although a message had arrived, which would be a defect of Starling." },
    { "REPORT_SLEEPS", SETTING_RENAMED, NULL, "REPORT_MISSED_WAKEUPS", "" },
    { 0 }
};

enum { MAX_TABLES = 24 };

const struct setting *const *mpir_settings(void)
{
    static const struct setting *table[MAX_TABLES];
    int n = 0;

    table[n++] = own;
    table[n++] = mpir_coll_settings;
    for (const struct setting *const *t = adi3_settings(); *t; t++) {
        assert(n < MAX_TABLES - 1);
        table[n++] = *t;
    }
    table[n] = NULL;
    return table;
}

/* ---- settings of other libraries ------------------------------------------------------------- */

static const struct {
    const char *foreign, *starling;
} same[] = {
    { "OMPI_MCA_btl", "DEVICES" },
    { "OMPI_MCA_pml", "DEVICES" },
    { "I_MPI_FABRICS", "DEVICES" },
    { "OMPI_MCA_btl_vader_eager_limit", "SHM_EAGER_MAX" },
    { "OMPI_MCA_btl_tcp_eager_limit", "SOCKETS_EAGER_MAX" },
    { "OMPI_MCA_btl_tcp_if_include", "SOCKETS_INTERFACE" },
    { "OMPI_MCA_mtl_ofi_provider_include", "OFI_PROVIDER" },
    { "I_MPI_OFI_PROVIDER", "OFI_PROVIDER" },
    { "OMPI_MCA_mpi_param_check", "ERROR_CHECKS" },
    { "I_MPI_ASYNC_PROGRESS", "ASYNC_PROGRESS" },
}, of_mpich[] = { /* without the prefixes below */
    { "DEVICE", "DEVICES" },
    { "ERROR_CHECKING", "ERROR_CHECKS" },
    { "ASYNC_PROGRESS", "ASYNC_PROGRESS" },
    { "NEMESIS_TCP_NETWORK_IFACE", "SOCKETS_INTERFACE" },
    { "OFI_USE_PROVIDER", "OFI_PROVIDER" },
};

/* The prefixes that MPICH accepts before the name of a setting. */
static const char *const mpich[] = { "MPIR_CVAR_", "MPIR_PARAM_", "MPICH_" };

/* The names with which others choose the algorithm of an operation; the operation is between. */
static const struct {
    const char *before, *after;
} algorithm[] = {
    { "MPIR_CVAR_", "_INTRA_ALGORITHM" },     { "MPIR_PARAM_", "_INTRA_ALGORITHM" },
    { "MPICH_", "_INTRA_ALGORITHM" },         { "I_MPI_ADJUST_", "" },
    { "OMPI_MCA_coll_tuned_", "_algorithm" },
};

/* The part of name after start; NULL: it begins in another way. */
static const char *name_after_prefix(const char *start, const char *name)
{
    size_t len = strlen(start);

    return strncmp(name, start, len) ? NULL : name + len;
}

/* The setting for the algorithm of the operation, whose name is the first len characters of text;
 * NULL: none. */
static const char *algorithm_of(const char *text, size_t len)
{
    for (const struct setting *s = mpir_coll_settings; s->name; s++)
        if (!strncasecmp(s->name, text, len) && !strcmp(s->name + len, "_ALGORITHM"))
            return s->name;
    return NULL;
}

static const char *algorithm_equivalent(const char *name)
{
    for (size_t i = 0; i < sizeof algorithm / sizeof *algorithm; i++) {
        const char *operation = name_after_prefix(algorithm[i].before, name);
        if (!operation)
            continue;
        size_t len = strlen(operation), end = strlen(algorithm[i].after);
        if (len > end && !strcmp(operation + len - end, algorithm[i].after))
            return algorithm_of(operation, len - end);
    }
    return NULL;
}

static const char *mpich_equivalent(const char *name)
{
    for (size_t i = 0; i < sizeof mpich / sizeof *mpich; i++) {
        const char *rest = name_after_prefix(mpich[i], name);
        for (size_t k = 0; rest && k < sizeof of_mpich / sizeof *of_mpich; k++)
            if (!strcmp(of_mpich[k].foreign, rest))
                return of_mpich[k].starling;
    }
    return NULL;
}

/* NULL: Starling has nothing like it. */
static const char *setting_equivalent(const char *name)
{
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!strcmp(same[i].foreign, name))
            return same[i].starling;
    const char *ours = mpich_equivalent(name);
    return ours ? ours : algorithm_equivalent(name);
}

/* Names variables of the environment that have no effect here, and their equivalents. */
static void report_foreign(void)
{
    char line[512], name[128];

    for (char **e = environ; *e; e++) {
        (void) snprintf(name, sizeof name, "%.*s", (int) strcspn(*e, "="), *e);
        const char *ours = setting_equivalent(name);
        if (!ours)
            continue;
        (void) snprintf(line, sizeof line,
                        "%s is another library's setting; Starling has STARLING_%s", name, ours);
        mpir_warn(line);
    }
}

static void ignore_line(const char *line) { (void) line; }

bool mpir_settings_file(char *path)
{
    static const char etc[] = STARLING_ETC; /* seen from libmpi */

    return os_beside(etc, etc, path);
}

void mpir_load_settings(void)
{
    char file[OS_PATH];
    int rank, size;

    adi3_where(&rank, &size);
    setting_load(mpir_settings(), mpir_settings_file(file) ? file : NULL, adi3_forwarded(),
                 rank == 0 ? mpir_warn : ignore_line);
    mpir_coll_init(rank == 0 ? mpir_warn : ignore_line);
    if (rank == 0 && adi3_verbose > 0)
        report_foreign();
}
