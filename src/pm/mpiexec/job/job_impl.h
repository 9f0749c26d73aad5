/* job_impl.h — what the files of a running job share. */
#ifndef JOB_IMPL_H
#define JOB_IMPL_H

#include <stdio.h>
#include "pm/node/log.h"
#include "pm/mpiexec/job/mpiexec_job.h"
#include "pm/mpiexec/output/mpiexec_output.h"
#include "pm/server/pm_server.h"

/* environ.c: makes the environment of a program of a job, but for what differs from rank to rank.
 * With elsewhere, without the variables of mpiexec that mean nothing on other hosts. NULL: no
 * memory. */
char **pm_environ(const struct pm_job *j, const struct pm_program *program, bool elsewhere);
/* The PATH of mpiexec, or of the spawner of the job. */
const char *pm_environ_path(const struct pm_job *j);
/* Whether the program gets all variables of mpiexec. */
bool pm_environ_is_whole(const struct pm_spec *spec, const struct pm_program *program);
/* The value of a variable there, or NULL. */
const char *pm_environ_value(const struct pm_job *j, const struct pm_program *program,
                             const char *name);

/* refusals.c: a node cannot run its part, for a reason that fmt says. The job ends when the other
 * nodes have answered, or a second later. */
void pm_refuse_part(struct pm_part *p, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pm_check_refusals(struct pm_job *j); /* call when a node has answered */

void pm_environ_free(const struct pm_job *j, char *const *made);

/* forget.c: call when the node of a part has forgotten it, or is lost. */
void pm_part_forgotten(struct pm_part *p);
void pm_forget_jobs(struct pm_run *r); /* that have ended; call in each turn of the loop */

const struct pm_bind *pm_bind_of(const struct pm_part *p); /* how its ranks are bound */
/* bind.c: chooses the CPUs of the ranks of a part. topology: what starling_topo prints there, or
 * NULL. */
void pm_bind_part(struct pm_part *p, const char *topology);
/* Writes the CPUs that a rank is bound to as text, and returns it; NULL: it is not bound. */
const char *pm_bind_text(const struct pm_rank *r, char *text, size_t len);
void pm_bind_report(const struct pm_rank *r); /* logs that, with a drawing */

/* spawn_answer.c: to the spawner of a job. */
void pm_rank_confirmed(struct pm_rank *r);        /* call when its node says that it runs */
bool pm_is_being_spawned(const struct pm_job *j); /* its spawner is not connected yet */
/* The job is not started as a whole, or fails in the time of probation: the spawner is told why,
 * and its ranks are killed. Others that have been started are left. */
void pm_abandon_job(struct pm_job *j, const char *why);
void pm_abandon_all(struct pm_run *r, const char *why);         /* those that are being started */
void pm_spawner_ended(const struct pm_rank *r, bool finalized); /* call when a rank has ended */
/* Its PMI server's events.verdict(). */
void pm_take_verdict(struct pm_rank *spawner, int request, bool kill);

/* pmi.c */
void pm_rank_closed_pmi(struct pm_rank *r);
void pm_protocol_error(struct pm_rank *r, const char *why);

/* grace.c: how long processes have to end after a signal. */
enum pm_ending { PM_END_BY_SIGNAL, PM_END_BY_FAILURE, PM_END_LEFTOVERS };
int pm_grace_ms(const struct pm_spec *s, int signal, enum pm_ending why);
void pm_grace_begin(struct pm_run *r); /* says after a second for which ranks it waits */

/* end.c: ends all jobs. */
void pm_ranks_ended(struct pm_run *r); /* call when a rank has ended */
void pm_signal_ranks(struct pm_run *r, int signal);
/* Sends this signal, and SIGKILL when the time of pm_grace_ms() is over. */
void pm_end_run(struct pm_run *r, int signal, enum pm_ending why);
void pm_kill_run(struct pm_run *r);
/* The same for a job that fails while others go on. */
void pm_end_job(struct pm_job *j);
void pm_drop_output(struct pm_run *r);

/* status.c: takes account of the end of a rank, as events.exited() of its node reports it. */
void pm_rank_exited(struct pm_rank *r, int wait_status, const char *last);
void pm_host_failed(struct pm_host *h, const struct pm_status *v); /* jobs with ranks there end */
void pm_exiting_found(struct pm_host *h); /* the host has answered, or is lost */
enum { PM_STATUS_MAX = 2048 };
/* How the run ends as a sentence; empty where there is none. */
void pm_describe_status(const struct pm_status *v, char *text, size_t len);

/* report.c: what pm_report() writes; of jobs that run, too. */
void pm_report_to(FILE *f, const struct pm_run *r, const char *failed);

void pm_host_signaled(void *owner, int signal); /* signals.c: of struct pm_remote_events */

/* input.c: standard input of the ranks. */
enum pm_input_kind pm_input_add(struct pm_rank *r); /* a rank that is started */
void pm_input_begin(struct pm_job *j);              /* all ranks have been added */
void pm_input_taken(struct pm_rank *r);
void pm_input_close(struct pm_rank *r); /* the rank reads no more */

#endif /* JOB_IMPL_H */
