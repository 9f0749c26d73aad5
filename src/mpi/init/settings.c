/* settings.c — all settings of the library; warnings about wrong ones and about settings of other
 * libraries. */
#include <stdio.h>
#include <string.h>
#include "coll/coll.h"
#include "errhan/errhan.h"
#include "init/init.h"
#include "os.h"
#include "setting.h"

extern char **environ;
bool mpir_checks;
const char *mpir_check_leaks;
static bool reports_sleeps;

static const struct setting own[] = {
    { "ERROR_CHECKS", SETTING_BOOL, &mpir_checks, "yes",
      "Whether MPI functions check their arguments; without checks wrong ones have undefined "
      "effects." },
    { "CHECK_LEAKS", SETTING_STRING, &mpir_check_leaks, STARLING_DEBUG ? "yes" : "no",
      "Whether MPI_Finalize lists objects that the program has not freed (requests, communicators, "
      "groups, datatypes and others), with the calls that created them; a debug build also lists "
      "memory that the library has not freed. fail: the process then ends with exit code 1." },
    { "REPORT_MISSED_WAKEUPS", SETTING_BOOL, &reports_sleeps, "no",
      "Whether MPI_Finalize prints how often this process slept in a wait, and how often it slept "
      "on although a message had arrived, which would be a defect of Starling." },
    { "REPORT_SLEEPS", SETTING_RENAMED, NULL, "REPORT_MISSED_WAKEUPS", "" },
    { 0 }
};

enum { MAX_TABLES = 16 };

const struct setting *const *mpir_settings(void)
{
    static const struct setting *table[MAX_TABLES];
    int n = 0;

    table[n++] = own;
    table[n++] = mpir_coll_settings;
    for (const struct setting *const *t = adi3_settings(); *t && n < MAX_TABLES - 1; t++)
        table[n++] = *t;
    table[n] = NULL;
    return table;
}

/* ---- settings of other libraries ------------------------------------------------------------- */

static const struct {
    const char *foreign, *starling;
} same[] = {
    { "MPIR_CVAR_DEVICE", "STARLING_DEVICES" },
    { "OMPI_MCA_btl", "STARLING_DEVICES" },
    { "OMPI_MCA_pml", "STARLING_DEVICES" },
    { "I_MPI_FABRICS", "STARLING_DEVICES" },
    { "OMPI_MCA_btl_vader_eager_limit", "STARLING_SHM_EAGER_MAX" },
    { "OMPI_MCA_btl_tcp_eager_limit", "STARLING_SOCKETS_EAGER_MAX" },
    { "OMPI_MCA_mpi_param_check", "STARLING_ERROR_CHECKS" },
    { "MPICH_ERROR_CHECKING", "STARLING_ERROR_CHECKS" },
    { "MPIR_CVAR_ERROR_CHECKING", "STARLING_ERROR_CHECKS" },
};

/* NULL: Starling has no such setting. */
static const char *equivalent(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strlen(same[i].foreign) == len && !strncmp(same[i].foreign, name, len))
            return same[i].starling;
    return NULL;
}

/* Warns about settings of other MPI libraries in the environment, and names those of Starling. With
 * STARLING_VERBOSE only. */
static void report_foreign(void)
{
    char line[512];

    for (char **e = environ; *e; e++) {
        size_t len = strcspn(*e, "=");
        const char *starling = equivalent(*e, len);
        if (!starling)
            continue;
        snprintf(line, sizeof line, "%.*s is another library's setting; Starling has %s", (int) len,
                 *e, starling);
        mpir_warn(line);
    }
}

static void ignore_line(const char *line) { (void) line; }

void mpir_load_settings(void)
{
    static const char etc[] = STARLING_ETC; /* seen from libmpi */
    char file[OS_PATH];
    int rank, size;

    adi3_where(&rank, &size);
    setting_load(mpir_settings(), os_beside(etc, etc, file) ? file : NULL, adi3_forwarded(),
                 rank == 0 ? mpir_warn : ignore_line);
    mpir_coll_init(rank == 0 ? mpir_warn : ignore_line);
    if (rank == 0 && adi3_verbose > 0)
        report_foreign();
}

void mpir_report_sleeps(void)
{
    char line[128];

    if (!reports_sleeps)
        return;
    (void) snprintf(line, sizeof line, "slept %lu times, %lu in vain, %lu too long",
                    adi3_sleeps.all, adi3_sleeps.in_vain, adi3_sleeps.late);
    mpir_warn(line);
}
