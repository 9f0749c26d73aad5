/* init.h — settings, and the list of objects that a program has not freed. */
#ifndef INIT_H
#define INIT_H

#include "mpi/core/core.h"

/* settings.c */
struct setting;
extern bool mpir_reports_sleeps;                  /* the setting STARLING_REPORT_MISSED_WAKEUPS */
const struct setting *const *mpir_settings(void); /* all tables, NULL-ended */
bool mpir_settings_file(char *path); /* the tree's own file of settings; false: none is known */
void mpir_load_settings(void);
extern bool mpir_checks;             /* the setting STARLING_ERROR_CHECKS */
extern bool mpir_backtrace;          /* the setting STARLING_BACKTRACE */
extern const char *mpir_check_leaks; /* the setting STARLING_CHECK_LEAKS */

/* counters.c */
struct counter;
/* All tables, NULL-ended: the same at each call. Errors: MPI_ERR_INTERN when two rows have one
 * name. */
int mpir_counters(const struct counter *const **tables);
void mpir_report_sleeps(void); /* in MPI_Finalize: STARLING_REPORT_MISSED_WAKEUPS */

/* leaks.c — what STARLING_CHECK_LEAKS asks for. */
void mpir_list_program_leaks(void); /* objects and memory of the program; before ADI3 ends */
void mpir_list_unreceived(void);    /* messages; after ADI3 has ended. Also with CHECK=strict */
void mpir_list_library_leaks(void); /* memory of the library; may end the process */

#endif /* INIT_H */
