/* adi3_checkpoint.h — for checkpoints: a job with nothing under way; collective over the job.
 *
 * After adi3_quiesce() nothing is under way between the processes of the job, and sends are held
 * back until adi3_continue() or, as after a restart with new devices and addresses, adi3_reopen().
 * Requests and messages that have not been received yet outlive it. */
#ifndef ADI3_CHECKPOINT_H
#define ADI3_CHECKPOINT_H

int adi3_quiesce(void);
void adi3_continue(void);
int adi3_reopen(void);

#endif /* ADI3_CHECKPOINT_H */
