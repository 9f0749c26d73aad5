/* bind_impl.h — what the files of src/pm/bind share. */
#ifndef BIND_IMPL_H
#define BIND_IMPL_H

#include "pm/bind/pm_bind.h"

/* user.c: reads a list of sets such as "0+2,4-7,1", and sets *set to that of a rank; more ranks
 * than sets begin again. -EINVAL: it is not such a list. */
int pm_user_set(const char *list, int rank, struct pm_cpus *set);

#endif /* BIND_IMPL_H */
