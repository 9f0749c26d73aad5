/* io.h — files, for the job: its begin and end. Uses base, datatype, request and progress. */
#ifndef IO_H
#define IO_H

#include "adi3/adi3_io.h"
#include "platform/counter.h"
#include "platform/setting.h"

extern const struct setting io_settings[];
extern const struct counter io_counters[];

int io_init(void);

#endif /* IO_H */
