/* connect_impl.h — shared between the files of src/adi3/connect, and no others. */
#ifndef CONNECT_IMPL_H
#define CONNECT_IMPL_H

#include "connect.h"
#include "p2p.h"
#include "progress.h"

int connected_init(void (*end)(int exit_code, const char *why)); /* see connect_init() */

#endif /* CONNECT_IMPL_H */
