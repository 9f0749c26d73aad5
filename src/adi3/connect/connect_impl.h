/* connect_impl.h — shared between the files of src/adi3/connect, and no others. */
#ifndef CONNECT_IMPL_H
#define CONNECT_IMPL_H

#include "adi3/connect/connect.h"
#include "adi3/p2p/p2p.h"
#include "adi3/progress/progress.h"

int connected_init(void (*end)(int exit_code, const char *why)); /* see connect_init() */

#endif /* CONNECT_IMPL_H */
