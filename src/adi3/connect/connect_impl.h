/* connect_impl.h — shared between the files of src/adi3/connect, and no others. */
#ifndef CONNECT_IMPL_H
#define CONNECT_IMPL_H

#include "adi3/connect/connect.h"
#include "adi3/p2p/p2p.h"
#include "adi3/progress/progress.h"

int connected_init(void (*end)(int exit_code, const char *why)); /* see connect_init() */

/* links.c */
int links_init(void);
bool links_any(void); /* a communicator of several jobs has been made, and not let go */
/* Lists processes of other jobs, at least one for each process of the other side or of ours,
 * whichever are more: the same pairs at both ends. one: the span of a communicator; NULL: of all
 * together. The caller frees proc, also after an error. Errors: MPI_ERR_NO_MEM. */
struct links_peers {
    struct adi3_proc **proc;
    int n;
};
int links_peers(const struct comm_span *one, struct links_peers *peers);
/* One end of this process and one of the job has told LEAVE, and the other one not yet. */
bool links_end(const struct proc_job *job);
/* Leaves the processes of a job with which a connect has failed, as far as another thread would
 * have left them but for the connect's link. */
void links_leave_job(const struct proc_job *job);
void links_finalize(void);

/* keys.c */
/* Sets the secret of a job whose public key is set, or why there is none. Errors: MPI_ERR_OTHER
 * when the key cannot be one. */
int keys_secret(struct proc_job *job);
void keys_finalize(void);

#endif /* CONNECT_IMPL_H */
