/* property_idup.c — G04: as property.c, with communicators that MPI_Comm_idup begins and that are
 * completed later, while others are made and freed, the original included. MPICH 4.0 fails: it
 * crashes. */
#include "property.h"

int main(int argc, char **argv) { return property(&argc, &argv, 1); }
