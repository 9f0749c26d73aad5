/* request_impl.h — shared between the files of src/adi3/request, and no others. */
#ifndef REQUEST_IMPL_H
#define REQUEST_IMPL_H

#include "adi3/request/request.h"

void any_signal(struct adi3_request *r); /* r is done and was watched: tells the call that waits */

/* at_end.c: runs and frees what runs at the end of r, which is DONE. */
void request_run_ends(struct adi3_request *r);

#endif /* REQUEST_IMPL_H */
