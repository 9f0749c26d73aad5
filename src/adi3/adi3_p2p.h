/* adi3_p2p.h — messages from process to process. */
#ifndef ADI3_P2P_H
#define ADI3_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include "adi3_base.h"
#include "adi3_datatype.h"
#include "adi3_request.h"

/* How a message is sent, with ADI3_COLL where it belongs to a collective operation: that has a
 * context of its own and never meets a user's message. */
enum adi3_mode {
    ADI3_STANDARD = 0,
    ADI3_COLL = 1,
    ADI3_SYNC = 2,
    ADI3_READY = 4,
    ADI3_BUFFERED = 8, /* of a persistent send; else: adi3_bsend() */
};

/* Tags above are of collective operations that share a context with others: ADI3_TAG_GROUP and
 * ADI3_TAG_INTER with the user's tag, ADI3_TAG_INIT with the number of a persistent operation.
 * In the collective context of a communicator tags have the operation's number, from 1 on, above
 * ADI3_SIGNATURE, whose bits say what operation it is; 0 belongs to the making of communicators,
 * what is above all numbers to the beginning and end of MPI. */
enum {
    ADI3_TAG_UB = 0x1fffffff,
    ADI3_TAG_GROUP = 0x20000000,
    ADI3_TAG_INTER = 0x40000000,
    ADI3_TAG_INIT = 0x60000000,
    ADI3_SIGNATURE = 0xffff,
    ADI3_NUMBERS = 0x1ffe, /* of operations: after these the first is used again */
};

/* The tag of the operation with a number that counts from 0, without its signature. */
static inline int adi3_number_tag(uint32_t number)
{
    return (int) (number % ADI3_NUMBERS + 1) * (ADI3_SIGNATURE + 1);
}

/* dest and source may be MPI_PROC_NULL, source MPI_ANY_SOURCE, a receive's tag MPI_ANY_TAG. */
int adi3_send(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode);
/* Sends a small message, not to MPI_PROC_NULL, when that can be done at once: 0. Anything else must
 * be told to adi3_refused(). */
int adi3_inject(struct adi3_comm *c, int dest, int tag, const void *buf, size_t len, int mode);
void adi3_refused(int rc);
/* Starts a receive where that is simple; else MPI_REQUEST_NULL, and nothing is done. */
MPI_Request adi3_irecv_quickly(struct adi3_comm *c, int source, int tag, void *buf, size_t len);

int adi3_recv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
              MPI_Status *status);
int adi3_isend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
               MPI_Request *request);
int adi3_irecv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
               MPI_Request *request);
struct adi3_exchange { /* a send and a receive */
    struct adi3_data out, in;
    int dest, sendtag, source, recvtag;
};
/* Both at once, and waits for both. */
int adi3_sendrecv(const struct adi3_exchange *x, struct adi3_comm *c, int mode, MPI_Status *status);
/* Sends d and receives into it; x says from where to where. */
int adi3_sendrecv_replace(const struct adi3_data *d, const struct adi3_exchange *x,
                          struct adi3_comm *c, MPI_Status *status);
int adi3_iprobe(int source, int tag, struct adi3_comm *c, bool *found, MPI_Status *status);
int adi3_probe(int source, int tag, struct adi3_comm *c, MPI_Status *status);

/* As the two above, and takes the message out of matching, for adi3_mrecv(); MPI_MESSAGE_NULL when
 * none has come, MPI_MESSAGE_NO_PROC from MPI_PROC_NULL. */
int adi3_improbe(int source, int tag, struct adi3_comm *c, MPI_Message *message,
                 MPI_Status *status);
int adi3_mprobe(int source, int tag, struct adi3_comm *c, MPI_Message *message, MPI_Status *status);
struct adi3_request *adi3_message_get(MPI_Message handle); /* NULL when it names none */
/* The message becomes the request that receives it, of the same handle. */
void adi3_claim(struct adi3_request *message, const struct adi3_data *d);

/* Buffered mode: a message is copied into the buffer that the user has attached, and has left when
 * its receiver wants it. Detaching waits until all have left. */
int adi3_bsend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c);
int adi3_buffer_attach(void *buf, size_t len);
int adi3_buffer_detach(void **buf, size_t *len);
const char *adi3_buffer_attached(void); /* by which call; NULL: none is */

/* ---- persistent requests (persistent.c) ------------------------------------------------------ */

/* A persistent request, inactive; mode: of a send. */
int adi3_send_init(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
                   MPI_Request *request);
int adi3_recv_init(const struct adi3_data *d, int source, int tag, struct adi3_comm *c,
                   MPI_Request *request);
bool adi3_start_quickly(MPI_Request h); /* where that is simple; else false, nothing is done */

/* ---- checks beside wrong arguments (check.c) ------------------------------------------------- */

enum adi3_check { ADI3_CHECK_OFF, ADI3_CHECK_BASIC, ADI3_CHECK_STRICT };
extern enum adi3_check adi3_check; /* the setting CHECK; known after adi3_init() */
/* MPI_ERR_BUFFER when a byte of the data is in memory that this process does not have. */
int adi3_check_mapped(const struct adi3_data *d);

#endif /* ADI3_P2P_H */
