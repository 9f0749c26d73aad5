/* rma.h — one-sided communication, for the job: its begin. Its end is a hook.
 *
 * It has five rooms: epoch, messages, shared, target and memory, each above those behind it. */
#ifndef RMA_H
#define RMA_H

#include "adi3/adi3_rma.h"
#include "platform/counter.h"
#include "platform/setting.h"

extern const struct setting rma_settings[];
extern const struct counter rma_counters[];

int rma_init(void);
int rma_begin(void); /* after comm_init(): windows end before their communicators */

#endif /* RMA_H */
