/* names_impl.h — what the files of the server of names share. */
#ifndef NAMES_IMPL_H
#define NAMES_IMPL_H

#include "pm/mpiexec/names/mpiexec_names.h"

/* name_clients.c: listens, and writes the line for clients. NULL with errno. */
struct pm_answers *pm_names_open(const struct pm_ports *ports, char *line, size_t len);
void pm_names_close(void); /* all connections */

#endif /* NAMES_IMPL_H */
