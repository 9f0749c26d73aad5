/* adi3_p2p.h — messages from process to process: sends, receives and probes in all modes, and
 * persistent requests.
 *
 * For src/mpi/pt2pt, and for collective operations, whose messages have a context and tags of their
 * own. Arguments have been checked; the caller holds the lock. */
#ifndef ADI3_P2P_H
#define ADI3_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_datatype.h"
#include "adi3/adi3_request.h"

/* How a message is sent. ADI3_COLL is added where it belongs to a collective operation: such
 * messages have a context of their own and never match those of the program. */
enum adi3_mode {
    ADI3_STANDARD = 0,
    ADI3_COLL = 1,
    ADI3_SYNC = 2,
    ADI3_READY = 4,
    ADI3_BUFFERED = 8, /* of a persistent send; else: adi3_bsend() */
};

/* Tags. Up to ADI3_TAG_UB they are the program's. In the collective context of a communicator they
 * are the library's:
 *
 *   ADI3_TAG_COMM                    making communicators, and what they are made of
 *   number << 16 | signature         a collective operation: numbers are 1 to ADI3_NUMBERS, and the
 *                                    signature (ADI3_SIGNATURE) says which it is, see adi3_calls.h
 *   ADI3_TAG_BEGUN                   a nonblocking one; number and signature are added
 *   from ADI3_TAG_RESERVED on        the messages of enum adi3_reserved_tag
 *   ADI3_TAG_GROUP, ADI3_TAG_INTER   MPI_Comm_create_group, MPI_Intercomm_create, plus their tag
 *   ADI3_TAG_INIT                    a persistent collective operation; number and signature are
 *                                    added */
enum {
    ADI3_TAG_UB = 0x1fffffff,
    ADI3_TAG_COMM = 0,
    ADI3_TAG_BEGUN = 0x10000000,
    ADI3_TAG_GROUP = 0x20000000,
    ADI3_TAG_INTER = 0x40000000,
    ADI3_TAG_INIT = 0x60000000,
    ADI3_SIGNATURE = 0xffff,
    ADI3_NUMBERS = 0xffe, /* of operations: after these the first is used again */
    ADI3_TAG_RESERVED = 0x1fffff00,
};

/* All tags of the library's own messages in the collective context of MPI_COMM_WORLD. */
enum adi3_reserved_tag {
    ADI3_TAG_FINALIZE = ADI3_TAG_RESERVED + 1, /* the barriers of MPI_Finalize */
    ADI3_TAG_CLOCK,                            /* STARLING_WTIME_GLOBAL: is it so in all? */
    ADI3_TAG_CLOCK_COUNT,                      /* processes that measure */
    ADI3_TAG_CLOCK_QUESTION,
    ADI3_TAG_CLOCK_ANSWER,
    ADI3_TAG_CLOCK_RESULT,
    ADI3_TAG_CLOCK_OFFSET,
    ADI3_TAG_QUIESCE = ADI3_TAG_RESERVED + 16, /* can this job be quiesced? */
};
_Static_assert(ADI3_TAG_BEGUN + (ADI3_NUMBERS + 1) * (ADI3_SIGNATURE + 1) <= ADI3_TAG_RESERVED,
               "reserved tags are above those of nonblocking operations");

/* The tag, without signature, of the operation with this number, which counts from 0. */
static inline int adi3_number_tag(uint32_t number)
{
    return (int) (number % ADI3_NUMBERS + 1) * (ADI3_SIGNATURE + 1);
}

/* Blocking and nonblocking sends and receives. dest and source may be MPI_PROC_NULL, source
 * MPI_ANY_SOURCE, a receive's tag MPI_ANY_TAG. A send that was complete at once sets *request to
 * ADI3_REQUEST_COMPLETE. */
int adi3_send(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode);
/* Sends a small message without a request, if that is possible at once. dest is not MPI_PROC_NULL.
 * Returns 0 when it is sent. Any other value must be given to adi3_refused(), which takes the
 * message's credit back; then the caller may send in another way. */
int adi3_inject(struct adi3_comm *c, int dest, int tag, const void *buf, size_t len, int mode);
void adi3_refused(int rc);
/* Starts a receive of the program into contiguous memory in the simple case that it can only be
 * posted, and sets *request. Else false, and nothing is done. */
bool adi3_irecv_quickly(struct adi3_comm *c, int source, int tag, void *buf, size_t len,
                        MPI_Request *request);

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
/* Starts both at the same time, and waits for both. */
int adi3_sendrecv(const struct adi3_exchange *x, struct adi3_comm *c, int mode, MPI_Status *status);
/* Sends d and receives into it; x has only ranks and tags. */
int adi3_sendrecv_replace(const struct adi3_data *d, const struct adi3_exchange *x,
                          struct adi3_comm *c, MPI_Status *status);
int adi3_iprobe(int source, int tag, struct adi3_comm *c, bool *found, MPI_Status *status);
int adi3_probe(int source, int tag, struct adi3_comm *c, MPI_Status *status);

/* The same as a matched probe: takes the message out of the unexpected queue, for adi3_claim().
 * *message is MPI_MESSAGE_NULL when none has come, MPI_MESSAGE_NO_PROC from MPI_PROC_NULL. */
int adi3_improbe(int source, int tag, struct adi3_comm *c, MPI_Message *message,
                 MPI_Status *status);
int adi3_mprobe(int source, int tag, struct adi3_comm *c, MPI_Message *message, MPI_Status *status);
struct adi3_request *adi3_message_get(MPI_Message handle); /* NULL when it names none */
/* Turns a message that a matched probe has taken into the request that receives it. The handle
 * stays the same. */
void adi3_claim(struct adi3_request *message, const struct adi3_data *d);

/* Buffered mode: a message that cannot be sent at once is copied into the buffer that the program
 * has attached. Detaching waits until all messages have left the buffer. */
int adi3_bsend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c);
int adi3_buffer_attach(void *buf, size_t len);
int adi3_buffer_detach(void **buf, size_t *len);
const char *adi3_buffer_attached(void); /* name of the call that attached a buffer; NULL: none */

/* ---- persistent requests (persistent.c) ------------------------------------------------------ */

/* Makes an inactive persistent request. */
int adi3_send_init(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
                   MPI_Request *request);
int adi3_recv_init(const struct adi3_data *d, int source, int tag, struct adi3_comm *c,
                   MPI_Request *request);
/* Starts a persistent request in the simple cases: a small send that goes at once, a receive that
 * can only be posted. False in others; then nothing is done, and adi3_start() will do. */
bool adi3_start_quickly(MPI_Request h);

/* ---- checks beside wrong arguments (check.c) ------------------------------------------------- */

enum adi3_check { ADI3_CHECK_OFF, ADI3_CHECK_BASIC, ADI3_CHECK_STRICT };
extern enum adi3_check adi3_check; /* the setting CHECK; known after adi3_init() */
/* Asks the kernel whether the memory of the data is mapped. Errors: MPI_ERR_BUFFER. */
int adi3_check_mapped(const struct adi3_data *d);

/* After adi3_finalize(): an error whose text says which messages have come that the program has not
 * received; MPI_SUCCESS when there are none. */
int adi3_unreceived(void);

#endif /* ADI3_P2P_H */
