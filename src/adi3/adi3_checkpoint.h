/* adi3_checkpoint.h — quiescing, for checkpoints: brings the job to a state with no message on its
 * way.
 *
 * For a checkpoint of the whole job, which all processes take together. This room stands above
 * messages, and knows how devices are opened anew. */
#ifndef ADI3_CHECKPOINT_H
#define ADI3_CHECKPOINT_H

/* When this returns, nothing is on its way between the processes of the job, and sends are held
 * back. Requests, posted receives and unexpected messages stay. All processes call it together.
 * Errors: MPI_ERR_OTHER, in all processes, when a process is lost, when this job is connected with
 * another one, or has an open port; also when the launcher does not answer. Then sends go on. */
int adi3_quiesce(void);
void adi3_continue(void); /* sends go on, by the same devices */
/* Instead of adi3_continue(), as after a restart: opens all devices anew, with new addresses, in
 * all processes together. Then sends go on. */
int adi3_reopen(void);

#endif /* ADI3_CHECKPOINT_H */
