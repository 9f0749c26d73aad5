/* adi3_progress.h — moving messages. */
#ifndef ADI3_PROGRESS_H
#define ADI3_PROGRESS_H

/* Moves messages without waiting. */
void adi3_poll(void);

/* How often this process slept; how often half a second passed without a wake-up; and how often
 * there was work then. The sender of that message should have woken this process and did not. */
extern struct adi3_sleeps {
    unsigned long all, in_vain, late;
} adi3_sleeps;

#endif /* ADI3_PROGRESS_H */
