/* schedule.h — schedules: what the job does at their begin. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

int sched_init(void);

#endif /* SCHEDULE_H */
