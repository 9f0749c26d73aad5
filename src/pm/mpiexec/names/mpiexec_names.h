/* mpiexec_names.h — mpiexec --serve-names: a server of names for jobs of any mpiexec. */
#ifndef MPIEXEC_NAMES_H
#define MPIEXEC_NAMES_H

#include "pm/channel/pm_answer.h"

/* Runs until SIGINT, SIGTERM or SIGHUP. Returns the exit code. */
int pm_serve_names(const char *file, const struct pm_ports *ports);

#endif /* MPIEXEC_NAMES_H */
