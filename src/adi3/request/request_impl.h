/* request_impl.h — shared between the files of src/adi3/request, and no others. */
#ifndef REQUEST_IMPL_H
#define REQUEST_IMPL_H

#include "request.h"

void any_signal(struct adi3_request *r); /* it was watched, and is done */

#endif /* REQUEST_IMPL_H */
