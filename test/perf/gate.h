/* gate.h — the interface between gate.c and perf.c. */
#ifndef GATE_H
#define GATE_H

void gate_open(void);    /* collective, by MPI: the shared memory is there afterwards */
double gate_probe(void); /* collective: ns one way between two cores, < 0 when there is only one */

#endif /* GATE_H */
