/* stand_in.h — what mpiexec does with PMI_STAND_IN_ARGUMENT. */
#ifndef STAND_IN_H
#define STAND_IN_H

int pm_stand_in(void); /* the exit code */

#endif /* STAND_IN_H */
