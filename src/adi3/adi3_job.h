/* adi3_job.h — joining the job, leaving it, and what its launcher knows.
 *
 * For src/mpi/init and src/mpi/dynamic. This room stands above all others of ADI3, and starts and
 * ends them. */
#ifndef ADI3_JOB_H
#define ADI3_JOB_H

#include <stdbool.h>
#include <stddef.h>

struct counter;
struct setting;

/* Finds out whether and how this process was launched. Afterwards adi3_forwarded() is known. */
int adi3_join(void);
const char *adi3_forwarded(void); /* "NAME=VALUE\n..." of mpiexec -set; "" when there is none */
/* From now on adi3_current is memory that mpiexec reads when this process is killed. names: what
 * its `call` points into. Does nothing where the launcher is not ours. */
void adi3_share_calls(const char *names, size_t len);
void adi3_unshare_calls(void); /* in a child of fork() */
/* Starts ADI3, when all settings are loaded: opens devices together with the other processes, and
 * makes MPI_COMM_WORLD and MPI_COMM_SELF. threads: several threads may call at once. */
int adi3_init(bool threads);
/* Waits until all messages are delivered in all processes, frees everything, and leaves the job. */
int adi3_finalize(void);

bool adi3_launcher_explains(void); /* it says which process has called adi3_abort() */
_Noreturn void adi3_abort(int exit_code, const char *why); /* ends the whole job */
int adi3_appnum(int *appnum); /* MPI_ERR_OTHER when the launcher does not say */
/* Likewise. Never less than the processes of the job; of a singleton, the cores it may use. */
int adi3_universe_size(int *universe);
/* The arguments of mpiexec for this process's program: "maxprocs=4\nhost=a", with the keys of §8.7.
 * MPI_ERR_OTHER under a launcher that is not ours. */
int adi3_program(char *text, size_t len);
void adi3_where(int *rank, int *size); /* in the job; also before adi3_init */

/* Names of services and their ports (names.c): what is published is known until the job ends.
 * len: of port. Errors: MPI_ERR_SERVICE; of a lookup MPI_ERR_NAME. */
int adi3_name_publish(const char *service, const char *port);
int adi3_name_unpublish(const char *service);
int adi3_name_lookup(const char *service, char *port, size_t len);

/* The tables of ADI3 and of all devices that are built in, NULL-ended. */
const struct setting *const *adi3_settings(void);
const struct counter *const *adi3_counters(void);

#endif /* ADI3_JOB_H */
