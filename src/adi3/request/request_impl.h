/* request_impl.h — shared between the files of src/adi3/request, and no others. */
#ifndef REQUEST_IMPL_H
#define REQUEST_IMPL_H

#include "request.h"

void any_signal(struct adi3_request *r); /* r is done and was watched: tells the call that waits */

#endif /* REQUEST_IMPL_H */
