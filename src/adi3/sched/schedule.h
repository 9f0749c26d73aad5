/* schedule.h — schedules: the start of this room, for the job. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

int sched_init(void);

#endif /* SCHEDULE_H */
