/* door.h — where other programs ask a running job about itself. */
#ifndef DOOR_H
#define DOOR_H

#include <sys/types.h>

#define PM_DOOR "starling-" /* the beginning of the name of the abstract socket; then UID-PID */

struct pm_job;

/* door.c */
enum { PM_DOOR_NAME = 64 };
void pm_door_name(char name[PM_DOOR_NAME], uid_t uid, pid_t pid);
void pm_door_open(const struct pm_job *j); /* without one, the job runs all the same */

/* jobs.c: prints a line for each running job of this user on this host. An exit code. */
int pm_print_jobs(void);

#endif /* DOOR_H */
