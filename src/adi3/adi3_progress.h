/* adi3_progress.h — moving messages: what src/mpi uses of it. */
#ifndef ADI3_PROGRESS_H
#define ADI3_PROGRESS_H

/* Polls all devices once; does not wait. */
void adi3_poll(void);

/* Counts of sleeps of this process. in_vain: half a second passed without a wake-up; late: and then
 * there was work. The sender of that message should have woken this process and did not. */
extern struct adi3_sleeps {
    unsigned long all, in_vain, late;
} adi3_sleeps;

#endif /* ADI3_PROGRESS_H */
